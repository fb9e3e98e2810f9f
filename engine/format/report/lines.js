// The lines of the timeline of the page of `report`: threads with their variables, below headings
// of hosts and processes. Headings can be folded and sorted. A folded heading shows its threads in
// one row: how many of them are in which function.
"use strict";

// ---- headings ------------------------------------------------------------------------------
// groups: container of a host or process -> {container, name, level, rank, id, depth, parent (a
// group or null), children (groups and indexes of threads), threads (indexes of all threads below),
// own (index of the line with the container's own events, or -1)}. Indexes are those of
// data.threads.
const places = data.places, groups = new Map();
const groupOf = []; // by thread: the group that contains the thread, or null
// by thread: its line, or the line of the folded heading that contains it; null: hidden
const lineOf = data.threads.map(() => null);
const MANY = 128; // if there are more threads, processes are folded at first
const plainName = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
data.threads.forEach((t, i) => {
  const chain = [];
  let own = places[t.container][1] === "thread" ? places[t.container][2] : t.container;
  for (; own > 0; own = places[own][2]) chain.unshift(own);
  let parent = null;
  for (const c of chain) {
    let g = groups.get(c);
    if (!g) {
      const [name, level, , rank, id] = places[c];
      g = { container: c, name: plainName(name), level, rank, id, parent, depth: 0, children: [], threads: [], own: -1 };
      groups.set(c, g);
      if (parent) parent.children.push(g);
    }
    g.threads.push(i);
    parent = g;
  }
  groupOf[i] = parent;
  if (parent && parent.container === t.container) parent.own = i;
  else if (parent) parent.children.push(i);
});
const roots = [...groups.values()].filter((g) => !g.parent);
const levels = (level) => [...groups.values()].filter((g) => g.level === level);
// A level with only one heading is not shown.
const processHeads = levels("process").length > 1, hostHeads = processHeads && levels("host").length > 1;
const isHead = (g) => g.level === "host" ? hostHeads : g.level === "process" && processHeads;
const heads = [...groups.values()].filter(isHead);
for (const g of heads) for (let p = g.parent; p; p = p.parent) if (isHead(p)) g.depth++;
const foldedAtFirst = new Set(data.threads.length > MANY ? heads.filter((g) => g.level === "process").map((g) => g.container) : []);
let folded = new Set(foldedAtFirst), lineOrder = "trace";
let timeOf = new Map(); // container -> time in calls in the last selection, for sorting
let shownContainer = null; // by container: the filter shows it; null: there is no filter
const isShown = (t) => !shownContainer || shownContainer[data.threads[t].container];

// ---- where they are ------------------------------------------------------------------------
const headHeight = 20, summaryHeight = 16;
let lines = [], tops = [], height = 4;
function addLine(line, h) {
  lines.push(Object.assign(line, { top: height, height: h }));
  height += h;
}
const workBelow = (child) => typeof child === "number" ? timeOf.get(data.threads[child].container) || 0 :
  d3.sum(child.threads, workBelow);
const nameOfLine = (child) => typeof child === "number" ? data.threads[child].name : child.name;
function sorted(children) {
  if (lineOrder === "name") return children.slice().sort((a, b) => nameOfLine(a).localeCompare(nameOfLine(b), "en", { numeric: true }));
  if (lineOrder === "time") return children.map((c) => [c, workBelow(c)]).sort((a, b) => b[1] - a[1]).map((c) => c[0]);
  return children;
}
const short = (v) => String(Number.isInteger(v) ? v : Number(v.toPrecision(4))); // variable's value
const withUnit = (v, unit) => unit === "s" ? time(1e9 * v) : unit === "bytes" ? bytes(v) : short(v) + (unit ? " " + unit : "");
function bytes(v) {
  const k = Math.abs(v) >= 2 ** 30 ? 3 : Math.abs(v) >= 2 ** 20 ? 2 : Math.abs(v) >= 1024 ? 1 : 0;
  return k ? Number((v / 1024 ** k).toPrecision(4)) + " " + ["KiB", "MiB", "GiB"][k - 1] : short(v) + " B";
}
const varsOf = new Map();
for (const v of data.vars) varsOf.set(v.thread, [...varsOf.get(v.thread) || [], v]);
function addVariables(i, indent) {
  for (const v of varsOf.get(i) || []) {
    const low = d3.min(v.steps.filter((s, k) => k % 3 === 1)), high = d3.max(v.steps.filter((s, k) => k % 3 === 2));
    v.y = d3.scaleLinear().domain(low < high ? [low, high] : [low - 1, low + 1]).range([varHeight - 5, 3]);
    addLine({ variable: v, indent, name: label(v.name), range: withUnit(low, v.unit) + " to " + withUnit(high, v.unit) }, varHeight);
  }
}
function addThread(i, indent) {
  const t = data.threads[i];
  if (!isShown(i)) return;
  addLine({ thread: i, indent, name: t.name }, strip + Math.max(1, t.depth) * lane + gap);
  lineOf[i] = lines[lines.length - 1];
  addVariables(i, indent + 10);
}
function addGroup(g, indent) {
  const threads = g.threads.filter(isShown);
  if (!threads.length) return;
  if (!isHead(g)) {
    if (g.own >= 0) addThread(g.own, indent);
  } else {
    const is = folded.has(g.container);
    addLine({ group: g, indent, name: g.name, folded: is, threads }, headHeight + (is ? summaryHeight + gap : 0));
    const line = lines[lines.length - 1];
    if (is) for (const i of threads) lineOf[i] = line;
    if (is) return;
    if (g.own >= 0 && isShown(g.own)) { // the heading also shows its container's variables
      lineOf[g.own] = line;
      addVariables(g.own, indent + 10);
    }
  }
  for (const c of sorted(g.children))
    if (typeof c === "number") addThread(c, isHead(g) ? indent + 10 : indent);
    else addGroup(c, isHead(g) ? indent + 10 : indent);
}
function layOut() {
  lines = [];
  height = 4;
  lineOf.fill(null);
  for (const t of data.threads.keys()) if (!groupOf[t]) addThread(t, 0);
  for (const g of sorted(roots)) addGroup(g, 0);
  tops = lines.map((l) => l.top);
  $("fold-all").textContent = folded.size ? "Unfold all" : "Fold all";
}
const rowShown = (t) => Boolean(lineOf[t]) && !lineOf[t].group; // the thread has a row of its own
// Returns the y of the middle of a thread's strip, or of the folded heading that contains the
// thread; NaN if the filter hides the thread.
const middleOf = (t) => {
  const l = lineOf[t];
  return !l ? NaN : l.group ? l.top + (l.folded ? headHeight + summaryHeight / 2 : headHeight / 2) : l.top + strip / 2;
};
function reveal(t) { // unfolds the headings that contain a thread
  let any = false;
  for (let g = groupOf[t]; g; g = g.parent) any = folded.delete(g.container) || any;
  if (any) relay();
}

// ---- the row of a folded heading -----------------------------------------------------------
// Returns a picture with a column for each slice. In a column, each function in which threads are
// has a bar, whose height is the share of these threads.
const summaries = new Map(); // container -> {key, canvas}, the oldest first
function summaryOf(l) {
  const g = l.group, key = [colorMode, $("find").value, l.threads.length].join(" ");
  let s = summaries.get(g.container);
  if (s && s.key === key) return s.canvas;
  const canvas_ = document.createElement("canvas"), h = summaryHeight, n = data.begun.length;
  canvas_.width = n;
  canvas_.height = h;
  const c = canvas_.getContext("2d"), list = l.threads.map((i) => data.threads[i]).filter((t) => t.slices.length);
  for (const t of list) t.pausedSet = t.pausedSet || new Set(t.paused);
  for (let i = 0; i < n; i++) {
    const counts = new Map();
    for (const t of list) {
      const name = t.slices[i];
      if (name === none) continue;
      const shade = name === part ? "#8888" : colorOn(name, t.container), pale = name !== part && (t.pausedSet.has(i) || (found && !found.has(name)));
      const k = shade + (pale ? " " : "");
      counts.set(k, (counts.get(k) || 0) + 1);
    }
    let y = h;
    for (const [k, many] of [...counts].sort((a, b) => a[0] < b[0] ? -1 : 1)) {
      const high_ = h * many / list.length;
      c.globalAlpha = k.endsWith(" ") ? .35 : 1;
      c.fillStyle = k.trim();
      c.fillRect(i, y -= high_, 1, high_);
    }
  }
  summaries.delete(g.container);
  summaries.set(g.container, s = { key, canvas: canvas_ });
  if (summaries.size > 150) summaries.delete(summaries.keys().next().value);
  return s.canvas;
}
function drawSummary(l, y) {
  const a = view(start), b = view(start + data.begun.length * sliceNs), top = y + headHeight;
  ctx.save();
  ctx.beginPath();
  ctx.rect(gutter, top, width - gutter, summaryHeight);
  ctx.clip();
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(summaryOf(l), a, top, b - a, summaryHeight);
  ctx.restore();
}
function drawHead(l, y, color) {
  ctx.globalAlpha = .06;
  ctx.fillStyle = color;
  ctx.fillRect(0, y, width, headHeight - 2);
  ctx.globalAlpha = 1;
  if (l.folded) drawSummary(l, y);
}
// Describes a folded row at a time: the functions in which its threads are, that with the most
// threads first.
function summaryText(l, at) {
  const i = Math.floor((at - start) / sliceNs), counts = new Map();
  for (const t of l.threads) {
    const name = data.threads[t].slices[i];
    if (name >= 0) counts.set(name, (counts.get(name) || 0) + 1);
  }
  const list = [...counts].sort((a, b) => b[1] - a[1]);
  return cut(l.name, 200) + "\n" + (list.length ? list.slice(0, 8).map(([name, n]) => n + " in " + cut(label(name), 80)).join("\n") +
    (list.length > 8 ? "\nand others" : "") + "\nfor most of a slice of " + time(sliceNs) : "no thread in a call");
}

// ---- the buttons -------------------------------------------------------------------------------
function fold(g, is = !folded.has(g.container)) {
  if (is) folded.add(g.container); else folded.delete(g.container);
  relay();
}
const toggled = () => heads.filter((g) => folded.has(g.container) !== foldedAtFirst.has(g.container)).map((g) => g.container);
function relay() { // lays out and draws again after the lines have changed
  layOut();
  resize();
  barred = null; // the bars are made again, in the new order of lines
  settle();
}
function selectGroup(g) {
  state.group = state.group === g.container ? null : g.container;
  state.thread = null;
  draw();
}
const foldKey = (e, g) => {
  if (e.key === "ArrowLeft" || e.key === "ArrowRight") {
    if (folded.has(g.container) !== (e.key === "ArrowLeft")) fold(g);
    return true;
  }
  if (e.key === "Enter" || e.key === " ") fold(g);
  return e.key === "Enter" || e.key === " ";
};
let headingsShown = "";
function headings() {
  const list = lines.filter((l) => l.group), key = [gutter, state.group, ...list.map((l) => l.group.container + " " + l.top + " " + l.folded)].join();
  if (key === headingsShown) return;
  headingsShown = key;
  const rows = d3.select("#headings").selectAll("div.head").data(list, (l) => l.group.container).join((enter) => {
    const d = enter.append("div").attr("class", "head");
    d.append("button").attr("class", "fold").on("click", on((e, l) => fold(l.group)));
    d.append("button").attr("class", "name").attr("tabindex", -1).on("click", on((e, l) => selectGroup(l.group)));
    return d;
  }).order();
  rows.style("top", (l) => l.top + "px").style("width", gutter + "px").style("padding-left", (l) => l.indent + "px");
  rows.select(".fold").text((l) => l.folded ? "\u25b8" : "\u25be").attr("aria-expanded", (l) => String(!l.folded))
    .attr("aria-label", (l) => cut(l.name, 100) + ", " + count(l.threads.length, "thread"));
  rows.select(".name").text((l) => cutMiddle(l.name, Math.max(8, Math.floor((gutter - 40 - l.indent) / 6.5)))).attr("title", (l) => cut(l.name, 300) + ": a click selects it")
    .attr("aria-pressed", (l) => String(state.group === l.group.container));
  const beside = (at, k) => {
    const div = k > 0 ? at.parentNode.nextElementSibling : at.parentNode.previousElementSibling;
    return div && div.firstElementChild;
  };
  // The right arrow moves from the triangle of an unfolded heading to its name, which selects it.
  const steps = { ArrowDown: (at) => beside(at, 1), ArrowUp: (at) => beside(at, -1), ArrowRight: (at) => at.getAttribute("aria-expanded") === "true" && at.nextElementSibling };
  reach(rows.select(".fold"), (key, at) => steps[key] && steps[key](at), (e, l) => foldKey(e, l.group));
  rows.select(".name").on("keydown", on((e) => {
    const at = e.currentTarget, triangle = at.previousElementSibling;
    if (e.key !== "ArrowLeft") return;
    at.setAttribute("tabindex", -1);
    triangle.setAttribute("tabindex", 0);
    triangle.focus();
    e.preventDefault();
  }));
}
$("folding").hidden = $("heads").hidden = !heads.length;
$("fold-all").onclick = () => {
  folded = new Set(folded.size ? [] : heads.map((g) => g.container));
  relay();
};
$("order").onchange = () => {
  lineOrder = $("order").value;
  relay();
};
