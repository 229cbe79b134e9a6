/* Readies a page for saved Jupyter widgets: runs after require.js and before embed-amd.js.
   Everything is looked up in the site's own folder, and formulas in widgets go to MathJax 3. */
(function () {
  "use strict";
  var here = document.currentScript.src.replace(/[^/]*$/, "");
  var folder = here + "widgets";

  window.__jupyter_widgets_assets_path__ = folder + "/";
  requirejs.config({
    paths: {
      anywidget: folder + "/anywidget",
      "@jupyter-widgets": folder,
      "@jupyter-widgets/html-manager/dist": folder,
    },
  });

  // Widgets ask MathJax 2's queue for their formulas; the page has MathJax 3, or loads it late.
  var queue = {
    Queue: function (call) {
      var element = call && call[2];
      function typeset() {
        if (element && window.MathJax.typesetPromise) window.MathJax.typesetPromise([element]);
      }
      var startup = window.MathJax && window.MathJax.startup;
      if (startup && startup.promise) startup.promise.then(typeset);
      else window.addEventListener("load", function () { setTimeout(typeset, 300); });
    },
  };
  var mathjax = withQueue(window.MathJax);
  function withQueue(value) {
    if (value && !value.Hub) value.Hub = queue;
    return value;
  }
  Object.defineProperty(window, "MathJax", {
    configurable: true,
    get: function () { return withQueue(mathjax); },
    set: function (value) { mathjax = withQueue(value); },
  });
})();
