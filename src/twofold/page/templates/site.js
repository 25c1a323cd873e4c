// Dropping and pasting tables, and forms that answer at once; without it every form has its button.
(function () {
  "use strict";
  refresh();
  var status = document.getElementById("status"), asked = 0;

  // What the report's script does, and: what must be scrolled can be reached by keys.
  function refresh() {
    prepare();
    document.querySelectorAll(".canvas, .scroll").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth) { box.tabIndex = 0; }
    });
    askAgain();
  }
  // What is running is brought up to date; when it has ended, the page is another one.
  function askAgain() {
    var part = document.getElementById("running");
    if (!part) { return; }
    setTimeout(function () {
      if (document.getElementById("running") !== part) { return; }
      fetch(location.href, { credentials: "same-origin" }).then(function (response) {
        return response.text();
      }).then(function (text) {
        if (document.getElementById("running") !== part) { return; }
        var fresh = new DOMParser().parseFromString(text, "text/html").getElementById("running");
        if (!fresh || fresh.dataset.state !== part.dataset.state) { show(location.href, false); return; }
        part.replaceChildren.apply(part, Array.from(fresh.childNodes));
        askAgain();
      }).catch(askAgain);
    }, Number(part.dataset.again));
  }
  // The section of the bar that one is in.
  var section = /^\/(read|answer)$/.test(location.pathname) ? "/" : location.pathname;
  document.querySelectorAll(".bar nav a").forEach(function (link) {
    if (link.getAttribute("href") === section) { link.setAttribute("aria-current", "page"); }
  });
  function sendFiles(files) {
    var input = document.getElementById("files");
    if (!input || !files.length || !isTaken(files)) { return; }
    input.files = files;
    status.textContent = "Reading…";
    input.form.requestSubmit();
  }
  // What is too much is said before it is sent: a browser does not show what a server says that hangs up.
  function isTaken(files) {
    var form = document.getElementById("upload"), box = document.getElementById("refused");
    var bytes = Array.from(files).reduce(function (sum, file) { return sum + file.size; }, 0), rule = "";
    if (bytes > form.dataset.bytes) { rule = "These are " + Math.ceil(bytes / 1e6) + " MB; the page takes " + form.dataset.bytes / 1e6 + " MB at once."; }
    if (files.length > form.dataset.files) { rule = "These are " + files.length + " files; the page takes " + form.dataset.files + " at once."; }
    box.hidden = !rule;
    box.querySelector("strong").textContent = rule;
    return !rule;
  }
  // Files of folders: [name with its folders, file]. A form of one's own, since an input has no such names.
  function sendNamed(named) {
    named = named.filter(function (pair) { return !/(^|\/)\./.test(pair[0]); });
    if (!named.length || !isTaken(named.map(function (pair) { return pair[1]; }))) { return; }
    var form = document.getElementById("upload"), data = new FormData();
    named.forEach(function (pair) { data.append("files", pair[1], pair[0]); });
    status.textContent = "Reading…";
    fetch(form.action, { method: "POST", body: data, credentials: "same-origin" }).then(function (response) {
      if (response.redirected) { location.assign(response.url); return; }
      return response.text().then(function (text) {
        document.getElementById("page").replaceChildren.apply(document.getElementById("page"),
          Array.from(new DOMParser().parseFromString(text, "text/html").getElementById("page").childNodes));
        status.textContent = "";
      });
    }).catch(function () { status.textContent = "The upload broke off."; });
  }
  // All files below some entries of a drop, in the order of their names.
  function collect(entries, before) {
    return Promise.all(entries.map(function (entry) {
      return new Promise(function (resolve, reject) {
        if (entry.isFile) { entry.file(function (file) { resolve([[before + entry.name, file]]); }, reject); return; }
        var reader = entry.createReader(), inside = [];
        (function more() {
          reader.readEntries(function (some) {
            if (some.length) { inside = inside.concat(Array.from(some)); more(); return; }
            collect(inside, before + entry.name + "/").then(resolve, reject);
          }, reject);
        })();
      });
    })).then(function (lists) { return lists.flat(); });
  }
  document.addEventListener("dragover", function (event) {
    var form = document.getElementById("upload");
    if (form) { event.preventDefault(); form.classList.add("over"); }
  });
  document.addEventListener("dragleave", function () {
    var form = document.getElementById("upload");
    if (form) { form.classList.remove("over"); }
  });
  document.addEventListener("drop", function (event) {
    if (!document.getElementById("upload")) { return; }
    event.preventDefault();
    document.getElementById("upload").classList.remove("over");
    var entries = Array.from(event.dataTransfer.items || []).map(function (item) {
      return item.webkitGetAsEntry && item.webkitGetAsEntry();
    }).filter(Boolean);
    if (!entries.some(function (entry) { return entry.isDirectory; })) { sendFiles(event.dataTransfer.files); return; }
    status.textContent = "Reading…";
    collect(entries, "").then(sendNamed).catch(function () { status.textContent = "The folder cannot be read."; });
  });
  document.addEventListener("paste", function (event) {
    var box = document.getElementById("pasted");
    if (!box || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) { return; }
    if (event.clipboardData.files.length) { sendFiles(event.clipboardData.files); return; }
    box.value = event.clipboardData.getData("text/plain");
    box.focus();
  });
  document.addEventListener("click", function (event) {
    var side = document.getElementById("side");
    if (side && event.target.matches(".jump a")) { side.open = true; }
  });
  // What can be downloaded as text can be copied as well.
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-fetch]");
    if (!button) { return; }
    button.disabled = true;
    var label = button.textContent;
    fetch(button.dataset.fetch, { credentials: "same-origin" }).then(function (response) {
      if (!response.ok) { throw new Error(); }
      return response.text();
    }).then(function (text) { return navigator.clipboard.writeText(text); }).then(
      function () { return "Copied"; }, function () { return "Not copied"; }
    ).then(function (word) {
      button.textContent = word;
      setTimeout(function () { button.textContent = label; button.disabled = false; }, 1500);
    });
  });
  document.addEventListener("change", function (event) {
    if (event.target.id === "files") { sendFiles(event.target.files); return; }
    if (event.target.id === "folder") {
      sendNamed(Array.from(event.target.files).map(function (file) { return [file.webkitRelativePath || file.name, file]; }));
      return;
    }
    var form = event.target.form;
    if (form && form.hasAttribute("data-live")) { show(addressOf(form, form.action), true); }
  });
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (!form.hasAttribute("data-live") || (event.submitter && event.submitter.hasAttribute("data-leave"))) { return; }
    event.preventDefault();
    show(addressOf(form, form.action), true);
  });
  window.addEventListener("popstate", function () { show(location.href, false); });

  function addressOf(form, action) {
    var query = new URLSearchParams();
    new FormData(form).forEach(function (value, name) { if (value !== "") { query.append(name, value); } });
    return action + "?" + query;
  }
  // The page at another address takes the place of this one; focus and open parts stay.
  function show(address, isNew) {
    var mine = ++asked, page = document.getElementById("page");
    page.classList.add("busy");
    var late = setTimeout(function () { status.textContent = "Answering…"; }, 400);
    fetch(address, { credentials: "same-origin" }).then(function (response) {
      return response.text().then(function (text) {
        if (mine !== asked) { return; }
        var fresh = new DOMParser().parseFromString(text, "text/html").getElementById("page");
        var focused = document.activeElement && document.activeElement.name;
        page.querySelectorAll("details[id]").forEach(function (old) {
          var other = fresh.querySelector("#" + CSS.escape(old.id));
          if (other) { other.open = old.open; }
        });
        document.title = new DOMParser().parseFromString(text, "text/html").title;
        if (isNew) { history.pushState(null, "", response.url); }
        page.replaceChildren.apply(page, Array.from(fresh.childNodes));
        refresh();
        var field = focused && page.querySelector("[name='" + CSS.escape(focused) + "']");
        if (field) { field.focus(); }
        var verdict = page.querySelector(".told") || page.querySelector(".verdict, .problem");
        // Its first sentence; the rest stands on the page.
        status.textContent = verdict ? verdict.textContent.trim().replace(/\. [A-Z][^]*$/, ".") : "";
        setTimeout(function () { if (mine === asked) { status.textContent = ""; } }, 2500);
      });
    }).catch(function () { location.assign(address); }).finally(function () {
      clearTimeout(late);
      if (mine === asked) { page.classList.remove("busy"); }
    });
  }
  if (window.innerWidth < 992) {
    var side = document.getElementById("side");
    if (side && location.pathname === "/answer") { side.open = false; }
  }
})();
