// The table and the flame graph of the page of `report` (page.js).
"use strict";

// ---- table ---------------------------------------------------------------------------
const most = 2000;
const columns = data.columns.map(([key, heading, kind, of, part]) => ({ key, heading, kind, of, part }));
const texts = columns.filter((c) => c.kind === "text").length;
function share(rows, run) {
  for (const c of columns.filter((c) => c.kind === "share"))
    for (const r of rows)
      r[c.key] = run && !r.ours ? r[c.part] / run : 0; // `run` does not contain pauses of eztsh
  return rows;
}
let tableRows = share(data.rows, data.run);
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
  const chosen_ = tableRows.filter((r) => (r.function + " " + r.library).toLowerCase().includes(q));
  if (/^p\d/.test(order)) chosen_.forEach(store.withQuantiles);
  const rows = chosen_.sort((a, b) => (text !== reversed ? d3.ascending : d3.descending)(a[order], b[order]));
  d3.select("#table thead").selectAll("tr").data([0]).join("tr").selectAll("th").data(columns).join("th")
    .text((c) => c.heading).attr("tabindex", 0)
    .attr("aria-sort", (c) => c.key !== order ? null : text !== reversed ? "ascending" : "descending")
    .attr("class", (c) => (c.kind === "text" ? "" : "num") + (c.key !== order ? "" : text !== reversed ? " sorted up" : " sorted"))
    .on("click", on((e, c) => sortBy(c.key)))
    .on("keydown", on((e, c) => { if (e.key === "Enter") sortBy(c.key); }));
  const trs = d3.select("#table tbody").selectAll("tr").data(rows.slice(0, most).map(store.withQuantiles)).join("tr")
    .on("click", on((e, r) => rowClicked(r, columns[e.target.cellIndex]?.key)));
  reach(trs, upDown, (e, r) => {
    const column = { Enter: "function", l: "max", c: "total" }[e.key];
    if (column) rowClicked(r, column);
    return column;
  });
  trs.selectAll("td").data((r) => columns.map((c) => cell(r, c))).join("td")
    .text((t) => t).attr("class", (t, i) => i < texts ? null : "num")
    .attr("title", (t, i) => i < texts && t.length > 40 ? t : null);
  $("matching").textContent = count(rows.length, "function") + (rows.length > most ? ", the first " + most + " are shown" : "");
  document.body.dataset.rows = rows.length;
}
$("filter").oninput = table;

// ---- flame graph -----------------------------------------------------------------------
const bar = 18, MOST_LEVELS = 300, MOST_ANCESTORS = 20;
// A frame of a flame graph: {id, parent, children, depth, value, x0, x1 (from 0 to 1), data: {name,
// self}}. It replaces d3's partition, whose run time grows with the square of the depth.
class Frame {
  constructor(id, parent, name, self) {
    Object.assign(this, { id, parent, children: null, depth: parent ? parent.depth + 1 : 0, value: self, x0: 0, x1: 1, data: { name, self } });
    if (parent) (parent.children = parent.children || []).push(this);
  }
  descendants() {
    const list = [this];
    for (let i = 0; i < list.length; i++) if (list[i].children) list.push(...list[i].children);
    return list;
  }
  ancestors() {
    const list = [];
    for (let f = this; f; f = f.parent) list.push(f);
    return list;
  }
}
// Adds up the values of frames, and places the children of a frame side by side, the widest first.
// Parents must precede their children in `frames`. Returns the root.
function partition(frames) {
  for (let i = frames.length - 1; i > 0; i--) frames[i].parent.value += frames[i].value;
  const all = frames[0].value || 1;
  for (const f of frames) {
    if (!f.children) continue;
    f.children.sort((a, b) => b.value - a.value);
    let x0 = f.x0;
    for (const c of f.children) {
      c.x0 = x0;
      c.x1 = x0 += c.value / all;
    }
  }
  return frames[0];
}
// Returns a tree of frames below a frame "all". of: parallel lists name, parent (-1: none) and self
// (time) of the nodes of stacks, parents first.
function flameOf(of) {
  const frames = [new Frame(0, null, "all", 0)];
  for (let i = 0; i < of.self.length; i++) frames.push(new Frame(i + 1, frames[of.parent[i] + 1], of.name[i], of.self[i]));
  return partition(frames);
}
const wholeFlame = flameOf(data.flame);
let tree = wholeFlame, flameRoot = tree;
function frameName(d) { return d.data.name; }
function frameText(d) {
  return cut(frameName(d), 300) + "\n" + time(d.value) + ", " + (tree.value ? 100 * d.value / tree.value : 0).toFixed(2) +
    " %; self " + time(d.data.self);
}
function flame(root) {
  flameRoot = root;
  const w = $("flames").clientWidth, fx = d3.scaleLinear().domain([root.x0, root.x1]).range([0, w]);
  const a = (d) => Math.max(0, fx(d.x0)), b = (d) => Math.min(w, fx(d.x1));
  const wide = root.descendants().filter((d) => fx(d.x1) - fx(d.x0) > .4 || d === root);
  const seen = wide.filter((d) => d.depth <= root.depth + MOST_LEVELS).concat(root.ancestors().slice(1, MOST_ANCESTORS));
  $("flame-deeper").textContent = wide.length + root.ancestors().length - 1 > seen.length ? "What is more than " + MOST_LEVELS +
    " levels from the frame zoomed to is not drawn: zoom to one in between. " : "";
  const deepest = d3.max(seen, (d) => d.depth), lowest = d3.min(seen, (d) => d.depth), y = (d) => (deepest - d.depth) * bar;
  const g = d3.select("#flame").attr("height", (deepest - lowest + 1) * bar).selectAll("g").data(seen, (d) => d.id).join((e) => {
    const n = e.append("g");
    n.append("rect");
    n.append("text");
    return n;
  });
  g.select("rect").attr("x", a).attr("y", y).attr("width", (d) => Math.max(.3, b(d) - a(d)))
    .attr("height", bar - 1).attr("opacity", (d) => d.depth < root.depth ? .5 : 1)
    .attr("fill", (d) => colorByText.get(frameName(d)) || "#ccc")
    .on("click", on((e, d) => { hide(); flame(d); })).on("mouseleave", hide)
    .on("mousemove", on((e, d) => show(e, frameText(d))));
  const of = new Map(seen.map((d, i) => [d, g.nodes()[i]])), beside = (d, k) => d.parent && d.parent.children[d.parent.children.indexOf(d) + k];
  const frames = { ArrowUp: (d) => d.children && d.children[0], ArrowDown: (d) => d.parent, ArrowLeft: (d) => beside(d, -1), ArrowRight: (d) => beside(d, 1) };
  reach(g.attr("role", "button").attr("aria-label", frameText), (key, at) => frames[key] && of.get(frames[key](d3.select(at).datum())), (e, d) => {
    if (e.key === "Enter" || e.key === " ") flame(d);
    return e.key === "Enter" || e.key === " ";
  });
  g.attr("tabindex", (d) => d === root ? 0 : -1).on("focus", on((e, d) => { $("flame-at").textContent = frameText(d).replace("\n", ", "); }));
  g.select("text").attr("x", (d) => a(d) + 3).attr("y", (d) => y(d) + 12.5).text((d) => {
    const room = Math.floor((b(d) - a(d) - 4) / 6.7);
    return room < 3 ? "" : cut(frameName(d), room);
  });
  const flames = $("flames"); // scrolls so that the root is at the bottom, with its callees above
  flames.scrollTop = y(root) + 3 * bar - flames.clientHeight;
  $("flame-at").textContent = cut(frameName(root), 200) + ", " + time(root.value || 0);
  document.body.dataset.frames = seen.length;
}
$("flame-all").onclick = () => flame(shownTree());
// Returns the tree of the inverted stacks: at the bottom the functions with their self times, and
// above each function its callers.
function inverted(of) {
  const by = new Map();
  for (let i = 0; i < of.self.length; i++)
    if (of.self[i]) (by.get(of.name[i]) || by.set(of.name[i], []).get(of.name[i])).push([of.parent[i], of.self[i]]);
  const out = callersOf(of, [...by].map(([name, cursors]) => ({ name, cursors })), MOST_LEVELS);
  $("flame-bounded").textContent = out.whole ? "" : "Callers beyond " + count(out.levels - 1, "level") + " are not told apart. ";
  return flameOf(out);
}
let stacksShown = data.flame; // the lists from which `tree` was made
const shownTree = () => {
  $("flame-bounded").textContent = "";
  return $("callers").checked ? inverted(stacksShown) : tree;
};
$("callers").onchange = () => flame(shownTree());
// Returns the lists of a selection's stacks for the flame graph. s: the sums of the selection. A
// node with at most 0.01 % of the time is added to a frame "[small]" of its parent.
function flameOfSums(s) {
  const t = s.tree, total = store.totals(s), all = total[0], kept = new Int32Array(t.n).fill(-2), of = { name: [], parent: [], self: [] };
  const small = new Map();
  kept[0] = -1;
  for (let i = 1; i < t.n; i++) {
    const p = kept[t.parent[i]], pause = data.names[t.name[i]][2] === store.OURS;
    if (p === -2 || !total[i] || pause) continue;
    if (total[i] <= all / 1e4) {
      small.set(p, (small.get(p) || 0) + total[i]);
      continue;
    }
    kept[i] = of.name.length;
    of.name.push(data.names[t.name[i]][0]);
    of.parent.push(p);
    of.self.push(s.self[i]);
  }
  for (const [p, ns] of small) {
    of.name.push("[small]");
    of.parent.push(p);
    of.self.push(ns);
  }
  return of;
}
$("pruned").textContent = data.flame.pruned ? "What is below 0.01 % of the time is summed up in [small]." : "";

addEventListener("resize", () => { resize(); flame(flameRoot); drawSandwich(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
