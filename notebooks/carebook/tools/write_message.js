// Write a message: choose skills, then write, then go through a checklist with experts' examples.

function render({ model, el: place }) {
  const data = JSON.parse(model.get("_data"));
  const skills = new Map(data.skills.map((skill) => [skill.id, skill]));
  const situations = new Map(data.situations.map((situation) => [situation.id, situation]));

  function isPlan(plan) {
    return (
      plan.skills.every((skill) => skills.has(skill)) &&
      ["begun", "checking"].every((name) => typeof plan[name] === "boolean") &&
      Object.entries(plan.checks).every(
        ([skill, checks]) =>
          skills.has(skill) &&
          Object.entries(checks).every(
            ([i, check]) => i in skills.get(skill).questions && data.checks.includes(check),
          ),
      ) &&
      ["undefined", "string"].includes(typeof plan.message)
    );
  }

  const isValid = (kept) =>
    Object.entries(kept.plans).every(([id, plan]) => situations.has(id) && isPlan(plan));
  const kept = keeper("write_message", data.fingerprint, () => ({ plans: {}, words: false }), isValid);
  let state = kept.load();
  let isKept = true;
  let shown = data.situations[0].id;
  const written = {}; // situation -> message, for this visit
  for (const [id, plan] of Object.entries(state.plans)) written[id] = plan.message || "";

  function plan(id = shown) {
    state.plans[id] ??= { skills: [], begun: false, checking: false, checks: {} };
    return state.plans[id];
  }

  function save() {
    for (const [id, each] of Object.entries(state.plans)) {
      if (state.words) each.message = written[id] || "";
      else delete each.message;
    }
    isKept = kept.save(state);
    share();
  }

  const answers = () =>
    data.situations
      .filter(({ id }) => state.plans[id]?.begun)
      .flatMap(({ id }) =>
        data.skills.flatMap((skill) =>
          skill.questions.map((question, i) => ({
            conversation_id: id,
            skill: skill.id,
            chosen: state.plans[id].skills.includes(skill.id),
            question,
            check: state.plans[id].checks[skill.id]?.[i] ?? null,
            message_text: state.plans[id].message ?? null,
          })),
        ),
      )
      .filter(({ chosen, check }) => chosen || check);

  function share() {
    model.set("_answers", answers());
    model.save_changes();
  }

  // --- Plan, write, check -------------------------------------------------------------------------

  function planning() {
    const status = el("p", { role: "status", class: "cb-status" });
    return el(
      "div",
      null,
      el(
        "fieldset",
        { class: "cb-choice" },
        el("legend", null, "Before you write: which skills will you try?"),
        data.skills.map((skill) =>
          tick({
            label: `${skill.name}: ${skill.idea}`,
            checked: plan().skills.includes(skill.id),
            change(on) {
              plan().skills = data.skills
                .map(({ id }) => id)
                .filter((id) => (id === skill.id ? on : plan().skills.includes(id)));
              save();
            },
          }),
        ),
      ),
      el("p", { class: "cb-soft" }, "One to three are plenty. Not every situation asks for all seven."),
      button("Now write", () => {
        if (!plan().skills.length) {
          status.textContent = "Choose at least one skill first.";
          return;
        }
        plan().begun = true;
        save();
        refresh(true);
      }, { class: "cb-main" }),
      status,
    );
  }

  function writing() {
    const status = el("p", { role: "status", class: "cb-status" });
    const count = el("span", { class: "cb-soft" });
    const box = el("textarea", {
      rows: "6",
      maxlength: "2000",
      oninput() {
        written[shown] = box.value;
        tally();
        if (state.words) save();
      },
    });
    const tally = () => {
      count.textContent = plural(box.value.split(/\s+/).filter(Boolean).length, "word");
    };
    box.value = written[shown] || "";
    tally();
    const names = plan().skills.map((id) => skills.get(id).name).join(", ");
    return el(
      "div",
      null,
      el("p", null, el("strong", null, "Your plan: "), names, "."),
      el("label", { class: "cb-line" }, el("span", { tabindex: "-1", "data-focus": !plan().checking }, "Your message"), box),
      el("p", { class: "cb-buttons" }, count, " ", again()),
      plan().checking
        ? checking()
        : button("Go through the checklist", () => {
            if (!box.value.trim()) {
              status.textContent = "Write a sentence or two first.";
              return;
            }
            plan().checking = true;
            save();
            refresh(true);
          }, { class: "cb-main" }),
      status,
    );
  }

  function again() {
    return button("Start this message again", () => {
      delete state.plans[shown];
      written[shown] = "";
      save();
      refresh(true);
    });
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
        "You answer, nobody else. Your message stays above: change it as you go. There is no verdict " +
          "here, because neither a program nor a checklist can tell whether a message would work; " +
          "that depends on the person who gets it. If you can, swap messages with somebody.",
      ),
      plan().skills.map((id) => list(skills.get(id))),
      folded("Skills that you didn't choose", false, others.map(list)),
    );
  }

  function list(skill) {
    return el(
      "div",
      { class: "cb-list-of" },
      el("h4", null, skill.name),
      skill.questions.map((question, i) =>
        choice({
          legend: question,
          kind: "cb-scale",
          options: data.checks.map((check) => [check, check]),
          value: plan().checks[skill.id]?.[i],
          change(check) {
            plan().checks[skill.id] = { ...plan().checks[skill.id], [i]: check };
            save();
          },
        }),
      ),
      folded(
        "What experts marked: two messages",
        false,
        skill.examples.map((example) => [
          el("p", null, el("strong", null, `${example.label}. `), "The situation: ", example.situation),
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
    const begun = state.plans[shown]?.begun;
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
            `${i + 1} of ${data.situations.length}, ${category}${state.plans[id]?.begun ? ", begun" : ""}`,
          ]),
          change(id) {
            shown = id;
            refresh(true);
          },
        }),
      ),
      el("h3", { tabindex: "-1", "data-focus": !begun }, "The situation"),
      el("p", { class: "cb-soft" }, "Imagine that it is yours. In the words of who is in it:"),
      quote(situation.text),
      begun ? writing() : planning(),
    );
  }

  function file() {
    const { reader } = state;
    return { carebook: "write_message", version: 1, data: data.fingerprint, reader, answers: answers() };
  }

  function close() {
    const name = "carebook-write-message";
    const head = ["conversation_id", "skill", "chosen", "question", "check", "message_text"];
    return ending({
      what: "plans and checks",
      isKept,
      free: tick({
        label: "Keep my messages as well, and put them into the files (else they go when the page closes)",
        checked: state.words,
        change(on) {
          state.words = on;
          save();
        },
      }),
      files: [
        ["Save as JSON", () =>
          download(`${name}.json`, "application/json", JSON.stringify(file(), null, 1))],
        ["Save as CSV", () => {
          const rows = answers().map((each) => head.map((column) => each[column]));
          download(`${name}.csv`, "text/csv", csv(head, rows));
        }],
      ],
      erase() {
        state = kept.erase();
        Object.keys(written).forEach((id) => delete written[id]);
        shown = data.situations[0].id;
        share();
        refresh(true);
      },
    });
  }

  let [body, end] = [el("div"), el("div")];
  function refresh(focus = false) {
    end = replace(end, close());
    body = replace(body, page(), focus);
  }

  place.append(frame("Write a message", el("p", { class: "cb-soft" }, data.about), body, end));
  share();
  refresh();
}

export default { render };
