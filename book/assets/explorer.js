/* Explorers: a group of radio buttons above a view. A view is loaded when it is chosen, by a script
   tag, because a page that is opened from a folder may not read files in another way. */
(function () {
  "use strict";

  document.querySelectorAll(".explorer").forEach(function (box, number) {
    var now = box.querySelector(".explorer-now");
    var panel = box.querySelector(".explorer-view");
    var labels = Array.from(box.querySelectorAll(".explorer-more li"), function (item) {
      return item.textContent;
    });
    var views = [panel.innerHTML];
    var grouped = labels.every(function (label) { return label.split(": ").length === 2; });
    var wanted = 0;

    function show(place) {
      panel.innerHTML = views[place];
      panel.removeAttribute("aria-busy");
      say(labels[place], " (" + (place + 1) + " of " + labels.length + ")");
      // The page looks again which of its boxes scroll sideways.
      window.dispatchEvent(new Event("resize"));
    }

    /* The line above the view is a live region: what changes in it is read out. */
    function say(label, rest) {
      var strong = document.createElement("strong");
      strong.textContent = label;
      now.replaceChildren(box.dataset.name + ": ", strong, rest);
    }

    function load(place) {
      var script = document.createElement("script");
      script.src = box.dataset.views + place + ".js";
      script.onload = function () {
        views[place] = script.view;
        script.remove();
        if (wanted === place) show(place);
      };
      script.onerror = function () {
        script.remove();
        if (wanted !== place) return;
        panel.removeAttribute("aria-busy");
        say(labels[place], " could not be loaded. Choose another one, then this one again.");
      };
      panel.setAttribute("aria-busy", "true");
      document.head.append(script);
    }

    function choose(place) {
      wanted = place;
      if (views[place] === undefined) load(place);
      else show(place);
    }

    function button(label, place) {
      var whole = document.createElement("label");
      var input = document.createElement("input");
      input.type = "radio";
      input.name = "explorer-" + number;
      input.autocomplete = "off";
      input.checked = place === 0;
      input.addEventListener("change", function () { choose(place); });
      var words = document.createElement("span");
      var parts = grouped ? label.split(": ") : ["", label];
      if (parts[0]) {
        var before = document.createElement("span");
        before.className = "unseen";
        before.textContent = parts[0] + ": ";
        words.append(before);
      }
      words.append(parts[1]);
      whole.append(input, words);
      return whole;
    }

    /* "control: general", "control: effort" ...: the first words are written once, before the row. */
    function rows(buttons) {
      var made = [];
      buttons.forEach(function (each, place) {
        var head = labels[place].split(": ")[0];
        if (!made.length || made[made.length - 1].dataset.head !== head) {
          var row = document.createElement("div");
          var name = document.createElement("span");
          row.dataset.head = name.textContent = head;
          name.setAttribute("aria-hidden", "true");
          row.append(name);
          made.push(row);
        }
        made[made.length - 1].append(each);
      });
      return made;
    }

    var group = document.createElement("fieldset");
    var legend = document.createElement("legend");
    legend.textContent = box.dataset.name;
    var choices = document.createElement("div");
    var buttons = labels.map(button);
    choices.append.apply(choices, grouped ? rows(buttons) : buttons);
    group.append(legend, choices);
    box.prepend(group);
  });
})();
