/* Saved Jupyter widgets: their code is loaded when one comes near the view, from the site's own
   folder; then their controls get names that assistive technology can use. */
(function () {
  "use strict";
  var folder = document.currentScript.src.replace(/[^/]*$/, "") + "widgets";
  var views = document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]');
  var started = false;

  function load(file) {
    return new Promise(function (done, failed) {
      var script = document.createElement("script");
      script.src = folder + "/" + file;
      script.onload = done;
      script.onerror = failed;
      document.head.append(script);
    });
  }

  // Widgets ask MathJax 2's queue for their formulas; the page has MathJax 3, or none.
  var queue = {
    Queue: function (call) {
      var element = call && call[2];
      var startup = window.MathJax.startup;
      if (!element || !startup || !startup.promise) return;
      startup.promise.then(function () { window.MathJax.typesetPromise([element]); });
    },
  };

  function withQueue(value) {
    if (value && !value.Hub) value.Hub = queue;
    return value;
  }

  function start() {
    if (started) return;
    started = true;
    load("require.js").then(function () {
      window.__jupyter_widgets_assets_path__ = folder + "/";
      window.requirejs.config({
        paths: {
          anywidget: folder + "/anywidget",
          "@jupyter-widgets": folder,
          "@jupyter-widgets/html-manager/dist": folder,
        },
      });
      var mathjax = withQueue(window.MathJax || {});
      Object.defineProperty(window, "MathJax", {
        configurable: true,
        get: function () { return mathjax; },
        set: function (value) { mathjax = withQueue(value); },
      });
      return load("embed-amd.js");
    });
    new MutationObserver(name).observe(document.querySelector("article"),
      { childList: true, subtree: true });
  }

  function name() {
    document.querySelectorAll(".widget-slider").forEach(function (slider) {
      var label = slider.querySelector(".widget-label");
      var words = (label && label.textContent.trim()) || "value";
      slider.querySelectorAll("[role=slider]").forEach(function (handle) {
        if (handle.getAttribute("aria-label") !== words) handle.setAttribute("aria-label", words);
      });
    });
    document.querySelectorAll(".widget-play button:not([aria-label])").forEach(function (button) {
      var place = Array.prototype.indexOf.call(button.parentNode.children, button);
      button.setAttribute("aria-label", ["Play or pause", "Stop", "Repeat"][place] || "Play");
    });
  }

  var near = new IntersectionObserver(function (entries) {
    if (entries.some(function (entry) { return entry.isIntersecting; })) {
      near.disconnect();
      start();
    }
  }, { rootMargin: "600px" });
  views.forEach(function (view) {
    view.parentElement.classList.add("widget-place");
    near.observe(view.parentElement);
  });
  window.addEventListener("beforeprint", start);
})();
