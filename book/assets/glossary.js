/* Definitions beside their terms: on hover, on focus, and on tap. */
(function () {
  "use strict";
  var words = window.carebookGlossary || {};
  var box = document.createElement("div");
  var name = document.createElement("strong");
  var text = document.createElement("span");
  var more = document.createElement("a");
  var shown = null, timer = 0;

  box.className = "definition";
  box.id = "definition";
  box.hidden = true;
  box.setAttribute("role", "note");
  more.textContent = "In the glossary";
  box.append(name, text, document.createElement("br"), more);
  document.body.append(box);

  function show(term) {
    clearTimeout(timer);
    var entry = words[term.hash.slice(1)];
    if (!entry) return;
    hide();
    name.textContent = entry[0];
    text.textContent = entry[1];
    more.href = term.href;
    box.hidden = false;
    shown = term;
    term.setAttribute("aria-describedby", "definition");
    var at = term.getClientRects()[0], wide = document.documentElement.clientWidth;
    var left = Math.min(at.left, wide - box.offsetWidth - 16);
    var below = at.bottom + box.offsetHeight + 8 < window.innerHeight;
    box.style.left = Math.max(16, left) + window.scrollX + "px";
    box.style.top = window.scrollY + (below ? at.bottom + 4 : at.top - box.offsetHeight - 4) + "px";
  }
  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    box.hidden = true;
    shown = null;
  }
  function hideSoon() { clearTimeout(timer); timer = setTimeout(hide, 250); }

  document.querySelectorAll("article a").forEach(function (term) {
    if (!term.querySelector(".std-term")) return;
    var byTouch = false;
    term.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") show(term);
    });
    term.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") hideSoon();
    });
    term.addEventListener("pointerdown", function (event) {
      byTouch = event.pointerType !== "mouse";
    });
    term.addEventListener("focus", function () { if (term.matches(":focus-visible")) show(term); });
    term.addEventListener("blur", hideSoon);
    term.addEventListener("click", function (event) {
      if (!byTouch || !words[term.hash.slice(1)]) return;
      event.preventDefault();
      if (shown === term) hide();
      else show(term);
    });
  });
  box.addEventListener("pointerenter", function () { clearTimeout(timer); });
  box.addEventListener("pointerleave", hideSoon);
  box.addEventListener("focusin", function () { clearTimeout(timer); });
  box.addEventListener("focusout", hideSoon);
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
  document.addEventListener("pointerdown", function (event) {
    if (shown && !box.contains(event.target) && !shown.contains(event.target)) hide();
  });
})();
