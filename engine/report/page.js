// The page of `report`: reads the data embedded beside it, draws with d3. No network.
// Times are nanoseconds since the first event. Data (engine/conv_html.c):
//   names [[text, group]], threads [{name, process, depth, slices}], slice_ns
//   calls [thread, depth, name, start, duration, ...] flat, by start
//   rows  [{function, library, calls, total, self, min, mean, p50, p90, p99, max}]
//   flame {name: [..], parent: [..], self: [..]}, parents first
"use strict";
(function () {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const none = -1, part = -2; // slices: in no state; mostly in none
// Listeners as (event, datum), which is d3 6's way; d3 5 has the event in a global.
const on = (fn) => function (a, b) { return d3.event ? fn(d3.event, a) : fn(a, b); };

function time(ns) {
  const a = Math.abs(ns);
  if (a < 1e3) return ns.toFixed(0) + " ns";
  if (a < 1e6) return (ns / 1e3).toFixed(2) + " us";
  if (a < 1e9) return (ns / 1e6).toFixed(2) + " ms";
  return (ns / 1e9).toFixed(3) + " s";
}
function exact(ns) { return (Math.floor(ns / 1e9)) + "." + String(ns % 1e9).padStart(9, "0") + " s"; }
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
const colors = data.names.map(([t, g]) => {
  const h = hash(t + g);
  return d3.hsl(h % 360, .45 + (h >> 9) % 30 / 100, .58 + (h >> 15) % 16 / 100).toString();
});
const label = (n) => data.names[n][0] + (data.names[n][1] ? " (" + data.names[n][1] + ")" : "");

const tip = $("tip");
function show(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - w - 4)) + "px";
  tip.style.top = (event.clientY + 18 + h > innerHeight ? event.clientY - h - 8 : event.clientY + 18) + "px";
}
function hide() { tip.hidden = true; }

// ---- the head ----------------------------------------------------------------------
document.title = data.title + " - eztsh report";
$("title").textContent = data.title;
$("facts").textContent = data.facts.join(" \u00b7 ");
for (const n of data.notes) {
  const li = document.createElement("li");
  li.textContent = n;
  $("notes").appendChild(li);
}

// ---- timeline ----------------------------------------------------------------------
const lane = 15, strip = 7, gap = 5, gutter = 150;
const canvas = $("timeline"), box = $("threads"), ctx = canvas.getContext("2d");
const calls = data.calls, ncalls = calls.length / 5;
const tops = [];
let height = 0;
for (const t of data.threads) {
  tops.push(height);
  height += strip + t.depth * lane + gap;
}
let width = 0, x = d3.scaleLinear(), view = x, found = null, shown = 0;
const zoom = d3.zoom().on("zoom", on((e) => { view = e.transform.rescaleX(x); draw(); }));

function resize() {
  const dpr = window.devicePixelRatio || 1;
  width = Math.max(300, box.clientWidth);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  canvas.width = width * dpr;
  canvas.height = Math.min(height * dpr, 32000);
  ctx.setTransform(dpr, 0, 0, canvas.height / height || 1, 0, 0);
  x = d3.scaleLinear().domain([0, Math.max(1, data.span)]).range([gutter, width - 6]);
  zoom.scaleExtent([1, Math.max(1, data.span / 20)])
    .translateExtent([[gutter, 0], [width - 6, height]]).extent([[gutter, 0], [width - 6, height]]);
  view = d3.zoomTransform(canvas).rescaleX(x);
  draw();
}

function drawStrip(t, top) {
  const s = t.slices, w = data.slice_ns;
  const [from, to] = view.domain();
  const last = Math.min(s.length, Math.ceil(to / w));
  for (let i = Math.max(0, Math.floor(from / w)); i < last; i++) {
    if (s[i] === none) continue;
    const a = Math.max(gutter, view(i * w)), b = view((i + 1) * w);
    ctx.fillStyle = s[i] === part ? "#8886" : colors[s[i]];
    ctx.fillRect(a, top, Math.max(.6, b - a), strip - 1);
  }
}

function drawCalls() {
  const [from, to] = view.domain();
  shown = 0;
  ctx.textBaseline = "middle";
  ctx.font = "11px ui-monospace, monospace";
  for (let i = 0; i < calls.length; i += 5) {
    const start = calls[i + 3], end = start + calls[i + 4];
    if (start > to) break; // they are sorted
    if (end < from || calls[i + 1] >= data.threads[calls[i]].depth) continue;
    const a = Math.max(gutter, view(start)), b = Math.min(width, view(end));
    const y = tops[calls[i]] + strip + calls[i + 1] * lane, name = calls[i + 2];
    shown++;
    ctx.globalAlpha = found && !found.has(name) ? .15 : 1;
    ctx.fillStyle = colors[name];
    ctx.fillRect(a, y, Math.max(.5, b - a - (b - a > 3 ? .5 : 0)), lane - 1);
    if (b - a < 30) continue;
    ctx.fillStyle = "#000";
    const room = Math.floor((b - a - 6) / 6.7), text = data.names[name][0];
    ctx.fillText(text.length > room ? text.slice(0, Math.max(0, room - 1)) + "\u2026" : text, a + 3, y + lane / 2);
  }
  ctx.globalAlpha = 1;
}

function draw() {
  const style = getComputedStyle(document.body);
  ctx.clearRect(0, 0, width, height);
  data.threads.forEach((t, i) => drawStrip(t, tops[i]));
  drawCalls();
  ctx.clearRect(0, 0, gutter - 1, height);
  ctx.fillStyle = style.color;
  ctx.font = "12px system-ui, sans-serif";
  data.threads.forEach((t, i) => ctx.fillText(t.name, 4, tops[i] + strip + lane / 2, gutter - 10));
  d3.select("#axis").attr("color", style.color).selectAll("g").data([0]).join("g")
    .attr("transform", "translate(0,22)")
    .call(d3.axisTop(view).ticks(Math.max(2, width / 150)).tickFormat(time));
  const [from, to] = view.domain();
  $("window").textContent = time(Math.max(0, from)) + " to " + time(to) + ", " + shown + " calls";
  document.body.dataset.shown = shown;
}

function callAt(event) {
  const r = canvas.getBoundingClientRect(), px = event.clientX - r.left, py = event.clientY - r.top;
  const row = d3.bisectRight(tops, py) - 1;
  if (row < 0 || px < gutter) return null;
  const depth = Math.floor((py - tops[row] - strip) / lane), at = view.invert(px);
  const slack = view.invert(px + 1) - at;
  let best = null;
  if (py < tops[row] + strip) {
    const name = data.threads[row].slices[Math.floor(at / data.slice_ns)];
    return name >= 0 ? label(name) + "\nfor most of a slice of " + time(data.slice_ns) : null;
  }
  for (let i = 0; i < calls.length && calls[i + 3] <= at + slack; i += 5)
    if (calls[i] === row && calls[i + 1] === depth && calls[i + 3] + calls[i + 4] >= at - slack) best = i;
  return best === null ? null : label(calls[best + 2]) + "\n" + time(calls[best + 4]) + " from " +
    exact(calls[best + 3]) + "\n" + data.threads[row].name;
}

d3.select(canvas).call(zoom).on("mousemove.tip", on((e) => {
  const text = callAt(e);
  if (text) show(e, text); else hide();
})).on("mouseleave.tip", hide);
$("zoom-in").onclick = () => zoom.scaleBy(d3.select(canvas), 2);
$("zoom-out").onclick = () => zoom.scaleBy(d3.select(canvas), .5);
$("zoom-all").onclick = () => zoom.transform(d3.select(canvas), d3.zoomIdentity);
$("find").oninput = () => {
  const q = $("find").value.toLowerCase();
  found = q ? new Set(data.names.map((n, i) => n[0].toLowerCase().includes(q) ? i : -1)) : null;
  draw();
};
$("drawn").textContent = data.all_calls > ncalls ?
  "The " + ncalls + " longest of " + data.all_calls + " calls are drawn, the others are in the strips." :
  "All " + ncalls + " calls are drawn.";

// ---- table -------------------------------------------------------------------------
const columns = [["function", "Function"], ["library", "Library"], ["calls", "Calls"], ["total", "Total"],
  ["share", "%"], ["self", "Self"], ["selfshare", "%"], ["mean", "Mean"], ["min", "Min"], ["p50", "p50"],
  ["p90", "p90"], ["p99", "p99"], ["max", "Max"]];
for (const r of data.rows) {
  r.share = data.run ? r.total / data.run : 0;
  r.selfshare = data.run ? r.self / data.run : 0;
}
let order = "total";
function cell(r, key) {
  if (key === "function" || key === "library" || key === "calls") return String(r[key]);
  if (r.timed === 0) return "-";
  return key.endsWith("share") ? (100 * r[key]).toFixed(1) : time(r[key]);
}
function table() {
  const q = $("filter").value.toLowerCase(), text = order === "function" || order === "library";
  const rows = data.rows.filter((r) => (r.function + " " + r.library).toLowerCase().includes(q))
    .sort((a, b) => text ? d3.ascending(a[order], b[order]) : d3.descending(a[order], b[order]));
  d3.select("#table thead").selectAll("tr").data([0]).join("tr").selectAll("th").data(columns).join("th")
    .text((c) => c[1]).attr("class", (c, i) => (i > 1 ? "num" : "") + (c[0] === order ? " sorted" : ""))
    .on("click", on((e, c) => { order = c[0]; table(); }));
  d3.select("#table tbody").selectAll("tr").data(rows.slice(0, 2000)).join("tr")
    .selectAll("td").data((r) => columns.map((c) => cell(r, c[0]))).join("td")
    .text((t) => t).attr("class", (t, i) => i > 1 ? "num" : null);
  document.body.dataset.rows = rows.length;
}
$("filter").oninput = table;

// ---- flame graph ---------------------------------------------------------------------
const frames = data.flame.parent.map((p, i) => ({ id: i + 1, parent: p + 1 }));
frames.unshift({ id: 0, parent: null });
const tree = d3.stratify().id((f) => f.id).parentId((f) => f.parent)(frames)
  .sum((f) => f.id ? data.flame.self[f.id - 1] : 0).sort((a, b) => b.value - a.value);
d3.partition()(tree);
function frameName(d) { return +d.id === 0 ? "all" : data.flame.name[+d.id - 1]; }
function flame(root) {
  const w = $("flame").parentNode.clientWidth, bar = 18, h = (tree.height - root.depth + 1) * bar;
  const fx = d3.scaleLinear().domain([root.x0, root.x1]).range([0, w]);
  const seen = root.descendants().concat(root.ancestors().slice(1)).filter((d) =>
    d.depth < root.depth || fx(d.x1) - fx(d.x0) > .4);
  const deepest = d3.max(seen, (d) => d.depth) + 1, y = (d) => (deepest - 1 - d.depth) * bar;
  const a = (d) => Math.max(0, fx(d.x0)), b = (d) => Math.min(w, fx(d.x1));
  const svg = d3.select("#flame").attr("height", deepest * bar);
  const g = svg.selectAll("g").data(seen, (d) => d.id).join((e) => {
    const n = e.append("g");
    n.append("rect");
    n.append("text");
    return n;
  });
  g.select("rect").attr("x", a).attr("y", y).attr("width", (d) => Math.max(.3, b(d) - a(d)))
    .attr("height", bar - 1).attr("opacity", (d) => d.depth < root.depth ? .5 : 1)
    .attr("fill", (d) => d3.hsl(hash(frameName(d)) % 55, .75, .62).toString())
    .on("click", on((e, d) => flame(d))).on("mouseleave", hide)
    .on("mousemove", on((e, d) => show(e, frameName(d) + "\n" + time(d.value) + ", " +
      (tree.value ? 100 * d.value / tree.value : 0).toFixed(2) + " %")));
  g.select("text").attr("x", (d) => a(d) + 3).attr("y", (d) => y(d) + 12.5).text((d) => {
    const room = Math.floor((b(d) - a(d) - 4) / 6.7), t = frameName(d);
    return room < 3 ? "" : t.length > room ? t.slice(0, room - 1) + "\u2026" : t;
  });
  $("flame-at").textContent = frameName(root) + ", " + time(root.value || 0);
  document.body.dataset.frames = seen.length;
}
$("flame-all").onclick = () => flame(tree);
$("pruned").textContent = data.flame.pruned ? "What is below 0.01 % of the time is summed up in [small]." : "";

addEventListener("resize", () => { resize(); flame(tree); });
resize();
table();
flame(tree);
window.eztsh = {
  data,
  zoomTo(from, to) {
    const k = (x(data.span) - x(0)) / (x(to) - x(from));
    zoom.transform(d3.select(canvas), d3.zoomIdentity.translate(gutter - k * x(from), 0).scale(k));
  },
  visible: () => shown,
  domain: () => view.domain(),
};
document.body.dataset.ready = "1";
})();
