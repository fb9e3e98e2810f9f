// The page of `report`: reads the data embedded beside it, draws with d3 (5 or later).
// No network. Times are nanoseconds since the first event. Data (engine/format/conv_html_data.c):
//   title, start (date and time, or ""), events, span, notes [text], all_threads, all_calls
//   from, to: what is shown of the span
//   names   [[text, group]], a third element for pauses: states that are no calls
//   threads [{name, process, depth, slices}], the lines of the timeline; slice_ns
//   calls   [thread, depth, name, start, duration, mark, ...] flat, by start; mark: 1 left by
//           an exception or a jump, 2 its exit was not seen, 4 a part of it; pauses too
//   values, point_values  [place in calls, or in points; text, ...]: what probes collected
//   begun, ended: how many calls did in each slice, drawn or not
//   points  [thread, name, at, ...] by time; links [from, to, name, start, end, ...]
//   vars    [{thread, name, steps: [slice, low, high, ...]}], by change
//   columns [[key, heading, kind: text, count, time or share, of which rows: all, timed or whole, of a share: of which key]]
//   rows    [{KEY: value, for each column that is no share; timed, cut, ours (1: nobody's time, no part of run)}]
//   adds    what aggregates found: adds.js
//   flame   {name: [..], parent: [..], self: [..]}, parents first
"use strict";
(function () {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const none = -1, part = -2; // slices: in no state; mostly in none
const start = data.from, stop = Math.max(start + 1, data.to), sliceNs = data.slice_ns;
// Listeners as (event, datum), which is d3 6's way; d3 5 has the event in a global.
const on = (fn) => function (a, b) { return d3.event ? fn(d3.event, a) : fn(a, b); };

// ---- words ---------------------------------------------------------------------------
const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
function unitOf(ns) { return units.find((u) => Math.abs(ns) >= u[0]) || units[3]; }
function time(ns) {
  const u = unitOf(ns);
  return (ns / u[0]).toFixed(u[0] === 1e9 ? 3 : u[0] === 1 ? 0 : 2) + " " + u[1];
}
// Of a single call: the clock tells no less than a nanosecond.
const lasted = (ns) => ns < 1 ? "less than 1 ns" : time(ns);
// With as many digits as tell times apart that differ by `step`.
function fine(ns, step, unit) {
  const digits = Math.ceil(Math.log10(unit[0] / step) - 1e-9);
  return (ns / unit[0]).toFixed(Math.max(0, Math.min(12, digits))) + " " + unit[1];
}
function exact(ns) { return Math.floor(ns / 1e9) + "." + String(Math.floor(ns % 1e9)).padStart(9, "0") + " s"; }
const count = (n, what) => d3.format(",")(n) + " " + what + (n === 1 ? "" : "s");
const label = (n) => data.names[n][0] + (data.names[n][1] ? " (" + data.names[n][1] + ")" : "");
const brief = (n) => cut(label(n), 300);
// The first n characters, no half ones; a cut is marked.
function cut(text, n) {
  return text.length <= n ? text : text.slice(0, Math.max(0, n - 1)).replace(/[\ud800-\udbff]$/, "") + "\u2026";
}
// The same out of the middle: the number at the end of a thread's name stays.
function cutMiddle(text, n) {
  const tail = Math.min(12, n >> 1);
  return text.length <= n ? text : cut(text, n - tail) + text.slice(-tail).replace(/^[\udc00-\udfff]/, "");
}
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
const colors = data.names.map(([t, g, pause]) => {
  const h = hash(t + g);
  if (pause) return t === "[events lost]" ? "#e55" : "hsl(0, 0%, " + (62 + h % 20) + "%)";
  return d3.hsl(h % 360, .4 + (h >>> 9) % 26 / 100, .58 + (h >>> 15) % 16 / 100).toString();
});

const tip = $("tip");
function show(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  const below = event.clientY + 18, y = below + h > innerHeight ? event.clientY - h - 8 : below;
  tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - w - 4)) + "px";
  tip.style.top = Math.max(0, y) + "px";
}
function hide() { tip.hidden = true; }

// ---- the head ------------------------------------------------------------------------
document.title = cut(data.title, 80) + " - eztsh report";
$("title").textContent = data.title;
$("facts").textContent = [count(data.events, "event"), exact(data.span), count(data.all_threads, "thread")]
  .concat(data.start || [], data.from > 0 || data.to < data.span ? "shown: " + exact(data.from) + " to " +
    exact(data.to) : []).join(" \u00b7 ");
d3.select("#notes").selectAll("li").data(data.notes).join("li").text((n) => n);

// ---- timeline: where things are ----------------------------------------------------------
// The canvas is as high as the box at most and stays in place while the box scrolls; what
// is drawn on it is what would be there of a picture of the full height.
const lane = 15, strip = 7, gap = 5, varHeight = 28;
const canvas = $("timeline"), box = $("threads"), ctx = canvas.getContext("2d");
const calls = data.calls, stride = 6, points = data.points, links = data.links;
// What probes collected, by the place of the call's, or point's, first number.
function byPlace(list, step) {
  const texts = new Map();
  for (let i = 0; i < list.length; i += 2) texts.set(step * list[i], list[i + 1]);
  return (i) => texts.has(i) ? cut(texts.get(i), 1000) + "\n" : "";
}
const ofCall = byPlace(data.values, stride), ofPoint = byPlace(data.point_values, 3);
const end = (i) => calls[i + 3] + calls[i + 4];
const byEnd = d3.bisector(end).left, byStart = d3.bisector((i) => calls[i + 3]).right;

// Calls by thread and depth: there they do not overlap, so both ends are in order.
const lanes = data.threads.map((t) => Array.from({ length: t.depth }, () => []));
// Pauses are drawn like them and are none: how many there are up to each, by lane.
const isCall = (i) => !data.names[calls[i + 2]][2];
for (let i = 0; i < calls.length; i += stride) lanes[calls[i]][calls[i + 1]].push(i);
const callsBefore = lanes.map((depths) => depths.map((list) => {
  const n = [0];
  for (const i of list) n.push(n[n.length - 1] + isCall(i));
  return n;
}));
const drawnCalls = d3.sum(callsBefore, (depths) => d3.sum(depths, (n) => n[n.length - 1]));

// Lines of the picture, from the top: threads, each followed by its variables.
const lines = [];
let height = 4;
function addLine(line, h) {
  lines.push(Object.assign(line, { top: height, height: h }));
  height += h;
}
data.threads.forEach((t, i) => {
  addLine({ thread: i, name: t.name }, strip + Math.max(1, t.depth) * lane + gap);
  t.line = lines[lines.length - 1];
  for (const v of data.vars.filter((v) => v.thread === i)) {
    const low = d3.min(v.steps.filter((s, k) => k % 3 === 1)), high = d3.max(v.steps.filter((s, k) => k % 3 === 2));
    v.y = d3.scaleLinear().domain(low < high ? [low, high] : [low - 1, low + 1]).range([varHeight - 5, 3]);
    addLine({ variable: v, name: "  " + label(v.name), range: low + " to " + high }, varHeight);
  }
});
const tops = lines.map((l) => l.top);

// Calls in a span of time, drawn or not, to the slice: at least those that are there.
const begun = [0], ended = [0];
for (let i = 0; i < data.begun.length; i++) {
  begun.push(begun[i] + data.begun[i]);
  ended.push(ended[i] + data.ended[i]);
}
function callsIn(from, to) {
  const slice = (at) => Math.max(0, Math.min(data.begun.length - 1, Math.floor(at)));
  return begun[slice((to - start) / sliceNs + 1e-6) + 1] - ended[slice((from - start) / sliceNs - 1e-6)];
}

let width = 0, high = 0, gutter = 120, x = d3.scaleLinear(), view = x, found = null, shown = 0, asked = 0;
const zoom = d3.zoom().on("zoom", on((e) => {
  view = e.transform.rescaleX(x);
  if (e.sourceEvent && e.sourceEvent.type === "mousemove") box.scrollTop -= e.sourceEvent.movementY;
  redraw();
})).filter(on((e) => e.type === "wheel" ? !e.shiftKey && e.offsetX >= gutter : !e.button && !e.ctrlKey));
const zoomed = d3.select(canvas);
const transform = () => d3.zoomTransform(canvas);

// Show this span of time.
function zoomTo(from, to) {
  const k = (width - 6 - gutter) / (x(to) - x(from));
  zoom.transform(zoomed, d3.zoomIdentity.translate(gutter - k * x(from), 0).scale(k));
}

function resize() {
  const dpr = window.devicePixelRatio || 1, before = width && view.domain();
  high = Math.max(24, Math.min(height, Math.floor(innerHeight * .7)));
  canvas.style.height = box.style.height = high + "px";
  $("space").style.height = Math.max(0, height - high) + "px";
  width = Math.max(300, box.clientWidth);
  canvas.style.width = width + "px";
  canvas.width = width * dpr;
  canvas.height = high * dpr;
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.font = "12px system-ui, sans-serif";
  const names = d3.max(lines, (l) => ctx.measureText(cut(l.name, 60)).width) || 0;
  gutter = Math.round(Math.max(60, Math.min(names + 14, width * .25, 300)));
  x = d3.scaleLinear().domain([start, stop]).range([gutter, width - 6]);
  const area = [[gutter, 0], [width - 6, high]];
  zoom.scaleExtent([1, Math.max(1, (stop - start) / 20)]).translateExtent(area).extent(area);
  if (before) zoomTo(before[0], before[1]); else view = x;
  draw();
}

// ---- timeline: drawing ---------------------------------------------------------------
function drawStrip(t, top, from, to) {
  const s = t.slices, last = Math.min(s.length, Math.ceil((to - start) / sliceNs));
  for (let i = Math.max(0, Math.floor((from - start) / sliceNs)); i < last;) {
    let k = i + 1;
    while (k < last && s[k] === s[i]) k++; // alike: in one piece
    if (s[i] !== none) {
      const a = Math.max(gutter, view(start + i * sliceNs)), b = view(start + k * sliceNs);
      ctx.fillStyle = s[i] === part ? "#8888" : colors[s[i]];
      ctx.fillRect(a, top, Math.max(.6, b - a), strip - 1);
    }
    i = k;
  }
}

// Calls [first, last) of a lane. What would end on a pixel already painted is not painted.
function drawLane(calls_, first, last, y, want) {
  const char = ctx.measureText("0").width;
  let painted = -1;
  for (let k = first; k < last; k++) {
    const i = calls_[k], name = calls[i + 2];
    if (want !== null && found.has(name) !== want) continue;
    const a = Math.max(gutter, view(calls[i + 3])), b = Math.min(width, view(end(i)));
    if (b < painted) continue;
    painted = Math.max(b, a + .5);
    ctx.globalAlpha = want === false ? .15 : 1;
    ctx.fillStyle = colors[name];
    ctx.fillRect(a, y, Math.max(.5, b - a - (b - a > 3 ? .5 : 0)), lane - 1);
    const room = Math.floor((b - a - 6) / char);
    if (room < 3) continue;
    ctx.fillStyle = "#000";
    ctx.fillText(cut(data.names[name][0], room), a + 3, y + lane / 2, b - a - 6);
  }
  ctx.globalAlpha = 1;
}

// A variable: in each slice from its lowest to its highest value.
function drawVariable(v, top, from, to, color) {
  const s = v.steps;
  ctx.fillStyle = color;
  for (let i = 0; i < s.length; i += 3) {
    const a = start + s[i] * sliceNs, b = i + 3 < s.length ? start + s[i + 3] * sliceNs : stop;
    if (b < from || a > to) continue;
    const left = Math.max(gutter, view(a)), right = Math.min(width, view(b)), y = v.y(s[i + 2]);
    ctx.fillRect(left, top + y, Math.max(1, right - left), Math.max(1.5, v.y(s[i + 1]) - y));
  }
}

function drawPoints(from, to, scroll, color) {
  ctx.fillStyle = color;
  for (let i = 0; i < points.length; i += 3) {
    if (points[i + 2] < from || points[i + 2] > to) continue;
    const at = view(points[i + 2]), y = data.threads[points[i]].line.top - scroll;
    ctx.globalAlpha = found && !found.has(points[i + 1]) ? .15 : 1;
    ctx.beginPath(); // a wedge, and a line down to the calls
    ctx.moveTo(at - 3, y - 2);
    ctx.lineTo(at + 3, y - 2);
    ctx.lineTo(at, y + 4);
    ctx.fill();
    ctx.fillRect(at - .5, y, 1, strip + 4);
  }
  ctx.globalAlpha = 1;
}

function drawLinks(from, to, scroll, color) {
  ctx.globalAlpha = .5;
  ctx.strokeStyle = color;
  ctx.beginPath();
  for (let i = 0; i < links.length; i += 5) {
    if (links[i + 4] < from || links[i + 3] > to || (found && !found.has(links[i + 2]))) continue;
    const y = [links[i], links[i + 1]].map((t) => data.threads[t].line.top + strip / 2 - scroll);
    ctx.moveTo(view(links[i + 3]), y[0]);
    ctx.lineTo(view(links[i + 4]), y[1]);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function drawAxis(from, to) {
  const n = Math.max(2, (width - gutter) / 130), step = Math.max(1, d3.tickStep(from, to, n)), unit = unitOf(to);
  d3.select("#axis").selectAll("g").data([0]).join("g").attr("transform", "translate(0,23)")
    .call(d3.axisTop(view).tickValues(d3.range(Math.ceil(from / step), Math.floor(to / step) + 1)
      .map((i) => i * step)).tickFormat((t) => view(t) > width - 45 ? "" : fine(t, step, unit)));
}

function drawNames(scroll, color) {
  ctx.clearRect(0, 0, gutter - 1, high);
  const room = gutter - 10;
  function put(text, y, size) {
    ctx.font = size + "px system-ui, sans-serif";
    const char = ctx.measureText("n").width, fits = ctx.measureText(cut(text, 200)).width <= room;
    ctx.fillText(fits ? text : cutMiddle(text, Math.floor(room / char)), 4, y, room);
  }
  ctx.fillStyle = color;
  for (const l of lines) {
    const y = l.top - scroll;
    if (y > high || y + l.height < 0) continue;
    if (l.variable) {
      put(l.name, y + 8, 11);
      put("  " + l.range, y + 20, 10);
    } else {
      put(l.name, y + strip + lane / 2, 12);
    }
  }
}

function draw() {
  const color = getComputedStyle(document.body).color, scroll = box.scrollTop;
  const from = Math.max(start, view.domain()[0]), to = Math.min(x.domain()[1], view.domain()[1]);
  ctx.clearRect(0, 0, width, high);
  ctx.textBaseline = "middle";
  ctx.font = "11px ui-monospace, monospace";
  shown = 0;
  for (const l of lines) {
    const y = l.top - scroll, visible = y < high && y + l.height > 0;
    if (l.variable) {
      if (visible) drawVariable(l.variable, y, from, to, colors[l.variable.name]);
      continue;
    }
    if (visible) drawStrip(data.threads[l.thread], y, from, to);
    lanes[l.thread].forEach((list, depth) => {
      const first = byEnd(list, from), last = byStart(list, to), at = y + strip + depth * lane;
      shown += Math.max(0, callsBefore[l.thread][depth][last] - callsBefore[l.thread][depth][Math.min(first, last)]);
      if (!visible || at > high || at + lane < 0) return;
      for (const want of found ? [false, true] : [null]) drawLane(list, first, last, at, want);
    });
  }
  drawLinks(from, to, scroll, color);
  drawPoints(from, to, scroll, color);
  drawNames(scroll, color);
  drawAxis(from, to);
  const unit = unitOf(to), digits = (to - from) / 1000, all = drawnCalls === data.all_calls ? shown : callsIn(from, to);
  const whole = from <= start && to >= stop;
  $("window").textContent = fine(from, digits, unit) + " to " + fine(to, digits, unit) + " (" + time(to - from) + "), " +
    (all > shown ? d3.format(",")(shown) + " of " + (whole ? "" : "up to ") + count(all, "call") + " drawn" : count(shown, "call"));
  document.body.dataset.shown = shown;
  document.body.dataset.all = all;
}
// Soon, and once however often it is asked for.
function redraw() {
  if (!asked) asked = requestAnimationFrame(() => { asked = 0; draw(); });
}

// ---- timeline: what is where -----------------------------------------------------------
function marks(m) {
  return (m & 1 ? "left by an exception or a jump\n" : "") + (m & 2 && !(m & 4) ? "its exit was not seen\n" : "") +
    (m & 4 ? "a part of it: the rest is lost, or not in the picture\n" : "");
}
function callText(t, depth, at, slack) {
  const list = lanes[t][depth] || [];
  let best = null; // of those that near, the one that is seen best
  for (let k = byEnd(list, at - slack); k < list.length && calls[list[k] + 3] <= at + slack; k++)
    if (best === null || calls[list[k] + 4] > calls[best + 4]) best = list[k];
  return best === null ? null : brief(calls[best + 2]) + "\n" + lasted(calls[best + 4]) + " from " +
    exact(calls[best + 3]) + "\n" + ofCall(best) + marks(calls[best + 5]) + data.threads[t].name;
}
function stripText(t, at, slack) {
  for (let i = 0; i < points.length; i += 3)
    if (points[i] === t && Math.abs(points[i + 2] - at) <= 4 * slack)
      return brief(points[i + 1]) + "\n" + ofPoint(i) + "at " + exact(points[i + 2]);
  const name = data.threads[t].slices[Math.floor((at - start) / sliceNs)];
  return name >= 0 ? brief(name) + "\nfor most of a slice of " + time(data.slice_ns) : null;
}
function variableText(v, at) {
  const k = d3.bisectRight(v.steps.filter((s, i) => i % 3 === 0), (at - start) / sliceNs) - 1, s = v.steps;
  return k < 0 ? null : brief(v.name) + " = " + (s[3 * k + 1] === s[3 * k + 2] ? s[3 * k + 1] :
    s[3 * k + 1] + " to " + s[3 * k + 2]);
}
function textAt(event) {
  const r = canvas.getBoundingClientRect(), px = event.clientX - r.left, py = event.clientY - r.top + box.scrollTop;
  const l = lines[d3.bisectRight(tops, py) - 1], at = view.invert(px), slack = view.invert(px + 1) - at;
  if (!l || py > height) return null;
  if (px < gutter) return cut(l.name.trim(), 300) + (l.variable ? "\n" + l.range : "\n" + data.threads[l.thread].process);
  if (l.variable) return variableText(l.variable, at);
  const depth = Math.floor((py - l.top - strip) / lane);
  return depth < 0 ? stripText(l.thread, at, slack) : callText(l.thread, depth, at, slack);
}

zoomed.call(zoom).on("mousemove.tip", on((e) => {
  const text = textAt(e);
  if (text) show(e, text); else hide();
})).on("mouseleave.tip", hide);
canvas.addEventListener("wheel", (e) => {
  if (!e.shiftKey) return;
  box.scrollTop += e.deltaY || e.deltaX;
  e.preventDefault();
}, { passive: false });
box.addEventListener("scroll", () => { hide(); redraw(); });
const keys = {
  "+": () => zoom.scaleBy(zoomed, 2), "=": () => zoom.scaleBy(zoomed, 2), "-": () => zoom.scaleBy(zoomed, .5),
  0: () => zoom.transform(zoomed, d3.zoomIdentity), Home: () => zoom.transform(zoomed, d3.zoomIdentity),
  ArrowLeft: () => zoom.translateBy(zoomed, (width - gutter) / 8 / transform().k, 0),
  ArrowRight: () => zoom.translateBy(zoomed, -(width - gutter) / 8 / transform().k, 0),
  ArrowUp: () => { box.scrollTop -= 40; }, ArrowDown: () => { box.scrollTop += 40; },
};
canvas.addEventListener("keydown", (e) => {
  if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
  keys[e.key]();
  e.preventDefault();
});
$("zoom-in").onclick = keys["+"];
$("zoom-out").onclick = keys["-"];
$("zoom-all").onclick = keys[0];
$("find").oninput = () => {
  const q = $("find").value.toLowerCase();
  found = q ? new Set(d3.range(data.names.length).filter((i) => label(i).toLowerCase().includes(q))) : null;
  draw();
};
function drawnText(n, all, what, rest) {
  if (!all) return "";
  return all > n ? count(n, what) + " of " + d3.format(",")(all) + " are drawn, " + rest + ". " :
    (all > 1 ? "All " : "") + count(all, what) + (all > 1 ? " are" : " is") + " drawn. ";
}
$("drawn").textContent = drawnText(drawnCalls, data.all_calls, "call",
  "the longest of the threads shown; the table counts all, and report -from T -to T makes a page of what is in between") +
  drawnText(points.length / 3, data.all_points, "point", "evenly over the trace") +
  drawnText(links.length / 5, data.all_links, "link", "evenly over the trace");
canvas.setAttribute("aria-label", "Timeline of " + count(data.threads.length, "thread") + "; the table below has the numbers");

// ---- table ---------------------------------------------------------------------------
const most = 2000;
const columns = data.columns.map(([key, heading, kind, of, part]) => ({ key, heading, kind, of, part }));
const texts = columns.filter((c) => c.kind === "text").length;
for (const c of columns.filter((c) => c.kind === "share"))
  for (const r of data.rows)
    r[c.key] = data.run && !r.ours ? r[c.part] / data.run : 0; // ours: nobody's time, which the run has not
let order = "total", reversed = false;
const isText = (key) => columns.find((c) => c.key === key).kind === "text";
function cell(r, c) {
  if (c.kind === "text") return r[c.key];
  if (r.ours && c.kind === "share") return "-";
  if (c.of !== "all" && r.timed === 0 && (c.of === "whole" || r.cut === 0)) return "-";
  return c.kind === "count" ? d3.format(",")(r[c.key]) : c.kind === "share" ? (100 * r[c.key]).toFixed(1) : time(r[c.key]);
}
function sortBy(key) {
  reversed = key === order && !reversed;
  order = key;
  table();
}
function table() {
  const q = $("filter").value.toLowerCase(), text = isText(order);
  const rows = data.rows.filter((r) => (r.function + " " + r.library).toLowerCase().includes(q))
    .sort((a, b) => (text !== reversed ? d3.ascending : d3.descending)(a[order], b[order]));
  d3.select("#table thead").selectAll("tr").data([0]).join("tr").selectAll("th").data(columns).join("th")
    .text((c) => c.heading).attr("tabindex", 0)
    .attr("aria-sort", (c) => c.key !== order ? null : text !== reversed ? "ascending" : "descending")
    .attr("class", (c) => (c.kind === "text" ? "" : "num") + (c.key !== order ? "" : text !== reversed ? " sorted up" : " sorted"))
    .on("click", on((e, c) => sortBy(c.key)))
    .on("keydown", on((e, c) => { if (e.key === "Enter") sortBy(c.key); }));
  d3.select("#table tbody").selectAll("tr").data(rows.slice(0, most)).join("tr")
    .selectAll("td").data((r) => columns.map((c) => cell(r, c))).join("td")
    .text((t) => t).attr("class", (t, i) => i < texts ? null : "num")
    .attr("title", (t, i) => i < texts && t.length > 40 ? t : null);
  $("matching").textContent = count(rows.length, "function") + (rows.length > most ? ", the first " + most + " are shown" : "");
  document.body.dataset.rows = rows.length;
}
$("filter").oninput = table;

// ---- flame graph -----------------------------------------------------------------------
const bar = 18;
const frames = data.flame.parent.map((p, i) => ({ id: i + 1, parent: p + 1 }));
frames.unshift({ id: 0, parent: null });
const tree = d3.stratify().id((f) => f.id).parentId((f) => f.parent)(frames)
  .sum((f) => f.id ? data.flame.self[f.id - 1] : 0).sort((a, b) => b.value - a.value);
d3.partition()(tree);
let flameRoot = tree;
function frameName(d) { return +d.id === 0 ? "all" : data.flame.name[+d.id - 1]; }
function frameText(d) {
  return cut(frameName(d), 300) + "\n" + time(d.value) + ", " + (tree.value ? 100 * d.value / tree.value : 0).toFixed(2) +
    " %; self " + time(+d.id === 0 ? 0 : data.flame.self[+d.id - 1]);
}
function flame(root) {
  flameRoot = root;
  const w = $("flames").clientWidth, fx = d3.scaleLinear().domain([root.x0, root.x1]).range([0, w]);
  const a = (d) => Math.max(0, fx(d.x0)), b = (d) => Math.min(w, fx(d.x1));
  const seen = root.descendants().filter((d) => fx(d.x1) - fx(d.x0) > .4 || d === root).concat(root.ancestors().slice(1));
  const deepest = d3.max(seen, (d) => d.depth), y = (d) => (deepest - d.depth) * bar;
  const g = d3.select("#flame").attr("height", (deepest + 1) * bar).selectAll("g").data(seen, (d) => d.id).join((e) => {
    const n = e.append("g");
    n.append("rect");
    n.append("text");
    return n;
  });
  g.select("rect").attr("x", a).attr("y", y).attr("width", (d) => Math.max(.3, b(d) - a(d)))
    .attr("height", bar - 1).attr("opacity", (d) => d.depth < root.depth ? .5 : 1)
    .attr("fill", (d) => d3.hsl(hash(frameName(d)) % 55, .75, .62).toString())
    .on("click", on((e, d) => flame(d))).on("mouseleave", hide)
    .on("mousemove", on((e, d) => show(e, frameText(d))));
  g.select("text").attr("x", (d) => a(d) + 3).attr("y", (d) => y(d) + 12.5).text((d) => {
    const room = Math.floor((b(d) - a(d) - 4) / 6.7);
    return room < 3 ? "" : cut(frameName(d), room);
  });
  const flames = $("flames"); // the frame zoomed to is at the bottom, and what stands on it above
  flames.scrollTop = y(root) + 3 * bar - flames.clientHeight;
  $("flame-at").textContent = cut(frameName(root), 200) + ", " + time(root.value || 0);
  document.body.dataset.frames = seen.length;
  hide();
}
$("flame-all").onclick = () => flame(tree);
$("pruned").textContent = data.flame.pruned ? "What is below 0.01 % of the time is summed up in [small]." : "";

addEventListener("resize", () => { resize(); flame(flameRoot); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
resize();
table();
flame(tree);
// For tests, and for whoever asks in the browser's console.
window.eztsh = {
  data, tree, zoomTo, time,
  visible: () => shown,
  domain: () => view.domain(),
  // Where the middle of call i is in the window; scrolls it into view.
  where(i) {
    const c = calls.slice(stride * i, stride * i + 5), y = data.threads[c[0]].line.top + strip + (c[1] + .5) * lane;
    canvas.scrollIntoView({ block: "center" });
    box.scrollTop = y - high / 2;
    const r = canvas.getBoundingClientRect();
    return [r.left + view(c[3] + c[4] / 2), r.top + y - box.scrollTop];
  },
};
document.body.dataset.ready = "1";
})();
