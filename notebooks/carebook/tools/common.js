// What the practice tools have in common: building the page, keeping answers on this device,
// files to take away, and the arithmetic of carebook.resampling and carebook.kappa.
// Text from data only ever enters the page as text nodes; nothing here reads or writes HTML.

// --- Building the page ---------------------------------------------------------------------------

let counted = 0;
const unique = (name) => `cb-${name}-${(counted += 1)}`;

const TAKES_KEYS = new Set(["button", "input", "select", "summary", "textarea"]);

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  // Jupyter's one-letter shortcuts would delete a cell while somebody works in this one.
  if (TAKES_KEYS.has(tag) || attributes?.tabindex) node.dataset.lmSuppressShortcuts = "true";
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

/** A text from the data, one paragraph for each of its lines. */
function words(text, attributes) {
  const lines = String(text).split("\n").filter((line) => line.trim());
  return lines.map((line) => el("p", attributes, line));
}

function quote(text) {
  return el("blockquote", { class: "cb-quote" }, words(text));
}

function folded(title, open, ...children) {
  return el("details", { class: "cb-folded", open }, el("summary", null, title), ...children);
}

/** A text that its content note announces: folded until the reader opens it, and open from then on. */
function announced(text, note, opened, title = "") {
  const fold = folded(`${title} ${note} Open to read it.`.trim(), opened.has(text), quote(text));
  fold.addEventListener("toggle", () => (fold.open ? opened.add(text) : opened.delete(text)));
  return fold;
}

function button(text, onclick, attributes) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A question with one answer: a group of radio buttons. Options are [value, text, spoken?]. */
function choice({ legend, options, value, disabled, change, more, name = unique("choice"), kind = "" }) {
  const buttons = options.map(([each, text, spoken]) =>
    el(
      "label",
      { class: "cb-option" },
      el("input", {
        type: "radio",
        name,
        value: each,
        checked: String(each) === String(value ?? ""),
        disabled,
        "aria-label": spoken,
        onchange() {
          group.querySelector(".cb-open")?.remove();
          change(each);
        },
      }),
      el("span", null, text),
    ),
  );
  const group = el(
    "fieldset",
    { class: `cb-choice ${kind}` },
    el("legend", null, legend),
    el("div", { class: "cb-options" }, buttons),
    more,
  );
  return group;
}

function dropdown({ label, options, value, change }) {
  const list = el(
    "select",
    { onchange: () => change(list.value) },
    options.map(([each, text]) =>
      el("option", { value: each, selected: String(each) === String(value) }, text),
    ),
  );
  return el("label", { class: "cb-list" }, el("span", null, label), list);
}

function tick({ label, checked, disabled, change }) {
  const box = el("input", {
    type: "checkbox",
    checked,
    disabled,
    onchange: () => change(box.checked),
  });
  return el("label", { class: "cb-option cb-tick" }, box, el("span", null, label));
}

/** Mark what is still open, and go to the first of it. */
function goToOpen(open) {
  for (const group of open) {
    const legend = group.querySelector("legend");
    if (legend && !legend.querySelector(".cb-open")) {
      legend.append(el("em", { class: "cb-open" }, " still open"));
    }
  }
  open[0].scrollIntoView({ block: "center" });
  open[0].querySelector("input, textarea").focus({ preventScroll: true });
}

/** A table; a cell is text, a node, or a list of both. Where it scrolls, it takes the keyboard. */
function table({ caption, head, rows, kind = "" }) {
  const box = el(
    "div",
    { class: "cb-scroller" },
    el(
      "table",
      { class: kind },
      el("caption", null, caption),
      el("thead", null, el("tr", null, head.map((cell) => el("th", { scope: "col" }, cell)))),
      el(
        "tbody",
        null,
        rows.map(([first, ...rest]) =>
          el(
            "tr",
            null,
            el("th", { scope: "row" }, first),
            rest.map((cell) => el("td", null, cell)),
          ),
        ),
      ),
    ),
  );
  const scrolling = { tabindex: "0", role: "region", "aria-label": caption, "data-lm-suppress-shortcuts": "true" };
  new ResizeObserver(() => {
    const scrolls = box.scrollWidth > box.clientWidth;
    for (const [name, value] of Object.entries(scrolling)) {
      if (scrolls) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }).observe(box);
  return box;
}

/** A number as the book writes it, with its full value for whoever wants to hold it against. */
function figure(value, digits = 2, name = null) {
  const known = typeof value === "number" && !Number.isNaN(value);
  const text = known ? value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1") : "no value";
  return el(
    "span",
    { "data-name": name, "data-value": known ? value : "NaN" },
    text.replace("-", "\u2212"),
  );
}

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Put a part in the place of another, and the keyboard's focus on what is named in it. */
function replace(old, made, focus = null) {
  old.replaceWith(made);
  const target = focus && made.querySelector(focus);
  if (target) {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  }
  return made;
}

/** A button that asks, where it needs to, before it does what can't be taken back. */
function asking(text, { question, yes, no, needed = () => true }, act) {
  const ask = button(text, () => {
    if (!needed()) {
      act();
      return;
    }
    const keep = button(no, () => {
      replace(sure, ask);
      ask.focus();
    });
    const sure = el(
      "span",
      {
        class: "cb-sure",
        role: "group",
        "aria-label": question,
        onkeydown: ({ key }) => key === "Escape" && keep.click(),
      },
      el("span", null, question),
      button(yes, () => {
        replace(sure, ask);
        ask.focus();
        act();
      }),
      keep,
    );
    replace(ask, sure);
    keep.focus();
  });
  return ask;
}

// --- Keeping answers on this device --------------------------------------------------------------

/** Keeps one tool's answers in the browser. The key names the layout and the data they belong to. */
function keeper(tool, fingerprint, blank, isValid) {
  const key = `carebook.tools.v1.${tool}.${fingerprint}`;
  const changed = () => dispatchEvent(new CustomEvent("carebook-kept", { detail: key }));
  const fresh = () => {
    const number = crypto.getRandomValues(new Uint32Array(1))[0];
    return { reader: number.toString(16).padStart(8, "0"), ...blank() };
  };
  /** What was kept or saved, if it can be trusted. */
  function trusted(kept) {
    try {
      if (/^[0-9a-f]{8}$/.test(kept.reader) && isValid(kept)) return kept;
    } catch {
      // It has another shape.
    }
    return null;
  }
  return {
    trusted,
    load() {
      try {
        return trusted(JSON.parse(localStorage.getItem(key))) ?? fresh();
      } catch {
        // It can't be read, or the browser doesn't allow it: begin anew.
        return fresh();
      }
    },
    /** Whether the browser keeps anything for this page; nothing is left behind. */
    works() {
      try {
        localStorage.setItem(`${key}?`, "");
        localStorage.removeItem(`${key}?`);
        return true;
      } catch {
        return false;
      }
    },
    save(state) {
      try {
        localStorage.setItem(key, JSON.stringify(state));
      } catch {
        return false;
      }
      changed();
      return true;
    },
    erase() {
      try {
        localStorage.removeItem(key);
        changed();
      } catch {
        // What can't be kept needn't be erased.
      }
      return fresh();
    },
    /** Call when another tab, or another view in this one, has changed what is kept. */
    watch(seen) {
      const look = ({ key: name, detail }) => {
        if ((name === undefined ? detail : (name ?? key)) === key) seen();
      };
      const kinds = ["storage", "carebook-kept"];
      kinds.forEach((kind) => addEventListener(kind, look));
      return () => kinds.forEach((kind) => removeEventListener(kind, look));
    },
  };
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function csv(head, rows) {
  const cell = (value) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

// --- The frame of a tool -------------------------------------------------------------------------

const HEADING = "[data-focus]";
const TURN = ".cb-turn select";

/**
 * Run one tool in a page: keep its answers, share them with Python, say what happens, and end it.
 *
 * A tool says of itself: its name, title, and what its answers are called; blank(), the state of
 * somebody who has done nothing, and isValid(state); page(), the part that changes; answers(), for
 * Python; saved() and read(saved), what its file holds and the state that this stands for; sheet(),
 * the head and the rows of its table. It may have: above; free(), the tick that keeps free text;
 * results(); ready(), before a change is kept; settle(isOther), when the state is another one,
 * or the same one changed in another view.
 */
function practise({ model, place, data, name, title, what, blank, isValid, ...own }) {
  const kept = keeper(name, data.fingerprint, blank, isValid);
  let isKept = kept.works();
  let isMine = false;
  // One live region, which stays in its place: what is said in a new one may not be read out.
  const said = el("p", { role: "status", class: "cb-status" });
  const tool = { state: kept.load(), say, save, refresh, start };
  let [body, results, end] = [el("div"), el("div"), el("div")];

  function say(sentence) {
    said.textContent = sentence;
  }

  function share() {
    model.set("_answers", own.answers());
    model.save_changes();
  }

  function save() {
    own.ready?.();
    const before = isKept;
    isMine = true;
    isKept = kept.save(tool.state);
    isMine = false;
    say(isKept === before ? "" : keeping());
    if (isKept !== before) end = replace(end, ending());
    share();
  }

  /** Show all of it anew, put the focus on what a selector names, and say a sentence. */
  function refresh(focus = null, sentence = "") {
    results = replace(results, own.results?.() ?? el("div"));
    end = replace(end, ending());
    body = replace(body, own.page(), focus);
    say(sentence);
  }

  function become(state, isOther, sentence) {
    tool.state = state;
    own.settle?.(isOther);
    share();
    refresh(isOther ? HEADING : null, sentence);
  }

  function erase() {
    isMine = true;
    const state = kept.erase();
    isMine = false;
    become(state, true, `All ${what} of this tool on this device are erased.`);
  }

  const file = () => ({
    carebook: name,
    version: 1,
    data: data.fingerprint,
    reader: tool.state.reader,
    ...own.saved(),
  });

  /** What a file holds, as a state; a sentence instead where it can't be taken. */
  function fromFile(text) {
    try {
      const saved = JSON.parse(text);
      if (saved.carebook === name && saved.version === 1) {
        if (saved.data !== data.fingerprint) {
          return "This file belongs to other texts than those shown here. Nothing was changed.";
        }
        const state = kept.trusted({ ...own.read(saved), reader: saved.reader });
        if (state) return state;
      }
    } catch {
      // It is not JSON, or of another shape.
    }
    return "This is no file of this tool, or it is damaged. Nothing was changed.";
  }

  function pick() {
    const input = el("input", { type: "file", accept: ".json" });
    input.onchange = async () => {
      const [chosen] = input.files;
      const state = fromFile(chosen.size < 2 ** 20 ? await chosen.text() : "");
      if (typeof state === "string") {
        say(state);
        return;
      }
      tool.state = state;
      own.settle?.(true);
      save();
      refresh(HEADING, `The ${what} of the file are here now.`);
    };
    input.click();
  }

  const keeping = () =>
    isKept
      ? `Your ${what} are kept in this browser, on this device, and go nowhere else. `
      : "This browser keeps nothing for this page: save a file before you leave. ";

  /** What is kept where, files to take away and to bring back, and a way to erase it all. */
  function ending() {
    const called = `carebook-${name.replace("_", "-")}`;
    const files = [
      button("Save as JSON", () =>
        download(`${called}.json`, "application/json", JSON.stringify(file(), null, 1))),
      button("Save as CSV", () => download(`${called}.csv`, "text/csv", csv(...own.sheet()))),
    ];
    const isBlank = () =>
      JSON.stringify({ ...tool.state, reader: 0 }) === JSON.stringify({ reader: 0, ...blank() });
    const load = {
      question: `The ${what} of the file will replace those that are here.`,
      yes: "Choose the file",
      no: "Keep these",
      needed: () => !isBlank(),
    };
    const gone = {
      question: `Erase all ${what} of this tool on this device?`,
      yes: "Yes, erase",
      no: "Keep them",
    };
    return el(
      "div",
      { class: "cb-ending" },
      el("p", null, keeping(), own.free?.()),
      el(
        "p",
        { class: "cb-buttons" },
        files,
        asking("Load a saved file", load, pick),
        asking(`Erase my ${what}`, gone, erase),
      ),
    );
  }

  function start() {
    const about = el("p", { class: "cb-soft" }, data.about);
    const whole = el("section", { class: "cb-tool", "aria-label": title });
    whole.append(...[about, own.above, body, results, end, said].filter(Boolean));
    // What was said is over when the reader goes on; said once more, it is read out once more.
    whole.addEventListener("click", () => say(""), true);
    place.append(whole);
    own.settle?.(true);
    share();
    refresh();
    return kept.watch(() => {
      const sentence = `Your ${what} were changed in another view of this page: here they are.`;
      if (!isMine) become(kept.load(), false, sentence);
    });
  }

  return tool;
}

// --- Arithmetic ----------------------------------------------------------------------------------

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean distance of two profiles, over the items that both have. */
const distance = (one, other) => mean(one.map((value, i) => Math.abs(value - other[i])));

/** Correlation of two profiles; NaN where one of them is flat. */
function correlation(one, other) {
  const [a, b] = [one, other].map((profile) => {
    const middle = mean(profile);
    return profile.map((value) => value - middle);
  });
  const product = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  const scale = Math.sqrt(product(a, a) * product(b, b));
  return scale > 1e-12 ? product(a, b) / scale : NaN;
}

/** NumPy's generator PCG64 from a given state, as whole numbers below a limit. */
function generator(start) {
  const half = (1n << 64n) - 1n;
  const whole = (1n << 128n) - 1n;
  const multiplier = 0x2360ed051fc65da44385df649fccf645n;
  const step = BigInt(start.inc);
  let state = BigInt(start.state);
  let spare = null;
  function next32() {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    state = (state * multiplier + step) & whole;
    const mixed = (state >> 64n) ^ (state & half);
    const turn = state >> 122n;
    const drawn = ((mixed >> turn) | (mixed << ((64n - turn) & 63n))) & half;
    spare = Number(drawn >> 32n);
    return Number(drawn & 0xffffffffn);
  }
  // Lemire's method, as NumPy does it: all numbers below the limit are equally likely.
  return function below(limit) {
    if (limit === 1) return 0;
    const refused = (2 ** 32 - limit) % limit;
    let product = next32() * limit;
    while (product % 2 ** 32 < refused) product = next32() * limit;
    return Math.floor(product / 2 ** 32);
  };
}

/** The value at a fractional position of sorted numbers. */
function at(sorted, position) {
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/**
 * Cohen's kappa of two raters, with a bootstrap interval that draws whole groups: the numbers of
 * carebook.kappa.cohen_kappa(first, second, groups), resample by resample.
 */
function cohenKappa(first, second, groups, { start, resamples }) {
  const marks = [...new Set([...first, ...second])];
  const size = marks.length;
  const names = [...new Set(groups)];
  const tables = names.map(() => new Array(size * size).fill(0));
  first.forEach((mark, i) => {
    tables[names.indexOf(groups[i])][marks.indexOf(mark) * size + marks.indexOf(second[i])] += 1;
  });
  function shares(weights) {
    const joint = new Array(size * size).fill(0);
    tables.forEach((cells, g) => cells.forEach((n, c) => { joint[c] += weights[g] * n; }));
    const total = joint.reduce((sum, n) => sum + n, 0);
    let apart = 0;
    let byChance = 0;
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        if (row === column) continue;
        apart += joint[row * size + column];
        const ofRow = mean(joint.slice(row * size, (row + 1) * size)) * size;
        let ofColumn = 0;
        for (let r = 0; r < size; r += 1) ofColumn += joint[r * size + column];
        byChance += ofRow * ofColumn;
      }
    }
    return [apart / total, byChance / total ** 2];
  }
  const [apart, byChance] = shares(names.map(() => 1));
  const found = {
    judgements: first.length,
    groups: names.length,
    agreement: 1 - apart,
    byChance: 1 - byChance,
    kappa: byChance ? 1 - apart / byChance : NaN,
    low: NaN,
    high: NaN,
  };
  if (!byChance || names.length < 2) return found;
  const below = generator(start);
  const draws = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    const weights = names.map(() => 0);
    for (let i = 0; i < names.length; i += 1) weights[below(names.length)] += 1;
    const [observed, expected] = shares(weights);
    if (expected) draws.push(1 - observed / expected);
  }
  draws.sort((a, b) => a - b);
  found.low = at(draws, 0.025 * (draws.length - 1));
  found.high = at(draws, 0.975 * (draws.length - 1));
  return found;
}
