/* Ticks: which sections of the chapters a reader has read, kept on this device alone. */
(function () {
  "use strict";
  var KEY = "carebook.ticks";
  var article = document.querySelector("article[data-chapter]");
  var chapter = article && article.dataset.chapter;

  function load() {
    try { return JSON.parse(localStorage.getItem(KEY)) || {}; } catch (error) { return {}; }
  }
  function save(ticks) {
    try {
      if (Object.keys(ticks).length) localStorage.setItem(KEY, JSON.stringify(ticks));
      else localStorage.removeItem(KEY);
    } catch (error) { /* The ticks then last for this page. */ }
  }
  var ticks = load();

  function tick(section, on) {
    var of = new Set(ticks[chapter] || []);
    if (on) of.add(section);
    else of.delete(section);
    if (of.size) ticks[chapter] = Array.from(of);
    else delete ticks[chapter];
    save(ticks);
    show();
  }

  var sections = article ? Array.from(article.querySelectorAll("article > section > section")) : [];
  sections.forEach(function (section) {
    var heading = section.querySelector("h2");
    if (!heading) return;
    var label = document.createElement("label");
    var box = document.createElement("input");
    var hidden = document.createElement("span");
    label.className = "tick";
    box.type = "checkbox";
    box.dataset.section = section.id;
    box.addEventListener("change", function () { tick(section.id, box.checked); });
    hidden.className = "unseen";
    hidden.textContent = ": " + heading.textContent.replace(/#$/, "");
    label.append(box, "I have read this section", hidden);
    section.append(label);
  });

  var kept = document.querySelector(".ticks-kept");
  var said = kept.querySelector("p"), erase = kept.querySelector("button");
  function show() {
    var all = 0;
    document.querySelectorAll(".contents [data-page]").forEach(function (link) {
      var count = (ticks[link.dataset.page] || []).length;
      var place = link.querySelector(".progress");
      all += count;
      if (!count) { if (place) place.remove(); return; }
      if (!place) {
        place = document.createElement("span");
        place.className = "progress";
        link.append(place);
      }
      place.textContent = count + "/" + link.dataset.sections;
      place.setAttribute("title", count + " of " + link.dataset.sections + " sections read");
    });
    kept.hidden = !all;
    said.textContent =
      all + (all === 1 ? " section" : " sections") + " ticked as read, on this device only.";
    ask(false);
    sections.forEach(function (section) {
      var done = (ticks[chapter] || []).indexOf(section.id) >= 0;
      var box = section.querySelector(".tick input");
      var link = document.querySelector('.page-toc a[href="#' + CSS.escape(section.id) + '"]');
      if (box) box.checked = done;
      if (link) link.parentElement.classList.toggle("done", done);
    });
  }

  /* Erasing asks first, in its own place, and then says what was done. */
  var sure = document.createElement("div");
  sure.append(answer("Yes, erase them", function () {
    ticks = {};
    save(ticks);
    show();
    kept.hidden = false;
    erase.hidden = true;
    said.textContent = "Your ticks are erased.";
    said.tabIndex = -1;
    said.focus();
  }), answer("No, keep them", function () {
    show();
    erase.focus();
  }));
  kept.append(sure);
  function answer(words, act) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", act);
    return button;
  }
  function ask(on) {
    erase.hidden = on;
    sure.hidden = !on;
  }
  erase.addEventListener("click", function () {
    said.textContent = "Erase all ticks, in every chapter? They can’t be brought back.";
    ask(true);
    sure.lastChild.focus();
  });
  window.addEventListener("storage", function (event) {
    if (event.key === KEY) { ticks = load(); show(); }
  });
  show();
})();
