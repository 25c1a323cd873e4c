// Sorting, filtering and highlighting; without it the page shows everything all the same.
(function () {
  "use strict";
  document.querySelectorAll(".twofold:not([data-ready])").forEach(function (root) {
    root.setAttribute("data-ready", "");
    var all = function (selector, parent) { return Array.from((parent || root).querySelectorAll(selector)); };

    all("details.note:not(.warning)").forEach(function (note) { note.open = false; });
    window.addEventListener("beforeprint", function () {
      all("details.note").forEach(function (note) { note.open = true; });
    });

    // The number that a cell shows: of an interval its lower end, of a record wins minus losses.
    function number(text) {
      var record = text.split("/");
      if (record.length === 3) { return record[0] - record[2]; }
      var digits = text.replace(/−/g, "-").match(/-?\d[\d.]*(e[-+]?\d+)?/);
      if (!digits || text.indexOf("at most") === 0) { return -Infinity; }
      return Number(digits[0]) + (text[0] === "<" ? -1e-9 : text[0] === ">" ? 0.5 : 0);
    }
    function key(row, column, isNumber) {
      var cell = row.cells[column];
      if (cell.hasAttribute("data-v")) { return Number(cell.getAttribute("data-v")); }
      return isNumber ? number(cell.textContent.trim()) : cell.textContent;
    }
    all("table.sortable").forEach(function (table) {
      var original = Array.from(table.tBodies[0].rows);
      all("thead th", table).forEach(function (head, column) {
        var button = document.createElement("button");
        button.type = "button";
        while (head.firstChild) { button.appendChild(head.firstChild); }
        head.appendChild(button);
        button.addEventListener("click", function () {
          var up = head.getAttribute("aria-sort") !== "ascending";
          all("thead th", table).forEach(function (other) { other.removeAttribute("aria-sort"); });
          head.setAttribute("aria-sort", up ? "ascending" : "descending");
          var body = table.tBodies[0];
          var isNumber = head.classList.contains("n");
          var rows = original.map(function (row, i) { return [key(row, column, isNumber), i, row]; });
          rows.sort(function (x, y) {
            var by = typeof x[0] === "number" && typeof y[0] === "number"
              ? (x[0] > y[0]) - (x[0] < y[0]) : String(x[0]).localeCompare(String(y[0]), undefined, { numeric: true });
            return (up ? by : -by) || x[1] - y[1];
          });
          rows.forEach(function (entry) { body.appendChild(entry[2]); });
        });
      });
    });

    function plain(text) { return text.trim().replace(/\s+/g, " "); }
    function learners(row) {  // of a row of scores, or of a pair
      var names = row.querySelector("bdi") ? [row.querySelector("bdi")] : [row.cells[0], row.cells[1]];
      return names.map(function (name) { return plain(name.textContent); });
    }
    var pairs = all("table.all-pairs tbody tr");
    all(".choices").forEach(function (box) { box.hidden = false; });
    var who = root.querySelector("select.who"), only = root.querySelector("input.only");
    var count = root.querySelector(".count");
    function filter() {
      var shown = 0;
      pairs.forEach(function (row) {
        var fits = (!who.selectedIndex || learners(row).indexOf(plain(who.value)) >= 0)
          && (!only.checked || row.classList.contains("a") || row.classList.contains("b"));
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      count.textContent = shown + " of " + pairs.length + " rows";
    }
    [who, only].forEach(function (box) { if (box) { box.addEventListener("change", filter); } });

    var adjust = root.querySelector("select.adjust"), label = root.querySelector(".p-label");
    if (adjust) {
      adjust.addEventListener("change", function () {
        var index = adjust.selectedIndex;
        if (label) { label.textContent = adjust.options[index].dataset.head; }
        pairs.forEach(function (row) {
          var cell = row.querySelector("td[data-p]");
          if (!cell) { return; }  // the pair has no p value
          var p = cell.dataset.p.split(" ")[index];
          cell.textContent = p === "0" ? "< .001" : Number(p).toFixed(3).replace("0.", ".");
        });
      });
    }

    var rows = all(".scores tbody tr, .pairs tbody tr").map(function (row) { return [row, learners(row)]; });
    function light(chosen) {
      rows.forEach(function (entry) {
        var common = entry[1].filter(function (name) { return chosen.indexOf(name) >= 0; });
        entry[0].classList.toggle("lit", common.length > 0 && common.length >= Math.min(chosen.length, entry[1].length));
      });
    }
    rows.forEach(function (entry) {
      entry[0].addEventListener("mouseenter", function () { light(entry[1]); });
      entry[0].addEventListener("mouseleave", function () { light([]); });
    });
  });
})();
