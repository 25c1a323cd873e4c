// Sorting, filtering and highlighting; without it the page shows everything all the same.
(function () {
  "use strict";
  document.querySelectorAll(".twofold:not([data-ready])").forEach(function (root) {
    root.setAttribute("data-ready", "");
    var all = function (selector, parent) { return Array.from((parent || root).querySelectorAll(selector)); };

    all("details:not(.warning)").forEach(function (note) { note.open = false; });
    window.addEventListener("beforeprint", function () {
      all("details").forEach(function (note) { note.open = true; });
    });

    function key(row, column) {
      var cell = row.cells[column];
      return cell.hasAttribute("data-v") ? Number(cell.getAttribute("data-v")) : cell.textContent;
    }
    all("table.sortable").forEach(function (table) {
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
          var rows = Array.from(body.rows).map(function (row, i) { return [key(row, column), i, row]; });
          rows.sort(function (x, y) {
            var by = typeof x[0] === "number" && typeof y[0] === "number"
              ? x[0] - y[0] : String(x[0]).localeCompare(String(y[0]), undefined, { numeric: true });
            return (up ? by : -by) || x[1] - y[1];
          });
          rows.forEach(function (entry) { body.appendChild(entry[2]); });
        });
      });
    });

    var pairs = all("table.pairs tbody tr");
    all(".choices").forEach(function (box) { box.hidden = false; });
    var who = root.querySelector("select.who"), only = root.querySelector("input.only");
    var count = root.querySelector(".count");
    function filter() {
      var shown = 0;
      pairs.forEach(function (row) {
        var fits = (!who || who.value === "" || row.dataset.a === who.value || row.dataset.b === who.value)
          && (!only || !only.checked || row.classList.contains("differs"));
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      if (count) { count.textContent = shown + " of " + pairs.length + " rows"; }
    }
    [who, only].forEach(function (box) { if (box) { box.addEventListener("change", filter); } });

    var adjust = root.querySelector("select.adjust"), label = root.querySelector(".p-label");
    if (adjust) {
      adjust.addEventListener("change", function () {
        var index = adjust.selectedIndex;
        if (label) { label.textContent = adjust.options[index].dataset.head; }
        pairs.forEach(function (row) {
          var cell = row.querySelector("td.p");
          if (!cell.dataset.all) { return; }  // the pair has no p value
          var p = cell.dataset.all.split(" ")[index];
          cell.textContent = Number(p) < 0.0001 ? "<0.0001" : Number(p).toFixed(4);
          cell.setAttribute("data-v", p);
        });
      });
    }

    var rows = all("tr[data-l], tr[data-a]");
    function light(row) {
      var chosen = row && (row.dataset.l !== undefined ? [row.dataset.l] : [row.dataset.a, row.dataset.b]);
      rows.forEach(function (other) {
        var lit = chosen && (chosen.length === 1
          ? other.dataset.l === chosen[0] || other.dataset.a === chosen[0] || other.dataset.b === chosen[0]
          : other === row || chosen.indexOf(other.dataset.l) >= 0);
        other.classList.toggle("lit", Boolean(lit));
      });
    }
    rows.forEach(function (row) {
      row.addEventListener("mouseenter", function () { light(row); });
      row.addEventListener("mouseleave", function () { light(null); });
    });
  });
})();
