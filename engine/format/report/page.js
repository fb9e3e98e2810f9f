// The page of `report`: reads the data in the page, and draws with d3 (5 or later), without
// network. Drawing also needs lines.js and colors.js, which come later. Times are nanoseconds since
// the first event. Data (engine/format/conv_html_data.c):
//   title, start (date and time, or ""), events, span, notes [text], all_threads, all_calls
//   from, to  the part of the span that is shown
//   names   [[text, group, pause, point]]; pause and point are left out if they are 0. Pauses are
//           states that are not calls (1 outside of calls, 2 within calls, 3 caused by eztsh);
//           points have no length
//   sources [name, source file, line, ...] flat: where functions begin in the source
//   chunks  number of chunks with all calls at the end of the page (store.js); 0: they did not fit
//   places  [[name, level, container around it, rank, pid or tid]], by container; -1: none
//   each    [container, time from its first to its last event, in calls, in pauses, ...] flat, of
//           containers with events
//   roles   the role of each name: an index in role_names
//   messages, lock_events  their numbers (messages.js, locks.js); many_...: they did not fit
//   locks   [[text, process], ...] of the lock events
//   threads [{name, process, container, depth, slices, paused}], the lines of the timeline.
//           slices: the name with the most time in each slice (of slice_ns ns), -1: no state,
//           -2: mostly no state; paused: the slices in which the thread did not run for more than
//           half of the time of that name
//   calls   [thread, depth, name, start, duration, mark, ...] flat, by start; also has pauses.
//           mark: 1 left by an exception or longjmp, 2 the exit is missing, 4 only a part is known
//   values, point_values  [index in calls, or in points; text, ...]: values that probes collected
//   begun, ended  number of calls that began or ended in each slice, also if they are not drawn
//   points  [thread, name, time, ...] by time; links [from, to, name, start, end, ...]
//   vars    [{thread, name, unit, steps: [slice, low, high, ...]}]; only slices with a change
//   columns [[key, heading, kind (text, count, time or share), rows that have a value (all, timed
//           or whole), for a share the key of which it is a share]]
//   rows    [{KEY: value, for each column that is not a share; timed, cut, ours (1: a pause of
//           eztsh, whose time is not part of `run`)}]; run: the time to which shares refer
//   adds    aggregates: adds.js
//   compared  another run: compare.js
//   flame   {name: [..], parent: [..], self: [..]}, parents first
"use strict";
const data = store.data;
const $ = (id) => document.getElementById(id);
// Removes characters that change the direction of text, because they would also affect the text and
// the number beside a name.
for (const t of data.threads) for (const k of ["name", "process"]) t[k] = t[k].replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
const none = -1, part = -2; // in slices: no state; mostly no state
const start = data.from, stop = Math.max(start + 1, data.to), sliceNs = data.slice_ns;
// Returns a listener that calls fn(event, datum), as d3 6 does. In d3 5 the event is a global.
const on = (fn) => function (a, b) { return d3.event ? fn(d3.event, a) : fn(a, b); };

// ---- words ---------------------------------------------------------------------------
const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
function unitOf(ns) { return units.find((u) => Math.abs(ns) >= u[0]) || units[3]; }
function time(ns) {
  const u = unitOf(ns);
  return (ns / u[0]).toFixed(u[0] === 1e9 ? 3 : u[0] === 1 ? 0 : 2) + " " + u[1];
}
// The duration of a single call, for which the clock's resolution is a nanosecond.
const lasted = (ns) => ns < 1 ? "less than 1 ns" : time(ns);
// Formats a time with as many digits as are needed to distinguish times that differ by `step`.
function fine(ns, step, unit) {
  const digits = Math.ceil(Math.log10(unit[0] / step) - 1e-9);
  return (ns / unit[0]).toFixed(Math.max(0, Math.min(12, digits))) + " " + unit[1];
}
function exact(ns) { return Math.floor(ns / 1e9) + "." + String(Math.floor(ns % 1e9)).padStart(9, "0") + " s"; }
const count = (n, what) => d3.format(",")(n) + " " + what + (n === 1 ? "" : "s");
const label = (n) => data.names[n][0] + (data.names[n][1] ? " (" + data.names[n][1] + ")" : "");
const brief = (n) => cut(label(n), 300);
// Returns text cut to n characters, with an ellipsis at a cut; does not split a surrogate pair.
function cut(text, n) {
  return text.length <= n ? text : text.slice(0, Math.max(0, n - 1)).replace(/[\ud800-\udbff]$/, "") + "\u2026";
}
// Like cut(), but cuts in the middle, so that the number at the end of a thread's name stays.
function cutMiddle(text, n) {
  const tail = Math.min(12, n >> 1);
  return text.length <= n ? text : cut(text, n - tail) + text.slice(-tail).replace(/^[\udc00-\udfff]/, "");
}
// Makes elements reachable by the keyboard: the first by Tab, and the others from there by arrows.
// step(key, element) returns the next element. act(event, datum) handles all other keys, and
// returns true for a key that it used.
function reach(selection, step, act) {
  selection.attr("tabindex", (d, i) => i ? -1 : 0).on("keydown", on((e) => {
    const at = e.currentTarget, next = step(e.key, at);
    if (e.target !== at || e.ctrlKey || e.altKey || e.metaKey) return;
    if (next) {
      at.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    } else if (!act(e, d3.select(at).datum())) return;
    else if (at.isConnected) at.focus({ preventScroll: true }); // needed if act() moved the element
    e.preventDefault();
    e.stopPropagation();
  }));
}
const upDown = (key, at) => key === "ArrowDown" ? at.nextElementSibling : key === "ArrowUp" ? at.previousElementSibling : null;

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

function note(text) { $("notes").appendChild(document.createElement("li")).textContent = text; }

// ---- timeline: where things are ----------------------------------------------------------
// The canvas is at most as high as the box, and stays in place while the box scrolls. It shows the
// part of a picture of the full height to which the box is scrolled.
const lane = 15, strip = 7, gap = 5, varHeight = 28;
const canvas = $("timeline"), box = $("threads"), ctx = canvas.getContext("2d");
const calls = data.calls, stride = 6, points = data.points, links = data.links;
// Returns a function that returns the collected values of a call or a point. Its argument is the
// index of the first number of the call or point in `calls` or `points`, where each has `step`.
function byPlace(list, step) {
  const texts = new Map();
  for (let i = 0; i < list.length; i += 2) texts.set(step * list[i], list[i + 1]);
  return (i) => texts.has(i) ? cut(texts.get(i), 1000) + "\n" : "";
}
const ofCall = byPlace(data.values, stride), ofPoint = byPlace(data.point_values, 3);
// A source of calls to draw: the longest calls of the trace, or a chunk. `of` returns the
// properties of call i. lanes: by depth, the calls i; they do not overlap, so their starts and
// their ends are both in order. before: by depth, the number of calls before each one (pauses are
// drawn like calls but not counted).
function source(of, numbers, depths) {
  const lanes = Array.from({ length: depths }, () => []);
  for (const i of numbers) if (of.depth(i) < depths) lanes[of.depth(i)].push(i);
  const before = lanes.map((list) => {
    const n = [0];
    for (const i of list) n.push(n[n.length - 1] + !data.names[of.name(i)][2]);
    return n;
  });
  return Object.assign(of, { lanes, before, byEnd: d3.bisector(of.end).left, byStart: d3.bisector(of.start).right });
}
const flat = { depth: (i) => calls[i + 1], name: (i) => calls[i + 2], start: (i) => calls[i + 3],
  end: (i) => calls[i + 3] + calls[i + 4], mark: (i) => calls[i + 5], values: (i) => ofCall(i) };
const numbers = data.threads.map(() => []);
for (let i = 0; i < calls.length; i += stride) numbers[calls[i]].push(i);
const longest = data.threads.map((t, i) => source({ ...flat }, numbers[i], t.depth));
const drawnCalls = d3.sum(longest, (l) => d3.sum(l.before, (n) => n[n.length - 1]));
const complete = drawnCalls === data.all_calls && points.length / 3 === data.all_points;
// Returns a chunk as a source. Calls that are open at its start are only part of it if it is the
// first of the chunks that are drawn, because otherwise the previous chunk contains them.
function chunkSource(t, chunk, isFirst) {
  const c = chunk.calls, key = isFirst ? "whole" : "rest";
  if (!c[key]) {
    c[key] = source({ depth: (i) => c.depth[i], name: (i) => store.tree.name[c.node[i]], start: (i) => c.start[i],
      end: (i) => c.end[i], mark: (i) => c.mark[i], values: (i) => c.values.has(i) ? cut(c.values.get(i), 1000) + "\n" : "",
      chunk }, d3.range(isFirst ? 0 : c.open, c.n).filter((i) => !c.point[i]), data.threads[t].depth);
  }
  return c[key];
}
const mostChunks = 24; // maximum number of chunks that are drawn call by call
let allThere = false; // the chunks can be read
// Handles a chunk that cannot be read: from then on, the page only shows what needs no chunks.
function damaged(e) {
  console.error(e);
  if (document.body.dataset.chunks === "0") return;
  document.body.dataset.chunks = 0;
  allThere = false;
  chosen = drawnFrom = null;
  $("call").hidden = true;
  $("drawn").textContent = drawnWords();
  note("This page is damaged, or not complete: the table and the flame graph are of all of it, whatever the timeline shows");
  selected = "";
  draw();
}
// Returns thread -> chunks in [from, to], or null if these are not there, not needed, too many, or
// not unpacked yet.
function chunksInView(threads, from, to) {
  if (complete || !allThere) return null;
  const by = new Map(threads.map((t) => [t, store.chunksIn(data.threads[t].container, from, to)]));
  const missing = [].concat(...by.values()).filter((c) => !c.calls);
  if (d3.sum(by.values(), (list) => list.length) > mostChunks) return null;
  if (missing.length) Promise.all(missing.map((c) => store.callsOf(c))).then(redraw, damaged);
  return missing.length ? null : by;
}

// Returns the number of calls in a span of time that is widened to whole slices, so it is an upper
// limit; also counts calls that are not drawn.
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
const state = { thread: null, group: null, filter: null }; // the selected thread, or host or process; the filter (filter.js)
let chosen = null; // the call whose details are shown: {chunk, calls, at} of store.js
const zoom = d3.zoom().on("zoom", on((e) => {
  view = e.transform.rescaleX(x);
  if (e.sourceEvent && e.sourceEvent.type === "mousemove") box.scrollTop -= e.sourceEvent.movementY;
  redraw();
})).filter(on((e) => e.type === "wheel" ? !e.shiftKey && e.offsetX >= gutter :
  (e.type !== "dblclick" || e.offsetX >= gutter) && !e.button && !e.ctrlKey));
const zoomed = d3.select(canvas);
const transform = () => d3.zoomTransform(canvas);

// Shows this span of time.
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
  const names = d3.max(lines, (l) => l.indent + (l.group ? 30 : 0) + Math.max((l.group ? 1.12 : 1) * ctx.measureText(cut(l.name, 60)).width, ctx.measureText(l.range || "").width)) || 0;
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
  const paused = t.pausedSet || (t.pausedSet = new Set(t.paused));
  for (let i = Math.max(0, Math.floor((from - start) / sliceNs)); i < last;) {
    let k = i + 1;
    while (k < last && s[k] === s[i] && paused.has(k) === paused.has(i)) k++; // equal: in one piece
    if (s[i] !== none) {
      const a = Math.max(gutter, view(start + i * sliceNs)), b = view(start + k * sliceNs);
      const thin = paused.has(i); // the thread did not run: a thin line in the function's color
      ctx.fillStyle = s[i] === part ? "#8888" : colorOn(s[i], t.container);
      ctx.fillRect(a, top + (thin ? strip / 2 - 1.5 : 0), Math.max(.6, b - a), thin ? 2 : strip - 1);
    }
    i = k;
  }
}

// Returns true if the search or the filter leaves out a call, which is then drawn pale.
function isPale(of, i, name) {
  if (found && !found.has(name)) return true;
  const f = state.filter;
  if (!f || data.names[name][2]) return false;
  const flags = of.chunk && f.flags && f.flags.get(of.chunk);
  if (flags) return !flags[i];
  const ns = of.end(i) - of.start(i);
  return !f.byName[name] || ns < f.min || ns > f.max;
}
// Draws calls [first, last) of a lane. Skips a call that would end on a pixel that is already
// painted. pale: true or false = only calls for which isPale() is this; null = all.
function drawLane(of, container, list, first, last, y, pale, color) {
  const char = ctx.measureText("0").width;
  let painted = -1;
  for (let k = first; k < last; k++) {
    const i = list[k], name = of.name(i), b = Math.min(width, view(of.end(i)));
    if (b < painted || (pale !== null && isPale(of, i, name) !== pale)) continue;
    const a = Math.max(gutter, view(of.start(i)));
    painted = Math.max(b, a + .5);
    ctx.globalAlpha = pale ? .15 : 1;
    ctx.fillStyle = colorOn(name, container);
    const low = data.names[name][2] ? 4 : 0; // a pause is not a call, so its bar is lower
    ctx.fillRect(a, y + low, Math.max(.5, b - a - (b - a > 3 ? .5 : 0)), lane - 1 - 2 * low);
    const room = Math.floor((b - a - 6) / char);
    if (room < 3) continue;
    ctx.fillStyle = "#000";
    const text = cut(data.names[name][0], room);
    if (low) ctx.clearRect(a + 2, y, ctx.measureText(text).width + 3, lane - 1);
    if (low) ctx.fillStyle = color;
    ctx.fillText(text, a + 3, y + lane / 2, b - a - 6);
  }
  ctx.globalAlpha = 1;
}

// Draws a variable: in each slice a bar from its lowest to its highest value.
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

// Calls fn(thread, name, time, values) for each point in a span of time. For threads that are drawn
// from chunks, these are all points of the chunks; for other threads, those in `points`.
function eachPoint(from, to, fn) {
  for (const [t, list] of drawnFrom || [])
    for (const c of list.map((chunk) => chunk.calls).filter((c) => c))
      for (let i = c.open; i < c.n && c.start[i] <= to; i++)
        if (c.point[i] && c.start[i] >= from) fn(t, store.tree.name[c.node[i]], c.start[i], c.values.has(i) ? cut(c.values.get(i), 1000) + "\n" : "");
  for (let i = 0; i < points.length; i += 3)
    if (points[i + 2] >= from && points[i + 2] <= to && !(drawnFrom && drawnFrom.has(points[i]))) fn(points[i], points[i + 1], points[i + 2], ofPoint(i));
}
function drawPoints(from, to, scroll, color) {
  const last = new Map(); // thread and shade -> x of the last drawn point; others there are skipped
  let n = 0;
  ctx.fillStyle = color;
  eachPoint(from, to, (t, name, when) => {
    const l = lineOf[t], at = view(when), pale = (found && !found.has(name)) || (state.filter && !state.filter.byName[name]);
    const y = l && l.top + (l.folded ? headHeight : 0) - scroll, key = 2 * t + (pale ? 1 : 0);
    n++;
    if (!l) return;
    if (at - last.get(key) < .5) return;
    last.set(key, at);
    ctx.globalAlpha = pale ? .15 : 1;
    ctx.beginPath(); // draws a wedge, and a line down to the calls
    ctx.moveTo(at - 3, y - 2);
    ctx.lineTo(at + 3, y - 2);
    ctx.lineTo(at, y + 4);
    ctx.fill();
    ctx.fillRect(at - .5, y, 1, strip + 4);
  });
  ctx.globalAlpha = 1;
  document.body.dataset.points = n;
}

function drawLinks(from, to, scroll, color) {
  ctx.globalAlpha = .5;
  ctx.strokeStyle = color;
  ctx.beginPath();
  for (let i = 0; i < links.length; i += 5) {
    if (links[i + 4] < from || links[i + 3] > to || (found && !found.has(links[i + 2]))) continue;
    const y = [links[i], links[i + 1]].map((t) => middleOf(t) - scroll);
    if (isNaN(y[0] + y[1])) continue;
    ctx.moveTo(view(links[i + 3]), y[0]);
    ctx.lineTo(view(links[i + 4]), y[1]);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

// Returns the sources from which draw() last drew a thread's calls.
let drawnFrom = null;
function sourcesOf(t) {
  const chunks = drawnFrom && drawnFrom.get(t); // some may have lost their calls since
  return chunks && chunks.every((c) => c.calls) ? chunks.map((c, i) => chunkSource(t, c, i === 0)) : [longest[t]];
}
// Returns the containers of the selected thread, process or host that the filter shows; null: all.
function selectedContainers() {
  const f = state.filter, all = state.thread !== null ? [state.thread] : state.group !== null && groups.has(state.group) ? groups.get(state.group).threads : null;
  const list = all && all.map((t) => data.threads[t].container);
  return f && allThere ? (list || store.containersOf(null)).filter((c) => f.shown[c]) : list;
}
function isSelectedLine(l) {
  if (state.thread !== null) return l.group ? l.threads.includes(state.thread) : l.thread === state.thread;
  if (state.group === null) return true;
  for (let g = l.group || groupOf[l.thread]; g; g = g.parent) if (g.container === state.group) return true;
  return false;
}
function drawVeil(y, h) { // makes threads that are not selected pale
  ctx.globalAlpha = .6;
  ctx.fillStyle = matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff";
  ctx.fillRect(gutter, y, width - gutter, h);
  ctx.globalAlpha = 1;
}
function drawChosen(scroll, color) { // draws a frame around the call whose details are shown
  if (!chosen) return;
  const { chunk, calls: c, at } = chosen, t = data.threads.findIndex((h) => h.container === chunk.container);
  if (t < 0 || c.depth[at] >= data.threads[t].depth || !rowShown(t)) return;
  const a = Math.max(gutter, view(c.start[at])), b = Math.min(width, view(c.end[at]));
  if (b < gutter || a > width) return;
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.strokeRect(a, lineOf[t].top - scroll + strip + c.depth[at] * lane, Math.max(2, b - a), lane - 1);
  ctx.lineWidth = 1;
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
  function put(text, y, size, indent) {
    ctx.font = size + "px system-ui, sans-serif";
    const char = ctx.measureText("n").width, left = room - indent, fits = ctx.measureText(cut(text, 200)).width <= left;
    ctx.fillText(fits ? text : cutMiddle(text, Math.floor(left / char)), 4 + indent, y, left);
  }
  ctx.fillStyle = color;
  for (const l of lines) {
    const y = l.top - scroll;
    if (y > high || y + l.height < 0 || l.group) continue; // headings are buttons
    if (l.variable) {
      put(l.name, y + 8, 11, l.indent + 8);
      put(l.range, y + 20, 10, l.indent + 14);
    } else {
      put(l.name, y + strip + lane / 2, 12, l.indent);
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
  const threads = lines.filter((l) => l.thread !== undefined);
  const visibleThreads = threads.filter((l) => l.top - scroll < high && l.top - scroll + l.height > 0).map((l) => l.thread);
  drawnFrom = chunksInView(visibleThreads, from, to);
  for (const l of lines) {
    const y = l.top - scroll, visible = y < high && y + l.height > 0;
    if (l.variable) {
      if (visible) drawVariable(l.variable, y, from, to, colors[l.variable.name]);
      continue;
    }
    if (l.group) {
      if (visible) drawHead(l, y, color);
      if (visible && !isSelectedLine(l)) drawVeil(y, l.height);
      continue;
    }
    if (visible) drawStrip(data.threads[l.thread], y, from, to);
    for (const of of sourcesOf(l.thread)) of.lanes.forEach((list, depth) => {
      const first = of.byEnd(list, from), last = of.byStart(list, to), at = y + strip + depth * lane;
      shown += Math.max(0, of.before[depth][last] - of.before[depth][Math.min(first, last)]);
      if (!visible || at > high || at + lane < 0) return;
      for (const pale of found || state.filter ? [true, false] : [null]) drawLane(of, data.threads[l.thread].container, list, first, last, at, pale, color);
    });
    if (visible && !isSelectedLine(l)) drawVeil(y, l.height);
  }
  drawLinks(from, to, scroll, color);
  drawPair(from, to, scroll);
  drawPoints(from, to, scroll, color);
  drawNames(scroll, color);
  drawAxis(from, to);
  drawChosen(scroll, color);
  drawBefore(from, to);
  headings();
  const [low, top] = domain(), unit = unitOf(top), digits = (top - low) / 1000;
  const all = complete || (drawnFrom && visibleThreads.length === data.threads.length) ? shown : callsIn(from, to);
  const whole = from <= start && to >= stop;
  $("window").textContent = fine(low, digits, unit) + " to " + fine(top, digits, unit) + " (" + time(top - low) + "), " +
    (all > shown ? d3.format(",")(shown) + " of " + (whole ? "" : "up to ") + count(all, "call") + " drawn" : count(shown, "call"));
  $("drawn").hidden = drawnFrom !== null; // if calls are drawn from chunks, all are drawn
  settle();
  document.body.dataset.shown = shown;
  document.body.dataset.all = all;
}
// Draws at the next animation frame, once for any number of requests.
function redraw() {
  if (!asked) asked = requestAnimationFrame(() => { asked = 0; draw(); });
}

// ---- timeline: what is where -----------------------------------------------------------
function marks(m) {
  return (m & 1 ? "left by an exception or longjmp\n" : "") + (m & 2 && !(m & 4) ? "its exit was not seen\n" : "") +
    (m & 4 ? "a part of it: the rest is lost, or not in the picture\n" : "");
}
// Returns the longest call within `slack` of a time at a depth of a thread: {of, i, ns}, or null.
function callAt(t, depth, at, slack) {
  let best = null;
  for (const of of sourcesOf(t)) {
    const list = of.lanes[depth] || [], ns = (i) => of.end(i) - of.start(i);
    for (let k = of.byEnd(list, at - slack); k < list.length && of.start(list[k]) <= at + slack; k++)
      if (best === null || ns(list[k]) > best.ns) best = { of, i: list[k], ns: ns(list[k]) };
  }
  return best;
}
function callText(t, depth, at, slack) {
  const c = callAt(t, depth, at, slack);
  return c && brief(c.of.name(c.i)) + "\n" + lasted(c.ns) + " from " + exact(c.of.start(c.i)) + "\n" + c.of.values(c.i) +
    marks(c.of.mark(c.i)) + data.threads[t].name;
}
function stripText(t, at, slack) {
  let text = null;
  eachPoint(at - 4 * slack, at + 4 * slack, (thread, name, when, values) => {
    if (thread === t && !text) text = brief(name) + "\n" + values + "at " + exact(when);
  });
  if (text) return text;
  const i = Math.floor((at - start) / sliceNs), name = data.threads[t].slices[i];
  return name >= 0 ? brief(name) + "\nfor most of a slice of " + time(data.slice_ns) +
    (data.threads[t].paused.includes(i) ? "\nThe thread did not run for most of it." : "") : null;
}
function variableText(v, at) {
  const k = d3.bisectRight(v.steps.filter((s, i) => i % 3 === 0), (at - start) / sliceNs) - 1, s = v.steps;
  const [low, high_] = [s[3 * k + 1], s[3 * k + 2]];
  return k < 0 ? null : brief(v.name) + " = " + withUnit(low, v.unit) + (low === high_ ? "" : " to " + withUnit(high_, v.unit));
}
function place(event) { // returns what is under the mouse
  const r = canvas.getBoundingClientRect(), px = event.clientX - r.left, py = event.clientY - r.top + box.scrollTop;
  const l = lines[d3.bisectRight(tops, py) - 1], at = view.invert(px), slack = view.invert(px + 1) - at;
  return { l: py > height ? null : l, px, py, at, slack, depth: l ? Math.floor((py - l.top - strip) / lane) : 0 };
}
function linkText(p) {
  for (let i = 0; i < links.length; i += 5) {
    const [a, b] = [links[i], links[i + 1]].map(middleOf);
    const x0 = view(links[i + 3]), x1 = view(links[i + 4]), along = Math.hypot(x1 - x0, b - a) || 1;
    const off = Math.abs((b - a) * (p.px - x0) - (x1 - x0) * (p.py - a)) / along;
    if (off > 3 || p.px < Math.min(x0, x1) - 3 || p.px > Math.max(x0, x1) + 3 || p.py < Math.min(a, b) - 3 || p.py > Math.max(a, b) + 3) continue;
    return brief(links[i + 2]) + "\nfrom " + data.threads[links[i]].name + " at " + exact(links[i + 3]) + "\nto " +
      data.threads[links[i + 1]].name + " at " + exact(links[i + 4]) + ", " + lasted(links[i + 4] - links[i + 3]) + " later";
  }
  return null;
}
function textAt(event) {
  const p = place(event), { l, px, at, slack, depth } = p;
  if (!l) return null;
  if (px < gutter) return cut(l.name, 300) + (l.variable ? "\n" + l.range : l.group ? "" : "\n" + data.threads[l.thread].process);
  if (l.variable) return variableText(l.variable, at);
  if (l.group) return l.folded ? [summaryText(l, at), linkText(p)].filter((text) => text).join("\n\n") : null;
  return depth < 0 ? stripText(l.thread, at, slack) : callText(l.thread, depth, at, slack) || linkText(p);
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
Object.assign(keys, { w: keys["+"], s: keys["-"], a: keys.ArrowLeft, d: keys.ArrowRight });
canvas.addEventListener("keydown", (e) => {
  if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
  keys[e.key]();
  e.preventDefault();
});
$("zoom-in").onclick = keys["+"];
$("zoom-out").onclick = keys["-"];
$("zoom-all").onclick = keys[0];
function search() {
  const q = $("find").value.toLowerCase();
  found = q ? new Set(d3.range(data.names.length).filter((i) => label(i).toLowerCase().includes(q))) : null;
}
$("find").oninput = () => { search(); draw(); };
function drawnText(n, all, what, rest) {
  if (!all) return "";
  return all > n ? count(n, what) + " of " + d3.format(",")(all) + " are drawn, " + rest + ". " :
    (all > 1 ? "All " : "") + count(all, what) + (all > 1 ? " are" : " is") + " drawn. ";
}
const drawnWords = () => drawnText(drawnCalls, data.all_calls, "call", "the longest of the threads shown; " + (allThere ?
  "all others appear where you zoom in" :
  "the table counts all; report -from T -to T or -max-size SIZE makes a page with what is in between")) +
  drawnText(points.length / 3, data.all_points, "point", "evenly over the trace" + (allThere ? "; all others appear where you zoom in" : "")) +
  drawnText(links.length / 5, data.all_links, "link", "evenly over the trace");
canvas.setAttribute("aria-label", "Timeline of " + count(data.threads.length, "thread") + "; the table below has the numbers");

// Functions of keys that select a thread, and the longest call that is shown of it.
function stepThread(step) {
  const list = lines.filter((l) => l.thread !== undefined).map((l) => l.thread), at = list.indexOf(state.thread);
  state.thread = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step] ?? null;
  state.group = null;
  if (state.thread !== null) box.scrollTop = lineOf[state.thread].top - high / 3;
  draw();
}
async function showLongestInView() {
  const [from, to] = domain();
  let c = null;
  for (let t = state.thread || 0; allThere && !c && t < (state.thread === null ? data.threads.length : state.thread + 1); t++)
    for (const of of sourcesOf(t))
      for (const i of of.lanes[0] || [])
        if (of.start(i) <= to && of.end(i) >= from && !data.names[of.name(i)][2] && (!c || of.end(i) - of.start(i) > c.of.end(c.i) - c.of.start(c.i)))
          c = { of, i, t };
  if (c) choose(await store.find(data.threads[c.t].container, c.of.start(c.i), 0, c.of.name(c.i)));
}
Object.assign(keys, { PageUp: () => stepThread(-1), PageDown: () => stepThread(1), Enter: () => { showLongestInView().catch(damaged); } });
