// Mark DEAR MAN skills, message by message, then see an expert's marks beside yours.

function render({ model, el: place }) {
  const data = JSON.parse(model.get("_data"));
  const skillIds = data.skills.map((skill) => skill.id);
  const allowed = new Map(data.skills.map((skill) => [skill.id, skill.labels]));
  const texts = new Map(data.messages.map((message) => [message.key, message]));

  function isValid(kept) {
    return Object.entries(kept.marks).every(
      ([key, sheet]) =>
        texts.has(key) &&
        Object.entries(sheet).every(([skill, mark]) => allowed.get(skill).includes(mark)),
    ) && Array.isArray(kept.compared) && kept.compared.every((key) => texts.has(key));
  }

  const kept = keeper("mark_skills", data.fingerprint, () => ({ marks: {}, compared: [] }), isValid);
  let state = kept.load();
  let isKept = true;
  let shown = Math.max(0, data.messages.findIndex(({ key }) => !state.compared.includes(key)));

  const sheet = (key) => state.marks[key] || {};
  const isComplete = (key) => skillIds.every((skill) => sheet(key)[skill]);
  const isCompared = (key) => state.compared.includes(key);
  const rows = () =>
    data.messages.flatMap(({ key }) =>
      skillIds.filter((skill) => sheet(key)[skill]).map((skill) => [key, skill, sheet(key)[skill]]),
    );

  function save() {
    isKept = kept.save(state);
    share();
  }

  function share() {
    model.set("_answers", rows());
    model.save_changes();
  }

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
    const status = el("p", { role: "status", class: "cb-status" });
    const compare = button("Compare with the expert", () => {
      const open = data.skills.filter((skill) => !sheet(message.key)[skill.id]);
      if (open.length) {
        status.textContent = `Not marked yet: ${open.map((skill) => skill.name).join(", ")}.`;
        return;
      }
      state.compared.push(message.key);
      save();
      refresh(true);
    }, { class: "cb-main" });
    const groups = data.skills.map((skill) =>
      choice({
        legend: skill.name,
        options: skill.labels.map((label) => [label, label]),
        value: sheet(message.key)[skill.id],
        kind: "cb-skill",
        more: manual(skill),
        change(mark) {
          state.marks[message.key] = { ...sheet(message.key), [skill.id]: mark };
          save();
          status.textContent = "";
          progress();
        },
      }),
    );
    return el("div", { class: "cb-marking" }, groups, compare, status);
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
    const go = (number) => {
      shown = number;
      refresh(true);
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
          change: (number) => go(Number(number)),
        }),
        button("Previous", () => go(shown - 1), { disabled: shown === 0 }),
        button("Next", () => go(shown + 1), { disabled: shown === last }),
      ),
      el("h3", { tabindex: "-1", "data-focus": !isCompared(message.key) }, `Message ${shown + 1}`),
      folded("The situation, in the writer's words", true, quote(message.situation)),
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

  // --- The whole ----------------------------------------------------------------------------------

  const count = el("p", { class: "cb-progress" });
  function progress() {
    const marked = data.messages.filter(({ key }) => isComplete(key)).length;
    count.textContent =
      `${marked} of ${plural(data.messages.length, "message")} marked, ` +
      `${state.compared.length} compared.`;
  }

  function close() {
    const name = "carebook-mark-skills";
    return ending({
      what: "marks",
      free: null,
      isKept,
      files: [
        ["Save as JSON", () =>
          download(`${name}.json`, "application/json", JSON.stringify(file(), null, 1))],
        ["Save as CSV", () =>
          download(`${name}.csv`, "text/csv", csv(["message_key", "skill", "label"], rows()))],
      ],
      erase() {
        state = kept.erase();
        shown = 0;
        share();
        refresh(true);
      },
    });
  }

  function file() {
    const { reader, marks, compared } = state;
    return { carebook: "mark_skills", version: 1, data: data.fingerprint, reader, marks, compared };
  }

  let [body, results, end] = [el("div"), el("div"), el("div")];
  function refresh(focus = false) {
    progress();
    results = replace(results, agreement());
    end = replace(end, close());
    body = replace(body, page(), focus);
  }

  place.append(frame("Mark DEAR MAN skills", el("p", { class: "cb-soft" }, data.about), count, body, results, end));
  share();
  refresh();
}

export default { render };
