(function () {
  "use strict";
  var bar = document.getElementById("filter");
  if (!bar) { return; }
  var search = document.getElementById("search");
  var kind = document.getElementById("kind");
  var action = document.getElementById("action");
  var told = document.getElementById("told");
  var none = document.getElementById("none");
  var fold = document.getElementById("fold");
  var groups = Array.prototype.map.call(document.querySelectorAll(".group"), function (group) {
    return {
      node: group,
      kind: group.dataset.kind,
      rows: Array.prototype.map.call(group.querySelectorAll(".change"), function (row) {
        return { node: row, action: row.dataset.action, text: row.textContent.toLowerCase() };
      })
    };
  });
  var total = groups.reduce(function (sum, group) { return sum + group.rows.length; }, 0);
  function apply() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    groups.forEach(function (group) {
      var of_kind = !kind.value || kind.value === group.kind;
      var here = 0;
      group.rows.forEach(function (row) {
        var fits = of_kind && (!action.value || action.value === row.action) &&
          words.every(function (word) { return row.text.indexOf(word) >= 0; });
        row.node.hidden = !fits;
        here += fits ? 1 : 0;
      });
      group.node.hidden = here === 0;
      shown += here;
    });
    told.textContent = shown === total ? "All " + total + " shown" : shown + " of " + total + " shown";
    none.hidden = shown > 0;
  }
  function visible() {
    return Array.prototype.filter.call(document.querySelectorAll(".change > details"), function (row) {
      return !row.parentNode.hidden && !row.parentNode.parentNode.parentNode.hidden;
    });
  }
  function word() {
    fold.textContent = visible().some(function (row) { return !row.open; }) ? "Open all" : "Close all";
  }
  var waiting = 0;
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(function () { apply(); word(); }, total > 500 ? 120 : 0);
  }
  search.addEventListener("input", soon);
  kind.addEventListener("change", soon);
  action.addEventListener("change", soon);
  bar.addEventListener("submit", function (event) { event.preventDefault(); });
  bar.addEventListener("reset", soon);
  fold.addEventListener("click", function () {
    var rows = visible();
    var open = rows.some(function (row) { return !row.open; });
    rows.forEach(function (row) { row.open = open; });
    fold.textContent = open ? "Close all" : "Open all";
  });
  document.querySelectorAll("a[data-kind]").forEach(function (link) {
    link.addEventListener("click", function () { bar.reset(); apply(); });
  });
  window.addEventListener("beforeprint", function () {
    if (total > 500) { return; }
    visible().forEach(function (row) {
      if (!row.open) { row.open = true; row.dataset.printed = ""; }
    });
  });
  window.addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-printed]").forEach(function (row) {
      row.open = false;
      delete row.dataset.printed;
    });
  });
  bar.hidden = false;
  apply();
  word();
}());
