// Two runs in the page of `report BEFORE vs AFTER`: what `diff` finds, and the timeline of BEFORE
// below the timeline of AFTER; both move together. Data (cmds/trace/compare.c): data.compared,
// which only the page of such a command has:
//   before_runs, after_runs, noise_known
//   rows    [{function, library, pause, verdict, before, after: [total, self, mean, calls],
//           low, high (interval of the change of the total, as a fraction; null: not tested)}],
//           the largest change first
//   title, from, to, names [text], threads [{name, slices, paused}], left_out
//           the same of the first run of BEFORE as page.js describes for AFTER; left_out: number of
//           threads that are not in `threads`
"use strict";
const compared = data.compared || null, ROW = 12, MOST_ROWS = 2000;
let before = null; // {canvas, ctx} of the timeline of BEFORE; null if there is none
const changeOf = (r, k) => r.before[k] > 0 && r.after[k] > 0 ? r.after[k] / r.before[k] - 1 : null;
const percent = (part) => part === null ? "-" : part === 0 ? "=" : (part > 0 ? "+" : "") + (100 * part).toFixed(Math.abs(part) >= 10 ? 0 : 1);
const sided = (v, k) => v <= 0 ? "-" : k === 3 ? d3.format(",")(Math.round(v)) : time(Math.round(v));

function showChanges() {
  const q = $("changes-find").value.toLowerCase();
  const rows = compared.rows.filter((r) => (r.function + " " + r.library).toLowerCase().includes(q));
  rowsOf("#changes", rows.slice(0, MOST_ROWS), (r) => [r.function, r.library, r.verdict, sided(r.before[0], 0), sided(r.after[0], 0), percent(changeOf(r, 0)),
    r.low === null ? "" : percent(r.low) + " to " + percent(r.high), percent(changeOf(r, 1)), percent(changeOf(r, 2)), percent(changeOf(r, 3))], 3,
  (r) => {
    const row = data.rows.find((t) => t.function === r.function && t.library === r.library) || data.rows.find((t) => t.function === r.function);
    if (row) rowClicked(row, "function");
  }).attr("class", (r) => ["slower", "longer", "more"].includes(r.verdict) ? "worse" : ["faster", "shorter", "fewer"].includes(r.verdict) ? "better" : null);
  $("changes-count").textContent = count(rows.length, "row") + (rows.length > MOST_ROWS ? ", the first " + MOST_ROWS + " are shown" : "");
}

// Draws the timeline of BEFORE: for each thread, the function that ran for most of each slice. The
// times of each run begin at its own first event.
function drawBefore(from, to) {
  if (!before) return;
  const { canvas: c, ctx: b } = before, list = compared.threads, dpr = window.devicePixelRatio || 1, color = getComputedStyle(document.body).color;
  if (c.width !== Math.round(width * dpr)) {
    c.width = Math.round(width * dpr);
    c.height = Math.round((list.length * ROW + 4) * dpr);
    c.style.width = width + "px";
    c.style.height = list.length * ROW + 4 + "px";
  }
  b.setTransform(dpr, 0, 0, dpr, 0, 0);
  b.clearRect(0, 0, width, list.length * ROW + 4);
  b.font = "10px system-ui, sans-serif";
  b.textBaseline = "middle";
  const room = Math.floor((gutter - 10) / b.measureText("n").width);
  list.forEach((t, i) => {
    const y = 2 + i * ROW, n = t.slices.length, slice = (compared.to - compared.from) / n;
    for (let k = Math.max(0, Math.floor((from - compared.from) / slice)); k < n && compared.from + k * slice < to;) {
      let e = k + 1;
      while (e < n && t.slices[e] === t.slices[k] && t.pausedSet.has(e) === t.pausedSet.has(k)) e++;
      if (t.slices[k] >= 0) {
        const a = Math.max(gutter, view(compared.from + k * slice)), thin = t.pausedSet.has(k), name = compared.names[t.slices[k]];
        b.fillStyle = colorByText.get(name) || colorOfText(name);
        if (view(compared.from + e * slice) > gutter) b.fillRect(a, y + (thin ? ROW / 2 - 1 : 1), Math.max(.6, view(compared.from + e * slice) - a), thin ? 2 : ROW - 2);
      }
      k = e;
    }
    b.fillStyle = color;
    b.fillText(cutMiddle(t.name, room), 4, y + ROW / 2, gutter - 8);
  });
}
function beforeText(e) {
  const r = before.canvas.getBoundingClientRect(), t = compared.threads[Math.floor((e.clientY - r.top - 2) / ROW)];
  if (!t) return null;
  const at = view.invert(e.clientX - r.left), i = Math.floor((at - compared.from) / (compared.to - compared.from) * t.slices.length);
  if (e.clientX - r.left < gutter) return cut(t.name, 300);
  return t.slices[i] >= 0 ? cut(compared.names[t.slices[i]], 300) + "\nin " + cut(t.name, 100) + ", before" : null;
}
if (compared) {
  for (const t of compared.threads) {
    t.name = plainName(t.name);
    t.pausedSet = new Set(t.paused);
  }
  $("compared-part").hidden = $("before-part").hidden = false;
  before = { canvas: $("before"), ctx: $("before").getContext("2d") };
  $("before-of").textContent = "of " + cut(compared.title, 100) + (compared.left_out ? ", without " + count(compared.left_out, "further thread") : "");
  $("compared-of").textContent = "after " + count(compared.after_runs, "run") + ", before " + count(compared.before_runs, "run") +
    (compared.noise_known ? "" : ": the noise is not known; it needs two runs or more on each side");
  $("changes-find").oninput = showChanges;
  d3.select("#before").on("mousemove", on((e) => {
    const text = beforeText(e);
    if (text) show(e, text); else hide();
  })).on("mouseleave", hide);
  showChanges();
}
