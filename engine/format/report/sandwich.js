// One function in the page of `report`, with all its callers above it and all its callees below it:
// the sums over all its calls in the selection. A call inside another call of the same function
// belongs to the outer call, as in the column Total.
"use strict";
const LEVELS = 60; // maximum number of levels of callers, and of callees
let around = null; // name of the function that is shown, or null

// Returns {below: the tree of callees, above: the tree of callers, self: time}. of: the lists name,
// parent and self of stacks, parents first, as for the flame graph. The trees are such lists, too.
function sandwichOf(of, name) {
  const n = of.name.length, total = Float64Array.from(of.self), place = new Int32Array(n).fill(-1);
  for (let i = n - 1; i >= 0; i--) if (of.parent[i] >= 0) total[of.parent[i]] += total[i];
  const below = { name: [name], parent: [-1], self: [0] }, known = new Map(), tops = [];
  for (let i = 0; i < n; i++) {
    const p = of.parent[i] >= 0 ? place[of.parent[i]] : -1;
    if (p < 0) {
      if (of.name[i] !== name) continue;
      place[i] = 0;
      tops.push([of.parent[i], total[i]]);
    } else {
      const key = p + "\0" + of.name[i];
      place[i] = known.get(key) ?? below.name.length;
      if (place[i] === below.name.length) {
        known.set(key, place[i]);
        below.name.push(of.name[i]);
        below.parent.push(p);
        below.self.push(0);
      }
    }
    below.self[place[i]] += of.self[i];
  }
  const self = d3.sum(of.self.filter((ns, i) => of.name[i] === name));
  return { below, self, above: callersOf(of, [{ name, cursors: tops }], LEVELS) };
}

// Returns the tree of the callers of groups of stacks, which it makes level by level. first: the
// groups [{name, cursors: [[index in the lists, ns], ...]}]. The time of callers beyond `levels` or
// MOST_STEPS stays in the last frame, and `whole` of the result is then false.
const MOST_STEPS = 2e6;
function callersOf(of, first, levels) {
  const out = { name: [], parent: [], self: [], levels: 0, whole: true }, add = (name, parent) => {
    out.name.push(name);
    out.parent.push(parent);
    return out.self.push(0) - 1;
  };
  let steps = 0, level = first.map((g) => ({ id: add(g.name, -1), cursors: g.cursors }));
  const all = d3.sum(first, (g) => d3.sum(g.cursors, (c) => c[1]));
  for (; level.length; out.levels++) {
    const next = [];
    for (const g of level) {
      const ns = d3.sum(g.cursors, (c) => c[1]), by = new Map();
      steps += g.cursors.length;
      if (out.levels >= levels || steps > MOST_STEPS || ns <= all / 1e4) {
        out.self[g.id] += ns;
        out.whole = out.whole && ns <= all / 1e4;
        continue;
      }
      for (const [i, t] of g.cursors) {
        if (i < 0) {
          out.self[g.id] += t;
          continue;
        }
        let c = by.get(of.name[i]);
        if (!c) by.set(of.name[i], c = new Map());
        c.set(of.parent[i], (c.get(of.parent[i]) || 0) + t);
      }
      for (const [name, cursors] of by) next.push({ id: add(name, g.id), cursors: [...cursors] });
    }
    level = next;
  }
  return out;
}

function treeOf(lists) { // returns a tree of frames, whose root is the function
  const frames = [];
  for (let i = 0; i < lists.name.length; i++) frames.push(new Frame(i, lists.parent[i] < 0 ? null : frames[lists.parent[i]], lists.name[i], lists.self[i]));
  return partition(frames);
}
function drawSandwich() {
  $("sandwich-part").hidden = around === null;
  if (around === null) return;
  const s = sandwichOf(listsNow(), around), up = treeOf(s.above), down = treeOf(s.below), total = down.value || 0;
  $("sandwich-of").textContent = "of " + cut(around, 120) + ": " + time(total) + ", itself " + time(s.self);
  $("sandwich-none").hidden = total > 0;
  const w = $("sandwiches").clientWidth, fx = d3.scaleLinear().range([0, w]);
  const seen = [...down.descendants().map((d) => [d, d.depth]), ...up.descendants().slice(1).map((d) => [d, -d.depth])]
    .filter(([d, y]) => Math.abs(y) <= LEVELS && fx(d.x1) - fx(d.x0) > .4);
  const top = -d3.min(seen, (d) => d[1]) || 0, bottom = d3.max(seen, (d) => d[1]) || 0, y = (d) => (d[1] + top) * bar;
  const text = ([d, level]) => cut(d.data.name, 300) + "\n" + time(d.value) + ", " + (total ? 100 * d.value / total : 0).toFixed(2) + " %" +
    (level > 0 ? "; self " + time(d.data.self) : level < 0 ? " of it was called through here" : "");
  const g = d3.select("#sandwich").attr("height", (top + bottom + 1) * bar).selectAll("g").data(total ? seen : []).join((e) => {
    const n = e.append("g");
    n.append("rect");
    n.append("text");
    return n;
  });
  g.attr("class", (d) => d[1] === 0 ? "middle" : null);
  g.select("rect").attr("x", (d) => fx(d[0].x0)).attr("y", y).attr("width", (d) => Math.max(.3, fx(d[0].x1) - fx(d[0].x0))).attr("height", bar - 1)
    .attr("fill", (d) => colorByText.get(d[0].data.name) || "#ccc")
    .on("click", on((e, d) => { hide(); setAround(d[0].data.name); })).on("mouseleave", hide).on("mousemove", on((e, d) => show(e, text(d))));
  g.select("text").attr("x", (d) => fx(d[0].x0) + 3).attr("y", (d) => y(d) + 12.5).text((d) => {
    const room = Math.floor((fx(d[0].x1) - fx(d[0].x0) - 4) / 6.7);
    return room < 3 ? "" : cut(d[0].data.name, room);
  });
  const nodes = new Map(seen.map((d, i) => [d[0], g.nodes()[i]]));
  nodes.set(up, nodes.get(down));
  const beside = (d, k) => d.parent && d.parent.children[d.parent.children.indexOf(d) + k];
  reach(g.attr("role", "button").attr("aria-label", text), (key, at) => {
    const [d, level] = d3.select(at).datum(), child = (of) => of.children && of.children[0];
    const next = { ArrowDown: level < 0 ? d.parent : child(d), ArrowUp: level === 0 ? child(up) : level < 0 ? child(d) : d.parent,
      ArrowLeft: beside(d, -1), ArrowRight: beside(d, 1) }[key];
    return next && nodes.get(next);
  }, (e, d) => {
    if (e.key === "Enter" || e.key === " ") setAround(d[0].data.name);
    return e.key === "Enter" || e.key === " ";
  });
}
// Returns the lists of the selection's stacks. They are complete if the page has sums of all calls.
function listsNow() {
  if (!current) return stacksShown;
  const t = current.tree, n = t.n, of = { name: [], parent: [], self: [] }, kept = new Int32Array(n).fill(-1);
  for (let i = 1; i < n; i++) {
    const name = data.names[t.name[i]];
    if (name[2] === store.OURS || name[3]) continue;
    kept[i] = of.name.length;
    of.name.push(name[0]);
    of.parent.push(kept[t.parent[i]]);
    of.self.push(current.self[i]);
  }
  return of;
}
function setAround(name) {
  around = name;
  if (name !== null && !current && allThere) { // `data` has no exact sums of the whole trace
    selected = "";
    settle();
  } else {
    drawSandwich();
  }
  remember();
}
const sandwichAgain = drawSandwich;
$("around").onchange = () => {
  const name = $("around").value;
  if (name === "" || data.names.some((n) => n[0] === name)) setAround(name || null);
};
$("sandwich-close").onclick = () => {
  $("around").value = "";
  setAround(null);
};
d3.select("#names").selectAll("option").data([...new Set(working.slice(0, 2000).map((r) => r.function))]).join("option").attr("value", (t) => cut(t, 1000));
