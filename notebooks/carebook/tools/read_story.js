// Read a story as another person: answer what the observers answered, then see all views together.

function render({ model, el: place }) {
  const data = JSON.parse(model.get("_data"));
  const dimensions = data.groups.flatMap((group) => group.statements.map(([name]) => name));
  const askedIds = data.asked.map(({ id }) => id);
  const askedText = new Map(data.asked.map(({ id, question }) => [id, question]));
  const labels = new Set(data.labels.flatMap(([, names]) => names));
  const stories = new Map(data.stories.map((story) => [story.id, story]));
  const whole = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

  function isReading({ ratings, levels, labels: chosen, reasons, done: isDone }) {
    const rated = Object.entries(ratings);
    const felt = Object.entries(levels);
    return (
      rated.every(([name, n]) => dimensions.includes(name) && whole(n, 1, 5)) &&
      felt.every(([name, n]) => data.levels.includes(name) && whole(n, 0, 6)) &&
      (!isDone || rated.length + felt.length === dimensions.length + data.levels.length) &&
      chosen.every((label) => labels.has(label)) &&
      Object.entries(reasons || {}).every(
        ([name, text]) => name in data.questions && typeof text === "string",
      )
    );
  }

  const isValid = ({ readings }) =>
    Object.entries(readings).every(
      ([id, byAsked]) =>
        stories.has(id) &&
        Object.entries(byAsked).every(([each, found]) => askedIds.includes(each) && isReading(found)),
    );

  let shown = data.stories[0].id;
  let asked = {}; // story -> the question on show
  let spoken = {}; // story and question -> sentences, for this visit
  const opened = new Set(); // texts with a content note that the reader has opened
  const tool = practise({
    model,
    place,
    data,
    name: "read_story",
    title: "Read a story as another person",
    what: "answers",
    blank: () => ({ readings: {}, words: false }),
    isValid,
    page,
    answers,
    saved: () => ({ answers: answers() }),
    read,
    sheet: () => [["sample_id", "asked", ...data.levels, ...dimensions, ...labels], rows()],
    free: () =>
      tick({
        label: "Keep my sentences as well, and put them into the JSON file (else they go when the page closes)",
        checked: tool.state.words,
        change(on) {
          tool.state.words = on;
          tool.save();
        },
      }),
    ready() {
      for (const [id, byAsked] of Object.entries(tool.state.readings)) {
        for (const [question, each] of Object.entries(byAsked)) {
          if (tool.state.words) each.reasons = sentences(id, question);
          else delete each.reasons;
        }
      }
    },
    settle(isOther) {
      // What another view keeps is newer than what this one shows.
      if (isOther || tool.state.words) spoken = {};
      if (isOther) [shown, asked] = [data.stories[0].id, {}];
    },
  });

  const of = (id, question) => (tool.state.readings[id] || {})[question];
  const done = (id, question) => Boolean(of(id, question)?.done);

  function reading(id, question) {
    tool.state.readings[id] ??= {};
    tool.state.readings[id][question] ??= { ratings: {}, levels: {}, labels: [], done: false };
    return tool.state.readings[id][question];
  }

  function sentences(id, question) {
    const key = `${id}/${question}`;
    spoken[key] ??= { ...(of(id, question)?.reasons || {}) };
    return spoken[key];
  }

  function answers() {
    return data.stories.flatMap(({ id }) =>
      askedIds
        .filter((question) => done(id, question))
        .map((question) => {
          const { ratings, levels, labels: chosen, reasons } = of(id, question);
          return { sample_id: id, asked: question, ratings, levels, labels: chosen, reasons: reasons || {} };
        }),
    );
  }

  /** The answers of a file as a state; what isn't an answer to these stories fails. */
  function read({ answers: given }) {
    const readings = Object.fromEntries(data.stories.map(({ id }) => [id, {}]));
    for (const { sample_id, asked: question, ratings, levels, labels: chosen, reasons } of given) {
      if (!stories.has(sample_id)) throw new RangeError(sample_id);
      readings[sample_id][question] = { ratings, levels, labels: chosen, reasons, done: true };
    }
    return { readings, words: given.some(({ reasons }) => Object.keys(reasons).length > 0) };
  }

  // --- Asking -------------------------------------------------------------------------------------

  function form(story, question) {
    const mine = reading(story.id, question);
    const own = sentences(story.id, question);
    const who = question === "writer" ? "the writer" : "you, had it happened to you";
    const count = () =>
      `${Object.keys(mine.ratings).length} of ${dimensions.length} statements rated.`;
    const tally = el("p", { class: "cb-progress" }, count());
    const lines = Object.entries(data.questions).map(([name, text]) => {
      const box = el("input", {
        type: "text",
        value: own[name] || "",
        maxlength: "500",
        oninput: () => {
          own[name] = box.value;
          if (tool.state.words) tool.save();
        },
      });
      return el("label", { class: "cb-line" }, el("span", null, text), box);
    });
    const groups = data.groups.map((group) => [
      el("h4", null, group.name),
      group.statements.map(([name, text]) =>
        choice({
          legend: text,
          kind: "cb-scale",
          options: data.agreement.map((spoken, i) => [i + 1, String(i + 1), spoken]),
          value: mine.ratings[name],
          change(value) {
            mine.ratings[name] = value;
            tool.save();
            tally.textContent = count();
          },
        }),
      ),
    ]);
    const emotions = data.labels.map(([title, names]) =>
      el(
        "fieldset",
        { class: "cb-choice" },
        el("legend", null, title),
        el(
          "div",
          { class: "cb-options cb-many" },
          names.map((name) =>
            tick({
              label: name,
              checked: mine.labels.includes(name),
              change(on) {
                mine.labels = mine.labels.filter((each) => each !== name);
                if (on) mine.labels.push(name);
                tool.save();
              },
            }),
          ),
        ),
      ),
    );
    const levels = data.levels.map((name, i) =>
      choice({
        legend: ["How strong were the positive feelings?", "How strong were the negative feelings?"][i],
        kind: "cb-scale",
        options: data.intensity.map((spoken, n) => [n, String(n), spoken]),
        value: mine.levels[name],
        change(value) {
          mine.levels[name] = value;
          tool.save();
        },
      }),
    );
    const statements = data.groups.flatMap((group) => group.statements);
    const compare = button("See all views", () => {
      const open = statements.filter(([name]) => !mine.ratings[name]);
      const unset = data.levels.filter((name) => !(name in mine.levels));
      if (open.length || unset.length) {
        const first = open.length ? `The first is \u201c${open[0][1]}\u201d ` : "";
        tool.say(
          `Still open: ${plural(open.length, "statement")} and ` +
            `${plural(unset.length, "intensity", "intensities")}. ${first}` +
            "Emotions may stay without a tick.",
        );
        goToOpen([
          ...groups.flatMap(([, scales]) => scales).filter((_, i) => open.includes(statements[i])),
          ...levels.filter((_, i) => unset.includes(data.levels[i])),
        ]);
        return;
      }
      mine.done = true;
      tool.save();
      tool.refresh(HEADING);
    }, { class: "cb-main" });
    return el(
      "div",
      null,
      el("h3", { tabindex: "-1", "data-focus": true }, askedText.get(question)),
      el("p", null, `In each statement, \u201cme\u201d and \u201cI\u201d are ${who}.`),
      el("h4", null, "Five questions, a line for each, if you like"),
      lines,
      el("h4", null, "Twenty-two statements"),
      el("p", { class: "cb-soft" }, `1 ${data.agreement[0].toLowerCase()}, 5 ${data.agreement[4].toLowerCase()}.`),
      groups,
      tally,
      el("h4", null, "Emotions"),
      emotions,
      levels,
      el("p", { class: "cb-soft" }, `0 ${data.intensity[0].toLowerCase()}, 6 ${data.intensity[6].toLowerCase()}.`),
      compare,
    );
  }

  // --- Comparing ----------------------------------------------------------------------------------

  const profile = (id, question) => dimensions.map((name) => of(id, question).ratings[name]);

  function stands(value, others) {
    if (value > Math.max(...others)) return "above all five";
    if (value < Math.min(...others)) return "below all five";
    return "among the five";
  }

  /** One cell of a scale: who answered this, for the eye in letters, for the ear in words. */
  function cell(value, { mine, also, writer, observers }) {
    const many = observers.filter((each) => each === value).length;
    const seen = [
      writer === value && el("b", { class: "cb-writer" }, "W"),
      mine === value && el("b", { class: "cb-you" }, "Y"),
      also === value && el("b", { class: "cb-also" }, "y"),
      "\u2022".repeat(many),
    ];
    const heard = [
      writer === value && "the writer",
      mine === value && "you",
      also === value && "you, asked the other way",
      many > 0 && plural(many, "observer"),
    ].filter(Boolean);
    return [
      el(
        "span",
        { "aria-hidden": "true", class: heard.length ? null : "cb-empty" },
        heard.length ? seen.filter(Boolean) : value,
      ),
      el("span", { class: "cb-unseen" }, heard.join(", ") || "nobody"),
    ];
  }

  function strips(story, question, other) {
    const scale = [1, 2, 3, 4, 5];
    const mine = profile(story.id, question);
    const also = other && profile(story.id, other);
    const rows = data.groups
      .flatMap((group) => group.statements)
      .map(([, text], i) => {
        const at = {
          mine: mine[i],
          also: also && also[i],
          writer: story.writer.ratings[i],
          observers: story.observers.map((each) => each.ratings[i]),
        };
        return [text, ...scale.map((value) => cell(value, at)), stands(mine[i], at.observers)];
      });
    return table({
      caption:
        "W the writer, \u2022 an observer, Y you" + (other ? ", y you, asked the other way" : "") +
        "; from 1 (strongly disagree) to 5 (strongly agree)",
      head: ["Statement", ...scale.map(String), "You stand"],
      rows,
      kind: "cb-strips",
    });
  }

  function distances(story, question, other) {
    const writer = story.writer.ratings;
    const row = (name, who, ratings) => [
      who,
      figure(distance(ratings, writer), 2, `distance ${name}`),
      figure(correlation(ratings, writer), 2, `similarity ${name}`),
    ];
    const mine = [question, other].filter(Boolean);
    return table({
      caption: "Over the 22 statements, held against the writer's answers",
      head: ["Who answers", "Mean distance, in points", "Correlation"],
      rows: [
        ...mine.map((each) =>
          row(each, `You, asked \u201c${askedText.get(each)}\u201d`, profile(story.id, each))),
        ...story.observers.map((each, i) => row(`observer ${i + 1}`, `Observer ${i + 1}`, each.ratings)),
        row("typical", "Nobody in particular: what writers of other stories answer on average", story.typical),
      ],
    });
  }

  function feelings(story, question, other) {
    const mine = of(story.id, question);
    const also = other && of(story.id, other);
    const levels = data.levels.map((name, i) => {
      const at = {
        mine: mine.levels[name],
        also: also && also.levels[name],
        writer: story.writer.levels[i],
        observers: story.observers.map((each) => each.levels[i]),
      };
      return [
        ["Positive", "Negative"][i],
        ...data.intensity.map((_, value) => cell(value, at)),
        stands(at.mine, at.observers),
      ];
    });
    const named = data.labels
      .flatMap(([, names]) => names)
      .map((label) => {
        const many = story.observers.filter((each) => each.labels.includes(label)).length;
        const own = [mine, also].map((each) => each && each.labels.includes(label));
        return [label, story.writer.labels.includes(label), own[0], own[1], many];
      })
      .filter(([, ...anyone]) => anyone.some(Boolean));
    return [
      table({
        caption: "How strong the feelings were, from 0 (not at all) to 6 (extremely)",
        head: ["Feelings", ...data.intensity.map((_, value) => String(value)), "You stand"],
        rows: levels,
        kind: "cb-strips cb-of-7",
      }),
      table({
        caption: "Emotions that anybody named",
        head: ["Emotion", "Writer", "You", ...(other ? ["You, other way"] : []), "How many of five"],
        rows: named.map(([label, writer, me, again, many]) => [
          label,
          writer ? "yes" : "no",
          me ? "yes" : "no",
          ...(other ? [again ? "yes" : "no"] : []),
          String(many),
        ]),
      }),
    ];
  }

  function reasons(story, question) {
    const own = sentences(story.id, question);
    return Object.entries(data.questions).map(([name, text]) => [
      el("h4", null, text),
      own[name] && el("p", null, el("strong", null, "You: "), own[name]),
      el("p", null, el("strong", null, "The writer: "), story.writer.reasons[name]),
    ]);
  }

  function views(story, question) {
    const other = askedIds.find((each) => each !== question && done(story.id, each));
    const mine = profile(story.id, question);
    const within = mine.filter(
      (value, i) => stands(value, story.observers.map((each) => each.ratings[i])) === "among the five",
    ).length;
    return el(
      "div",
      null,
      el("h3", { tabindex: "-1", "data-focus": true }, "The writer, five observers, and you"),
      el("p", null, data.simulated),
      strips(story, question, other),
      el(
        "p",
        null,
        "On ",
        figure(within, 0, "within"),
        ` of ${dimensions.length} statements you stand among the five observers. `,
        "Where you stand apart from them you may have missed something, or seen something.",
      ),
      distances(story, question, other),
      el(
        "p",
        null,
        "The last row has read nothing. It shows how near one comes by knowing what people usually " +
          "answer, and an average lies nearer to anybody than one person's answers do. What is " +
          "nearer still may come from this story. But one story can't tell a good reader from a " +
          "lucky one, and how somebody uses a scale from 1 to 5 moves all these numbers, so none " +
          "of them says how empathic anybody is.",
      ),
      changed(story, question, other),
      feelings(story, question, other),
      el("h3", null, "Reasons"),
      reasons(story, question),
    );
  }

  /** What the other instruction changes, or the offer to try it. */
  function changed(story, question, other) {
    const next = askedIds.find((each) => each !== question);
    if (!other) {
      return el(
        "p",
        null,
        button(`Answer again: \u201c${askedText.get(next)}\u201d`, () => {
          asked[story.id] = next;
          tool.refresh(HEADING);
        }, { class: "cb-main" }),
      );
    }
    const [writer, self] = ["writer", "self"].map((each) => profile(story.id, each));
    const moved = writer.filter((value, i) => value !== self[i]).length;
    return el(
      "p",
      null,
      "Asked the two ways, you gave another answer on ",
      figure(moved, 0, "moved"),
      ` of ${dimensions.length} statements. From the writer's answers you are `,
      figure(distance(writer, story.writer.ratings), 2),
      " points away when asked about the writer, and ",
      figure(distance(self, story.writer.ratings), 2),
      " when asked about yourself. The second is no worse an answer: the writer is not its measure. " +
        "Which of the two questions observers of the real data answered, their documentation leaves open.",
    );
  }

  // --- The whole ----------------------------------------------------------------------------------

  function page() {
    const story = stories.get(shown);
    const question = asked[shown] || askedIds.find((each) => done(shown, each))
      || askedIds.find((each) => of(shown, each));
    const answered = (id) => askedIds.some((each) => done(id, each));
    return el(
      "div",
      { class: "cb-page" },
      el(
        "div",
        { class: "cb-turn" },
        dropdown({
          label: "Story",
          value: shown,
          options: data.stories.map(({ id }, i) => [
            id,
            `${i + 1} of ${data.stories.length}${answered(id) ? ", answered" : ""}`,
          ]),
          change(id) {
            shown = id;
            tool.refresh(TURN, `Story ${data.stories.findIndex((each) => each.id === id) + 1} is shown.`);
          },
        }),
      ),
      el("h3", { tabindex: "-1", "data-focus": !question }, "The story"),
      story.note ? announced(story.text, story.note, opened) : quote(story.text),
      choice({
        legend: "What do you want to be asked?",
        options: data.asked.map(({ id, question: text }) => [id, text + (done(shown, id) ? " (answered)" : "")]),
        value: question,
        change(id) {
          asked[shown] = id;
          tool.refresh(
            ".cb-asked :checked",
            `Below: ${done(shown, id) ? "all views of the story" : "what an observer answers"}, asked ` +
              `\u201c${askedText.get(id)}\u201d`,
          );
        },
        kind: "cb-asked",
      }),
      question && (done(shown, question) ? views(story, question) : form(story, question)),
    );
  }

  function rows() {
    return answers().map((each) => [
      each.sample_id,
      each.asked,
      ...data.levels.map((name) => each.levels[name]),
      ...dimensions.map((name) => each.ratings[name]),
      ...[...labels].map((label) => each.labels.includes(label)),
    ]);
  }

  return tool.start();
}

export default { render };
