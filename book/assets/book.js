/* What every page does: the phone's contents sheet, dark colours, copying code, wide boxes. */
(function () {
  "use strict";
  var root = document.documentElement;
  function each(selector, act) { document.querySelectorAll(selector).forEach(act); }

  /* The contents, where the screen is too narrow to show them beside the text. */
  var button = document.querySelector(".menu-button");
  var contents = document.getElementById("contents");
  function showContents(open) {
    contents.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
    document.body.style.overflow = open ? "hidden" : "";
  }
  button.addEventListener("click", function () {
    var open = !contents.classList.contains("open");
    showContents(open);
    if (open) contents.querySelector("a").focus();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && contents.classList.contains("open")) {
      showContents(false);
      button.focus();
    }
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      var words = document.getElementById("search-again") || document.getElementById("search-words");
      if (words.offsetParent) { event.preventDefault(); words.focus(); }
    }
  });
  contents.addEventListener("focusout", function (event) {
    var inside = contents.contains(event.relatedTarget) || event.relatedTarget === button;
    if (event.relatedTarget && !inside) showContents(false);
  });
  window.matchMedia("(min-width: 58rem)").addEventListener("change", function () {
    showContents(false);
  });

  /* Beside the text, the list of contents shows where the reader is. */
  var here = contents.querySelector("[aria-current]");
  if (here && here.offsetTop > contents.clientHeight) contents.scrollTop = here.offsetTop - contents.clientHeight / 2;

  /* The skip link, also on a page that has another base address. */
  document.querySelector(".skip-link").addEventListener("click", function (event) {
    var main = document.getElementById("main");
    event.preventDefault();
    main.focus();
    main.scrollIntoView();
  });

  /* Dark or light: as the device says, until the reader says otherwise. */
  var device = window.matchMedia("(prefers-color-scheme: dark)");
  var colours = document.querySelector(".colours-button");
  function isDark() {
    return root.dataset.colours ? root.dataset.colours === "dark" : device.matches;
  }
  function sayColours() { colours.setAttribute("aria-pressed", String(isDark())); }
  colours.addEventListener("click", function () {
    var wanted = isDark() ? "light" : "dark";
    var asDevice = (wanted === "dark") === device.matches;
    if (asDevice) delete root.dataset.colours;
    else root.dataset.colours = wanted;
    try {
      if (asDevice) localStorage.removeItem("carebook.colours");
      else localStorage.setItem("carebook.colours", wanted);
    } catch (error) { /* The choice then lasts for this page. */ }
    sayColours();
  });
  device.addEventListener("change", sayColours);
  sayColours();

  /* Copying code. */
  var spoken = document.createElement("p");
  spoken.className = "unseen";
  spoken.setAttribute("aria-live", "polite");
  document.body.append(spoken);
  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    var area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    var done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  }
  each(".cell_input .highlight, article > section div[class*='highlight-']:not(.output) > .highlight",
    function (box) {
      if (box.querySelector(".copy")) return;
      var code = box.querySelector("pre");
      var control = document.createElement("button");
      control.type = "button";
      control.className = "copy";
      control.textContent = "Copy";
      control.addEventListener("click", function () {
        copy(code.textContent).then(
          function () { control.textContent = "Copied"; spoken.textContent = "Copied"; },
          function () { control.textContent = "Not copied"; }
        ).then(function () {
          setTimeout(function () { control.textContent = "Copy"; spoken.textContent = ""; }, 2000);
        });
      });
      box.append(control);
    });

  /* A box that scrolls sideways has to be reachable by keyboard. */
  function reach() {
    each(".scroller, pre, div.math", function (box) {
      if (box.scrollWidth <= box.clientWidth) return;
      box.tabIndex = 0;
      if (box.matches(".scroller")) {
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "Table, scrolls sideways");
      }
    });
  }
  reach();
  window.addEventListener("resize", reach);
  window.addEventListener("load", reach);

  /* Paper shows what is folded on the screen, and screens show it as before. It also shows figures
     that nobody has scrolled to. */
  var unfolded = [];
  window.addEventListener("beforeprint", function () {
    each("img[loading=lazy]", function (image) { image.loading = "eager"; });
    each("article details:not([open])", function (box) {
      unfolded.push([box, box.getAttribute("name")]);
      box.removeAttribute("name");
      box.open = true;
    });
  });
  window.addEventListener("afterprint", function () {
    unfolded.splice(0).forEach(function (pair) {
      pair[0].open = false;
      if (pair[1]) pair[0].setAttribute("name", pair[1]);
    });
  });

  /* An address that points into a folded box opens it. */
  function unfold() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var box = target; box; box = box.parentElement) {
      if (box.localName === "details") box.open = true;
    }
    return target;
  }
  window.addEventListener("hashchange", unfold);

  /* A place that the search led to gets the focus, and the words that were looked for a mark. */
  function markSought(place) {
    try {
      var sought = sessionStorage.getItem("carebook.sought");
      sessionStorage.removeItem("carebook.sought");
    } catch (error) { /* The words aren't known. */ }
    if (!sought) return;
    if (place) {
      // The target itself: the browser takes the focus away from anything else that it leads to.
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
      place.scrollIntoView({ behavior: "instant" });
    }
    if (!window.Highlight) return;
    var marks = new Highlight();
    var boxes = [place || document.querySelector("article")];
    if (place && place.matches("dt")) boxes.push(place.nextElementSibling);
    CSS.highlights.set("sought", marks);
    boxes.filter(Boolean).forEach(function (box) {
      var texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), hits, hit, range;
      while (texts.nextNode()) {
        hits = new RegExp(sought, "giu");
        while ((hit = hits.exec(texts.currentNode.data))) {
          range = new Range();
          range.setStart(texts.currentNode, hit.index + hit[1].length);
          range.setEnd(texts.currentNode, hit.index + hit[0].length);
          marks.add(range);
        }
      }
    });
  }
  markSought(unfold());

  /* Python in the browser needs a server. */
  if (location.protocol === "file:") {
    each(".run-here", function (words) { words.hidden = true; });
    each(".run-not-here", function (words) { words.hidden = false; });
  }
})();
