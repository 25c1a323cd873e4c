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
    if (!input || !files.length) { return; }
    input.files = files;
    status.textContent = "Reading…";
    input.form.requestSubmit();
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
    sendFiles(event.dataTransfer.files);
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
  document.addEventListener("change", function (event) {
    if (event.target.id === "files") { sendFiles(event.target.files); return; }
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
        var verdict = page.querySelector(".verdict, .problem");
        status.textContent = verdict ? verdict.textContent.trim().slice(0, 200) : "";
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
