// Write a message: choose skills, then write, then go through a checklist with experts' examples.

function render({ model, el: place }) {
  const data = JSON.parse(model.get("_data"));
  const skills = new Map(data.skills.map((skill) => [skill.id, skill]));
  const situations = new Map(data.situations.map((situation) => [situation.id, situation]));

  const areChecks = (bySkill) =>
    Object.entries(bySkill).every(
      ([skill, checks]) =>
        skills.has(skill) &&
        Object.entries(checks).every(
          ([i, check]) => i in skills.get(skill).questions && data.checks.includes(check),
        ),
    );

  function isPlan(plan) {
    return (
      plan.skills.every((skill) => skills.has(skill)) &&
      ["begun", "checking"].every((name) => typeof plan[name] === "boolean") &&
      [plan.checks, plan.before || {}].every(areChecks) &&
      ["undefined", "string"].includes(typeof plan.message)
    );
  }

  const isValid = ({ plans }) =>
    Object.entries(plans).every(([id, each]) => situations.has(id) && isPlan(each));

  let shown = data.situations[0].id;
  let written = {}; // situation -> message, for this visit
  const opened = new Set(); // texts with a content note that the reader has opened
  const tool = practise({
    model,
    place,
    data,
    name: "write_message",
    title: "Write a message",
    what: "plans and checks",
    blank: () => ({ plans: {}, words: false }),
    isValid,
    page,
    answers,
    saved: () => ({ answers: answers() }),
    read,
    sheet() {
      const head = ["conversation_id", "skill", "chosen", "question", "check", "message_text"];
      return [head, answers().map((each) => head.map((column) => each[column]))];
    },
    free: () =>
      tick({
        label: "Keep my messages as well, and put them into the files (else they go when the page closes)",
        checked: tool.state.words,
        change(on) {
          tool.state.words = on;
          tool.save();
        },
      }),
    ready() {
      for (const [id, each] of Object.entries(tool.state.plans)) {
        if (tool.state.words && id in written) each.message = written[id];
        else delete each.message;
      }
    },
    settle(isOther) {
      if (isOther) [shown, written] = [data.situations[0].id, {}];
      for (const [id, { message }] of Object.entries(tool.state.plans)) {
        if (message !== undefined) written[id] = message;
      }
    },
  });

  function plan(id = shown) {
    tool.state.plans[id] ??= { skills: [], begun: false, checking: false, checks: {} };
    return tool.state.plans[id];
  }

  function answers() {
    return data.situations
      .filter(({ id }) => tool.state.plans[id]?.begun)
      .flatMap(({ id }) =>
        data.skills.flatMap((skill) =>
          skill.questions.map((question, i) => ({
            conversation_id: id,
            skill: skill.id,
            chosen: plan(id).skills.includes(skill.id),
            question,
            check: plan(id).checks[skill.id]?.[i] ?? null,
            message_text: plan(id).message ?? null,
          })),
        ),
      )
      .filter(({ chosen, check }) => chosen || check);
  }

  /** The answers of a file as a state; what isn't about these situations and skills fails. */
  function read({ answers: rows }) {
    const plans = {};
    for (const { conversation_id: id, skill, chosen, question, check, message_text: text } of rows) {
      if (!situations.has(id)) throw new RangeError(id);
      const own = (plans[id] ??= { skills: [], begun: true, checking: false, checks: {} });
      if (chosen && !own.skills.includes(skill)) own.skills.push(skill);
      if (check) {
        own.checking = true;
        own.checks[skill] = {
          ...own.checks[skill],
          [skills.get(skill).questions.indexOf(question)]: check,
        };
      }
      if (text) own.message = text;
    }
    return { plans, words: Object.values(plans).some(({ message }) => message) };
  }

  // --- Plan, write, check -------------------------------------------------------------------------

  function planning() {
    const planned = () => tool.state.plans[shown]?.skills ?? [];
    const choices = el(
      "fieldset",
      { class: "cb-choice" },
      el("legend", null, "Before you write: which skills will you try?"),
      data.skills.map((skill) =>
        tick({
          label: `${skill.name}: ${skill.idea}`,
          checked: planned().includes(skill.id),
          change(on) {
            choices.querySelector(".cb-open")?.remove();
            plan().skills = data.skills
              .map(({ id }) => id)
              .filter((id) => (id === skill.id ? on : planned().includes(id)));
            tool.save();
          },
        }),
      ),
    );
    return el(
      "div",
      null,
      choices,
      el("p", { class: "cb-soft" }, "One to three are plenty. Not every situation asks for all seven."),
      button("Now write", () => {
        if (!planned().length) {
          tool.say("Choose at least one skill first.");
          goToOpen([choices]);
          return;
        }
        plan().begun = true;
        tool.save();
        tool.refresh("textarea");
      }, { class: "cb-main" }),
    );
  }

  function writing() {
    const count = el("span", { class: "cb-soft" });
    let below = el("div");
    const box = el("textarea", {
      rows: "6",
      maxlength: "2000",
      oninput() {
        written[shown] = box.value;
        tally();
        const isOld = Object.keys(plan().checks).length > 0;
        const isEmpty = plan().checking && !box.value.trim();
        if (isEmpty) drop();
        else if (isOld) setAside();
        if (tool.state.words || isOld || isEmpty) tool.save();
        if (isOld || isEmpty) below = replace(below, next());
        if (isEmpty) tool.say("The message is empty now, so its checks are gone.");
        else if (isOld) tool.say("You changed the message, so the checklist is open again.");
      },
    });
    const tally = () => {
      count.textContent = plural(box.value.split(/\s+/).filter(Boolean).length, "word");
    };
    const line = el("label", { class: "cb-line" }, el("span", null, "Your message"), box);
    const next = () =>
      plan().checking
        ? checking()
        : button("Go through the checklist", () => {
            if (!box.value.trim()) {
              tool.say("Write a sentence or two first.");
              goToOpen([line]);
              return;
            }
            plan().checking = true;
            tool.save();
            tool.refresh(HEADING);
          }, { class: "cb-main" });
    box.value = written[shown] || "";
    tally();
    below = next();
    return el("div", null, planned(), line, el("p", { class: "cb-buttons" }, count, again()), below);
  }

  const names = (ids) => ids.map((id) => skills.get(id).name).join(", ");

  const planned = () => el("p", null, el("strong", null, "Your plan: "), names(plan().skills), ".");

  /** The message is another one now: what was checked is no longer about it. */
  function setAside() {
    const before = { ...plan().before };
    for (const [skill, checks] of Object.entries(plan().checks)) {
      before[skill] = { ...before[skill], ...checks };
    }
    Object.assign(plan(), { before, checks: {} });
  }

  function drop() {
    Object.assign(plan(), { before: {}, checks: {}, checking: false });
  }

  function again() {
    const question = {
      question: "Delete this message with its plan and checks?",
      yes: "Yes, delete",
      no: "Keep it",
    };
    return asking("Start this message again", question, () => {
      delete tool.state.plans[shown];
      delete written[shown];
      tool.save();
      tool.refresh(HEADING, "The message, its plan and its checks are deleted.");
    });
  }

  /** A message that was checked on an earlier visit, and went when the page closed. */
  function gone() {
    const told = Object.entries(plan().checks).map(
      ([id, checks]) => `${skills.get(id).name} (${Object.values(checks).join(", ")})`,
    );
    return el(
      "div",
      null,
      planned(),
      el(
        "p",
        null,
        "You have written a message here before. It went when the page closed; what you checked " +
          `in it is kept: ${told.join("; ") || "nothing yet"}.`,
      ),
      el(
        "p",
        { class: "cb-buttons" },
        button("Write another one, with this plan", () => {
          drop();
          written[shown] = "";
          tool.save();
          tool.refresh("textarea");
        }, { class: "cb-main" }),
        again(),
      ),
    );
  }

  function checking() {
    const others = data.skills.filter(({ id }) => !plan().skills.includes(id));
    return el(
      "div",
      null,
      el("h3", { tabindex: "-1", "data-focus": true }, "The checklist"),
      el(
        "p",
        null,
        "You answer, nobody else. Your message stays above. If you change it, the checklist opens " +
          "again, because a check is about the words that it was made of. There is no verdict " +
          "here: neither a program nor a checklist can tell whether a message would work; " +
          "that depends on the person who gets it. If you can, swap messages with somebody.",
      ),
      holding(),
      plan().skills.map((id) => list(skills.get(id))),
      folded("Skills that you didn't choose", false, others.map(list)),
    );
  }

  /** After a small change of the message, what was checked before may still be right. */
  function holding() {
    const before = plan().before || {};
    if (!Object.keys(before).length) return null;
    return el(
      "p",
      null,
      button("My answers from before the change still hold", () => {
        const { checks } = plan();
        for (const id of Object.keys(before)) checks[id] = { ...before[id], ...checks[id] };
        plan().before = {};
        tool.save();
        tool.refresh(HEADING);
      }),
    );
  }

  function list(skill) {
    return el(
      "div",
      { class: "cb-list-of" },
      el("h4", null, skill.name),
      skill.questions.map((question, i) => {
        const now = plan().checks[skill.id]?.[i];
        const before = !now && plan().before?.[skill.id]?.[i];
        return choice({
          legend: [question, before && el("em", { class: "cb-open" }, ` before your change: ${before}`)],
          kind: "cb-scale",
          options: data.checks.map((check) => [check, check]),
          value: now,
          change(check) {
            plan().checks[skill.id] = { ...plan().checks[skill.id], [i]: check };
            tool.save();
          },
        });
      }),
      folded(
        "What experts marked: two messages",
        false,
        skill.examples.map((example) => [
          el(
            "p",
            null,
            el("strong", null, `${example.label}. `),
            !example.note && `The situation: ${example.situation}`,
          ),
          example.note && announced(example.situation, example.note, opened, "The situation."),
          quote(example.text),
          example.suggestion && el("p", null, el("strong", null, "Suggestion: "), example.suggestion),
          example.rewrite && el("p", null, el("strong", null, "Rewrite: "), example.rewrite),
        ]),
      ),
    );
  }

  // --- The whole ----------------------------------------------------------------------------------

  function page() {
    const situation = situations.get(shown);
    const { begun, checking: checked } = tool.state.plans[shown] || {};
    const isHere = shown in written;
    return el(
      "div",
      { class: "cb-page" },
      el(
        "div",
        { class: "cb-turn" },
        dropdown({
          label: "Situation",
          value: shown,
          options: data.situations.map(({ id, category }, i) => [
            id,
            `${i + 1} of ${data.situations.length}, ${category}` +
              (tool.state.plans[id]?.begun ? ", begun" : ""),
          ]),
          change(id) {
            shown = id;
            tool.refresh(TURN, `The ${situations.get(id).category} situation is shown.`);
          },
        }),
      ),
      el("h3", { tabindex: "-1", "data-focus": !isHere || !checked }, "The situation"),
      el("p", { class: "cb-soft" }, "Imagine that it is yours. In the words of who is in it:"),
      situation.note ? announced(situation.text, situation.note, opened) : quote(situation.text),
      !begun ? planning() : checked && !isHere ? gone() : writing(),
    );
  }

  return tool.start();
}

export default { render };
