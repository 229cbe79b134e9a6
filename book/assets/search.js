/* Search: looks through the book's sections, terms, figures and helpers, and leads to each by its
   anchor. Where nothing is found it names the nearest words of the book. */
(function () {
  "use strict";
  var MOST = 40, AROUND = 90;
  var address = document.currentScript.dataset.index;
  var field = document.getElementById("search-again");
  var results = document.getElementById("search-results");
  var ways = document.querySelector(".search-ways");
  var asked = (new URLSearchParams(location.search).get("q") || "").trim();
  // Of "What is a gap?" the book is asked for "gap"; where all words are of this kind, for all.
  var ASKING = /^(a|an|and|are|do|does|for|how|i|in|is|of|the|to|what|when|which|why)$/;
  var typed = Array.from(new Set(asked.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []));
  var telling = typed.filter(function (word) { return !ASKING.test(word); });
  var words = telling.length ? telling : typed;

  field.value = asked;
  if (!asked) { field.focus(); return; }

  /* A word is found in its other forms, too: what it ends in is left open. But the p of "p value"
     is no beginning of "people". */
  function stem(word) {
    var short = word.replace(/(ies|ing|ed|es|y)$/, "");
    if (short !== word && short.length > 3) return short;
    short = word.replace(/s$/, "");
    return short.length > 2 ? short : word;
  }
  function pattern(list) {
    var forms = list.map(function (word) {
      return word.length < 3 ? word + "(?![\\p{L}\\p{N}])" : stem(word) + "[\\p{L}\\p{N}]*";
    });
    return "(^|[^\\p{L}\\p{N}])(" + forms.join("|") + ")";
  }
  function count(text, word) {
    return (text.match(new RegExp(pattern([word]), "giu")) || []).length;
  }

  /* How well an entry answers: words in its title say more than words in its text. */
  function score(entry, list) {
    var sum = 0;
    for (var i = 0; i < list.length; i += 1) {
      var named = count(entry.title, list[i]), said = count(entry.text, list[i]);
      if (!named && !said) return 0;
      sum += (named ? 20 : 0) + 2 * Math.log2(1 + said);
    }
    if (entry.title.toLowerCase() === asked.toLowerCase()) sum += 40;
    if (entry.kind === "term" && sum >= 20) sum += 10;
    // Readers look for ideas, unless they type what looks like code.
    return entry.kind === "helper" && !/[_.(]/.test(asked) ? sum / 3 : sum;
  }
  function find(entries, list) {
    return entries.map(function (entry, place) { return [score(entry, list), place, entry]; })
      .filter(function (found) { return found[0] > 0; })
      .sort(function (one, other) { return other[0] - one[0] || one[1] - other[1]; })
      .map(function (found) { return found[2]; });
  }

  function element(name, content, className) {
    var made = document.createElement(name);
    if (className) made.className = className;
    made.append.apply(made, [].concat(content));
    return made;
  }

  /* A piece of text with the words that were looked for marked in it. */
  function marked(text, list) {
    var parts = [], last = 0;
    text.replace(new RegExp(pattern(list), "giu"), function (all, before, hit, at) {
      at += before.length;
      parts.push(text.slice(last, at), element("mark", hit));
      last = at + hit.length;
      return all;
    });
    return parts.concat(text.slice(last));
  }
  function context(text, list) {
    var at = Math.max(0, text.search(new RegExp(pattern(list), "iu")));
    var from = at < AROUND ? 0 : text.indexOf(" ", at - AROUND) + 1;
    var to = text.length <= at + 2 * AROUND ? text.length : text.lastIndexOf(" ", at + 2 * AROUND);
    if (to <= from) to = at + 2 * AROUND;
    var piece = (from ? "… " : "") + text.slice(from, to) + (to < text.length ? " …" : "");
    return marked(piece, list);
  }

  function hit(entry, list) {
    var where = { term: "Glossary", helper: "Helper package" }[entry.kind]
      || (entry.anchor ? entry.page : "Page");
    var link = element("a", [element("span", where, "where"), " ", element("span", marked(entry.title, list))]);
    link.href = entry.address;
    link.addEventListener("click", function () {
      // The page that opens marks the words (book.js).
      try { sessionStorage.setItem("carebook.sought", pattern(list)); } catch (error) { /* none */ }
    });
    var item = element("li", link);
    if (entry.text) item.append(element("p", context(entry.text, list), "context"));
    return item;
  }
  function list(found, by) {
    return element("ul", found.slice(0, MOST).map(function (entry) { return hit(entry, by); }), "search");
  }

  /* How many letters have to be put in, left out, changed or swapped to make one word another. */
  function distance(one, other) {
    var before = [], last = [], row = Array.from({ length: other.length + 1 }, function (_, n) { return n; });
    for (var i = 1; i <= one.length; i += 1) {
      before = last; last = row; row = [i];
      for (var j = 1; j <= other.length; j += 1) {
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] !== other[j - 1]));
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          row[j] = Math.min(row[j], before[j - 2] + 1);
        }
      }
    }
    return row[other.length];
  }
  function nearest(word, entries) {
    var most = word.length < 4 ? 0 : word.length < 7 ? 1 : 2, known = {};
    function note(text, weight) {
      (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) || []).forEach(function (each) {
        known[each] = (known[each] || 0) + weight;
      });
    }
    // A word of a title or a term comes before one that stands in a text alone.
    entries.forEach(function (entry) { note(entry.title, 1000); note(entry.text, 1); });
    return Object.keys(known)
      .filter(function (each) { return Math.abs(each.length - word.length) <= most; })
      .map(function (each) { return [distance(word, each), -known[each], each]; })
      .filter(function (each) { return each[0] <= most; })
      .sort(function (one, other) { return one[0] - other[0] || one[1] - other[1]; })
      .map(function (each) { return each[2]; })
      .filter(function (each, place, all) {
        return all.map(stem).indexOf(stem(each)) === place;  // of several forms, the first
      })
      .slice(0, 3);
  }

  function askFor(text) {
    var link = element("a", text);
    link.href = "?q=" + encodeURIComponent(text);
    return link;
  }
  function nothing(entries) {
    var unknown = words.filter(function (word) {
      return !entries.some(function (entry) { return score(entry, [word]) > 0; });
    });
    var known = words.filter(function (word) { return !unknown.includes(word); });
    var said = unknown.length
      ? "Nothing in this book holds “" + unknown.join("” or “") + "”."
      : "No section of this book holds all of these words.";
    var made = [element("p", said, "search-summary")];
    var meant = unknown.flatMap(function (word) {
      return nearest(word, entries).map(function (near) {
        return words.map(function (each) { return each === word ? near : each; }).join(" ");
      });
    });
    if (meant.length) {
      var line = element("p", "Did you mean ", "search-meant");
      meant.forEach(function (text, place) { line.append(place ? ", or " : "", askFor(text)); });
      line.append("?");
      made.push(line);
    }
    var rest = known.length && unknown.length ? find(entries, known) : [];
    if (rest.length) {
      made.push(element("p", "Found for “" + known.join(" ") + "” alone:"), list(rest, known));
    } else if (!unknown.length) {
      made.push(element("p", ["Try fewer words: "].concat(words.flatMap(function (word, place) {
        return [place ? ", " : "", askFor(word)];
      }), ".")));
    } else {
      made.push(element("p", "Try another form of the word, or one that means the same."));
    }
    return made;
  }

  function answer() {
    var index = window.carebookSearch;
    var entries = index.entries.map(function (row) {
      var page = index.pages[row[0]];
      var entry = { page: page[1], anchor: row[1], kind: row[2], title: row[3], text: row[4] };
      entry.address = page[0] + (entry.anchor ? "#" + entry.anchor : "");
      return entry;
    });
    var found = words.length ? find(entries, words) : [];
    if (!found.length) {
      results.replaceChildren.apply(results, nothing(entries));
      ways.hidden = false;
      return;
    }
    var said = found.length === 1 ? "1 place" : found.length + " places";
    if (found.length > MOST) said += ", the first " + MOST + " of them shown. More words find fewer";
    results.replaceChildren(element("p", said + ".", "search-summary"), list(found, words));
  }

  var script = document.createElement("script");
  script.src = address;
  script.onload = answer;
  script.onerror = function () {
    results.replaceChildren(element("p", "The search’s index could not be loaded. Try again."));
  };
  results.replaceChildren(element("p", "Searching …", "search-summary"));
  document.head.append(script);
})();
