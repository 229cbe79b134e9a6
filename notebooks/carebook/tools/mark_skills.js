// Mark DEAR MAN skills, message by message, then see an expert's marks beside yours.

function render({ model, el: place }) {
  const data = JSON.parse(model.get("_data"));
  const skillIds = data.skills.map((skill) => skill.id);
  const allowed = new Map(data.skills.map((skill) => [skill.id, skill.labels]));
  const texts = new Map(data.messages.map((message) => [message.key, message]));

  const isFull = (sheet) => skillIds.every((skill) => sheet[skill]);

  function isValid({ marks, compared }) {
    return Object.entries(marks).every(
      ([key, sheet]) =>
        texts.has(key) &&
        Object.entries(sheet).every(([skill, mark]) => allowed.get(skill).includes(mark)),
    ) && Array.isArray(compared) && compared.every((key) => texts.has(key) && isFull(marks[key]));
  }

  let shown = 0;
  const opened = new Set(); // texts with a content note that the reader has opened
  const count = el("p", { class: "cb-progress" });
  const tool = practise({
    model,
    place,
    data,
    name: "mark_skills",
    title: "Mark DEAR MAN skills",
    what: "marks",
    blank: () => ({ marks: {}, compared: [] }),
    isValid,
    above: count,
    page,
    results: agreement,
    answers: () => rows(),
    saved: () => ({ marks: tool.state.marks, compared: tool.state.compared }),
    read: ({ marks, compared }) => ({ marks, compared }),
    sheet: () => [["message_key", "skill", "label"], rows()],
    settle(isOther) {
      const next = data.messages.findIndex(({ key }) => !isCompared(key));
      if (isOther) shown = Math.max(0, next);
    },
  });

  const sheet = (key) => tool.state.marks[key] || {};
  const isComplete = (key) => isFull(sheet(key));
  const isCompared = (key) => tool.state.compared.includes(key);
  const rows = () =>
    data.messages.flatMap(({ key }) =>
      skillIds.filter((skill) => sheet(key)[skill]).map((skill) => [key, skill, sheet(key)[skill]]),
    );

  // --- One message --------------------------------------------------------------------------------

  function manual(skill) {
    return el(
      "details",
      { class: "cb-manual" },
      el("summary", null, "Manual", el("span", { class: "cb-unseen" }, ` for ${skill.name}`)),
      el(
        "dl",
        null,
        skill.manual.flatMap(([term, rule]) => [el("dt", null, term), el("dd", null, rule)]),
      ),
    );
  }

  function marking(message) {
    const groups = data.skills.map((skill) =>
      choice({
        legend: skill.name,
        options: skill.labels.map((label) => [label, label]),
        value: sheet(message.key)[skill.id],
        kind: "cb-skill",
        more: manual(skill),
        change(mark) {
          tool.state.marks[message.key] = { ...sheet(message.key), [skill.id]: mark };
          tool.save();
          progress();
        },
      }),
    );
    const compare = button("Compare with the expert", () => {
      const isOpen = (skill) => !sheet(message.key)[skill.id];
      const open = data.skills.filter(isOpen).map(({ name }) => name);
      if (open.length) {
        tool.say(`Not marked yet: ${open.join(", ")}.`);
        goToOpen(groups.filter((_, i) => isOpen(data.skills[i])));
        return;
      }
      tool.state.compared.push(message.key);
      tool.save();
      tool.refresh(HEADING);
    }, { class: "cb-main" });
    return el("div", { class: "cb-marking" }, groups, compare);
  }

  function beside(message) {
    const rows = data.skills.map((skill) => {
      const theirs = message.expert[skill.id];
      const mine = sheet(message.key)[skill.id];
      return [
        skill.name,
        mine,
        [theirs.label ?? "no mark", mine === theirs.label ? " (same)" : ""],
        [
          theirs.suggestion && el("p", null, el("strong", null, "Suggestion: "), theirs.suggestion),
          theirs.rewrite && el("p", null, el("strong", null, "Rewrite: "), theirs.rewrite),
        ],
      ];
    });
    return el(
      "div",
      null,
      el("h3", { tabindex: "-1", "data-focus": true }, "You and the expert"),
      table({
        caption: "Marks for this message",
        head: ["Skill", "You", "Expert", "What the expert wrote"],
        rows,
        kind: "cb-beside",
      }),
      el(
        "p",
        { class: "cb-soft" },
        "Where you differ, ask three things: did I slip, is the manual silent, or may two careful " +
          "readers differ here? Your marks for this message are final now, because an agreement " +
          "reached after looking would count for nothing.",
      ),
    );
  }

  function page() {
    const message = data.messages[shown];
    const go = (number, focus) => {
      shown = number;
      tool.refresh(focus, focus === TURN ? `Message ${number + 1} is shown.` : "");
    };
    const last = data.messages.length - 1;
    return el(
      "div",
      { class: "cb-page" },
      el(
        "div",
        { class: "cb-turn" },
        dropdown({
          label: "Message",
          value: shown,
          options: data.messages.map(({ key }, i) => [
            i,
            `${i + 1} of ${last + 1}${isCompared(key) ? ", compared" : isComplete(key) ? ", marked" : ""}`,
          ]),
          change: (number) => go(Number(number), TURN),
        }),
        button("Previous", () => go(shown - 1, HEADING), { disabled: shown === 0 }),
        button("Next", () => go(shown + 1, HEADING), { disabled: shown === last }),
      ),
      el("h3", { tabindex: "-1", "data-focus": !isCompared(message.key) }, `Message ${shown + 1}`),
      message.note
        ? announced(message.situation, message.note, opened, "The situation, in the writer's words.")
        : folded("The situation, in the writer's words", true, quote(message.situation)),
      message.before.length > 0 &&
        folded(
          `What they wrote before (${plural(message.before.length, "message")})`,
          false,
          message.before.map(quote),
        ),
      quote(message.text),
      isCompared(message.key) ? beside(message) : marking(message),
    );
  }

  // --- All messages -------------------------------------------------------------------------------

  function agreement() {
    progress();
    const compared = data.messages.filter(({ key }) => isCompared(key));
    if (!compared.length) return el("div");
    const same = (skill) =>
      compared.filter(({ key, expert }) => sheet(key)[skill] === expert[skill].label).length;
    return el(
      "div",
      { class: "cb-agreement" },
      el("h3", null, "How often you gave the expert's mark"),
      table({
        caption: `Same marks, over ${plural(compared.length, "message")} that you have compared`,
        head: ["Skill", "Same", "Of"],
        rows: data.skills.map(({ id, name }) => [
          name,
          figure(same(id), 0, `same ${id}`),
          String(compared.length),
        ]),
      }),
      beyondChance(compared),
    );
  }

  function beyondChance(compared) {
    const judged = compared.flatMap((message) =>
      data.moves
        .filter((skill) => message.expert[skill].label)
        .map((skill) => [sheet(message.key)[skill], message.expert[skill].label, message.conversation]),
    );
    const [mine, theirs, conversations] = [0, 1, 2].map((i) => judged.map((row) => row[i]));
    const many = new Set(conversations).size;
    if (judged.length < data.enough || many < data.conversations) {
      return el(
        "p",
        null,
        `A share of same marks says little until one knows what habit alone would give. Kappa says ` +
          `that, once there are about ${data.enough} judgements from ${data.conversations} ` +
          `conversations; on the five moves you have ${judged.length} from ${many}.`,
      );
    }
    const found = cohenKappa(mine, theirs, conversations, data.bootstrap);
    if (Number.isNaN(found.kappa)) {
      return el("p", null, "You and the expert gave one and the same mark throughout: kappa has no answer.");
    }
    const meaning =
      found.low > 0
        ? "So you and the expert agree beyond what your two habits would give."
        : found.high < 0
          ? "So you two agree less than your habits alone would give: look where you part."
          : "The interval holds zero: agreement beyond habit isn't shown, which is no proof of disagreement.";
    return el(
      "p",
      null,
      `Over the five moves you made ${found.judgements} judgements and gave the same mark in `,
      figure(100 * found.agreement, 0, "agreement"),
      "%; two people with your two habits would, without reading, in ",
      figure(100 * found.byChance, 0, "chance"),
      "%. Kappa puts that on one scale: ",
      figure(found.kappa, 2, "kappa"),
      ", 95% interval ",
      figure(found.low, 2, "low"),
      " to ",
      figure(found.high, 2, "high"),
      ` (${found.groups} conversations drawn, this one expert and the five moves held fixed). ${meaning} `,
      "To agree with one expert is not to be right.",
    );
  }

  function progress() {
    const marked = data.messages.filter(({ key }) => isComplete(key)).length;
    count.textContent =
      `${marked} of ${plural(data.messages.length, "message")} marked, ` +
      `${tool.state.compared.length} compared.`;
  }

  return tool.start();
}

export default { render };
