/* Gives the theme's and the widgets' controls names that assistive technology can use. */
(function () {
  "use strict";
  function each(selector, mend) { document.querySelectorAll(selector).forEach(mend); }

  function mendPage() {
    // A name that differs from the visible words keeps voice control from finding the control.
    each("button.search-button__button[aria-label], summary[aria-label]", function (control) {
      if (control.textContent.trim()) control.removeAttribute("aria-label");
    });
    each("#pst-primary-sidebar:not([role]), .bd-sidebar-primary:not([role])", function (sidebar) {
      sidebar.setAttribute("role", "complementary");
      sidebar.setAttribute("aria-label", "Book");
    });
    each(".widget-slider", function (slider) {
      var label = slider.querySelector(".widget-label");
      var name = (label && label.textContent.trim()) || "value";
      slider.querySelectorAll("[role=slider]").forEach(function (handle) {
        if (handle.getAttribute("aria-label") !== name) handle.setAttribute("aria-label", name);
      });
    });
    each(".widget-play button:not([aria-label])", function (button) {
      var place = Array.prototype.indexOf.call(button.parentNode.children, button);
      button.setAttribute("aria-label", ["Play or pause", "Stop", "Repeat"][place] || "Play");
    });
  }

  window.addEventListener("load", function () {
    mendPage();
    new MutationObserver(mendPage).observe(document.body, { childList: true, subtree: true });
  });
})();
