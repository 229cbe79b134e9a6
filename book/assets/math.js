/* Formulas: MathJax is loaded when the first one comes near the view. */
(function () {
  "use strict";
  var address = document.currentScript.dataset.mathjax;
  var near = new IntersectionObserver(function (entries) {
    if (!entries.some(function (entry) { return entry.isIntersecting; })) return;
    near.disconnect();
    var script = document.createElement("script");
    script.src = address;
    document.head.append(script);
  }, { rootMargin: "1000px" });
  document.querySelectorAll(".math").forEach(function (formula) { near.observe(formula); });
})();
