// Sorting, filtering, highlighting, copying and saving; without it the page shows everything.
(function () {
  "use strict";
  document.querySelectorAll(".twofold:not([data-ready])").forEach(function (root) {
    root.setAttribute("data-ready", "");
    var all = function (selector, parent) { return Array.from((parent || root).querySelectorAll(selector)); };

    if (root.clientWidth && root.clientWidth < 704) {
      all(".contents details").forEach(function (list) { list.open = false; });
    }
    all(".contents a").forEach(function (link) {
      link.addEventListener("click", function () {
        var list = link.closest("details");
        if (getComputedStyle(list.querySelector("summary")).display !== "none") { list.open = false; }
      });
    });

    // The number that a cell shows: of an interval its lower end, of a record wins minus losses.
    function number(text) {
      var record = text.split("/");
      if (record.length === 3) { return record[0] - record[2]; }
      var digits = text.replace(/−/g, "-").match(/-?(\d[\d.]*|\.\d+)(e[-+]?\d+)?/);
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
    all(".choices").forEach(function (box) {  // each for the table of pairs in its own section
      box.hidden = false;
      var pairs = all("table.all-pairs tbody tr", box.closest("section"));
      var who = box.querySelector("select.who"), only = box.querySelector("input.only");
      var count = box.querySelector(".count"), adjust = box.querySelector("select.adjust");
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
      [who, only].forEach(function (input) { input.addEventListener("change", filter); });
      if (!adjust) { return; }
      adjust.addEventListener("change", function () {
        var index = adjust.selectedIndex;
        all(".p-label", box.closest("section")).forEach(function (label) {
          label.textContent = adjust.options[index].dataset.head;
        });
        pairs.forEach(function (row) {
          var cell = row.querySelector("td[data-p]");
          if (!cell) { return; }  // the pair has no p value
          var p = cell.dataset.p.split(" ")[index];
          cell.textContent = p === "0" ? "< .001" : Number(p).toFixed(Math.max(3, p.length - 1)).replace("0.", ".");
        });
      });
    });

    all("section").forEach(function (section) {
      var rows = all(".scores tbody tr, .pairs tbody tr", section).map(function (row) { return [row, learners(row)]; });
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

    // A table as CSV: an interval becomes two columns, a record three, and minus signs are plain.
    function csv(table) {
      var heads = Array.from(table.tHead.rows[0].cells).map(function (head) { return plain(head.textContent); });
      function split(text, i) {
        if (heads[i].indexOf("interval") >= 0) {
          var ends = text.split(" to ").map(function (end) { return end.replace(/^\D+ (?=\S*\d)/, ""); });
          if (ends.length === 2) { return ends; }
          return /^(at most|below)/.test(text) ? ["", ends[0]] : /\d/.test(text) ? [ends[0], ""] : ["", ""];
        }
        return heads[i] === "wins/ties/losses" ? text.split("/") : [text];
      }
      var first = heads.map(function (head, i) {
        if (head.indexOf("interval") >= 0) { return [head + ", low", head + ", high"]; }
        return head === "wins/ties/losses" ? head.split("/") : [head];
      });
      var rows = Array.from(table.tBodies[0].rows).map(function (row) {
        return Array.from(row.cells).map(function (cell, i) {
          return split(plain(cell.textContent), i).map(function (text) {
            return text === "—" ? "" : text.replace(/^−(?=[\d.])/, "-");
          });
        });
      });
      return [first].concat(rows).map(function (row) {
        return [].concat.apply([], row).map(function (text) {
          return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
        }).join(",");
      }).join("\r\n") + "\r\n";
    }
    function say(button, text) {
      var label = button.textContent;
      button.textContent = text;
      button.disabled = true;
      setTimeout(function () { button.textContent = label; button.disabled = false; }, 1500);
    }
    function copy(button) {
      var above = button.closest(".tools").previousElementSibling;
      var text = button.dataset.copy === "text" ? all("p", above).map(function (part) {
        return plain(part.textContent);
      }).join("\n\n") : button.nextElementSibling.content.textContent;
      function put(event) {
        event.clipboardData.setData("text/plain", text);
        event.preventDefault();
      }
      // Asked for at once, since pages from an insecure address have no clipboard of their own.
      document.addEventListener("copy", put);
      var done = document.execCommand("copy");
      document.removeEventListener("copy", put);
      if (done || !navigator.clipboard) { say(button, done ? "Copied" : "Not copied"); return; }
      navigator.clipboard.writeText(text).then(
        function () { say(button, "Copied"); }, function () { say(button, "Not copied"); });
    }
    function save(button) {
      var isTable = button.dataset.save === "csv", text;
      if (isTable) {
        var box = button.closest(".tools").previousElementSibling;
        text = "\ufeff" + csv(box.querySelector("table"));
      } else {
        var picture = button.closest("figure").querySelector("svg").cloneNode(true);
        picture.setAttribute("width", picture.style.getPropertyValue("--width").trim());
        picture.removeAttribute("style");
        text = new XMLSerializer().serializeToString(picture);
      }
      var link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: isTable ? "text/csv" : "image/svg+xml" }));
      link.download = button.dataset.file;
      link.click();
      setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
    }
    all(".tools").forEach(function (tools) { tools.hidden = false; });
    all("button[data-copy]").forEach(function (button) { button.addEventListener("click", function () { copy(button); }); });
    all("button[data-save]").forEach(function (button) { button.addEventListener("click", function () { save(button); }); });
  });
})();
