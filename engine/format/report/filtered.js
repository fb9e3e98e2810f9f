// Sums of the calls in a selection that a filter (filter.js) shows, for the page of `report`: the
// figures of `stats` with the same options. The time of a hidden call belongs to the shown call
// around it, so there is a separate call tree; engine/trace/filter.c has the rules. An option that
// can be tested only at the end of a call (-min, -max, -callee) needs two walks over the events.
"use strict";
const filtered = (function () {
const { UNWOUND, UNKNOWN, CUT, WITHIN, OURS } = store;
// maximum number of events in a window for which it is stored of each call whether it is shown
const MOST_MARKED = 8e6;

// Columns of the open calls of a container, by depth. The callbacks of walk() set `number`,
// `within`, `has`, `shown`, `inside` and `to`.
function frames() {
  return { n: 0, node: [], start: [], ours: [], number: [], cut: [], at: [], within: [], has: [], shown: [], inside: [], to: [] };
}
// Walks over the events of a container's chunks in a window. Calls on.chunk(chunk, calls) at each
// chunk, on.still(depth) for each call that is open at a chunk's start, on.enter(depth),
// on.leave(depth, duration without pauses of eztsh, mark, cut) and on.point(node). Returns
// {run: active time}, or null if cancelled.
async function walk(list, from, to, on, cancelled) {
  const fr = on.frames, names = store.data.names, treeName = store.tree.name, pause = (node) => names[treeName[node]][2] || 0;
  let clock = 0, last = from, open = false, first = Infinity, end = -Infinity;
  const tick = (t) => { // adds the time in pauses of eztsh up to t to `clock`
    if (fr.n && pause(fr.node[fr.n - 1]) === OURS) clock += t - last;
    last = t;
  };
  const enter = (node, t, cut, k) => {
    const d = fr.n++;
    fr.node[d] = node;
    fr.start[d] = t;
    fr.ours[d] = clock;
    fr.cut[d] = cut;
    fr.at[d] = k;
    on.enter(d);
  };
  const begin = () => { // enters the calls that are open at the start of the window
    const n = fr.n, node = fr.node.slice(0, n), at = fr.at.slice(0, n);
    open = true;
    clock = 0;
    last = from;
    fr.n = 0;
    for (let d = 0; d < n; d++) enter(node[d], from, true, at[d]);
    if (n) first = end = from;
  };
  const leave = (t, mark, cut) => {
    tick(t);
    const d = --fr.n, ours = pause(fr.node[d]) === OURS;
    on.leave(d, t - fr.start[d] - (ours ? 0 : clock - fr.ours[d]), mark, cut || fr.cut[d]);
  };
  for (let i = 0; i < list.length; i++) {
    const calls = await store.callsOf(list[i]);
    if (cancelled()) return null;
    on.chunk(list[i], calls);
    if (!i) { // begin() enters these calls when the window begins
      for (let d = 0; d < calls.open; d++) { fr.node[d] = calls.node[d]; fr.at[d] = d; }
      fr.n = calls.open;
    } else {
      for (let d = 0; d < fr.n; d++) fr.at[d] = d;
      for (let d = 0; d < fr.n; d++) on.still(d);
    }
    let k = calls.open;
    for (let e = 0; e < calls.at.length; e++) {
      const t = calls.at[e];
      if (t > to) break;
      if (!open && t >= from) begin();
      if (open) { first = Math.min(first, t); end = t; }
      if (!calls.what[e]) {
        if (!open) fr.n--;
        else leave(t, calls.mark[fr.at[fr.n - 1]], false);
        continue;
      }
      const node = calls.node[k];
      if (open) tick(t);
      if (calls.point[k]) {
        if (open) on.point(node);
      } else if (open) {
        enter(node, t, false, k);
      } else {
        fr.node[fr.n] = node;
        fr.at[fr.n++] = k;
      }
      k++;
    }
  }
  if (!open) begin();
  if (fr.n) end = to;
  while (fr.n) leave(to, UNKNOWN | CUT, true);
  return { run: first <= end ? end - first - on.oursTime() : 0 };
}

// Growing columns, by node of the tree of shown calls.
class Sums {
  constructor() {
    this.parent = [0];
    this.name = [-1];
    this.begun = [0];
    this.self = [0];
    this.child = new Map();
  }
  of(parent, name) {
    const key = parent * store.data.names.length + name;
    let node = this.child.get(key);
    if (node === undefined) {
      this.child.set(key, node = this.parent.length);
      this.parent.push(parent);
      this.name.push(name);
      this.begun.push(0);
      this.self.push(0);
    }
    return node;
  }
}

// Like store.select(), but only of the calls that the filter f shows. flags: null, or a Map to
// fill: chunk -> Uint8Array by call (1: shown).
async function select(f, from, to, of, cancelled, found, flags) {
  const sums = new Sums(), s = { from, to, times: new Map(), unwound: new Map(), run: 0, each: [] };
  const names = store.data.names, treeName = store.tree.name, containers = store.containersOf(of).filter((c) => f.shown[c]);
  const kind = (node) => names[treeName[node]][2] || 0;
  for (const id of containers) {
    const list = store.chunksIn(id, from, to), sum = { container: id, run: 0, work: 0, paused: 0, found: 0 };
    const verdict = f.late ? await judge(f, list, from, to, cancelled) : null;
    if (!list.length) continue;
    if (cancelled()) return null;
    const fr = frames();
    let calls = 0, number = 0, ours = 0, flag = null, top = 0; // top: node of the innermost shown frame
    const wants = (name, depth) => f.byName[name] && calls < f.depth && (!f.callerGiven || (depth > 0 && fr.within[depth - 1]));
    const add = (name, ns, n) => { // self time
      sums.self[n] += ns;
      const pause = names[name][2] || 0;
      sum[pause ? "paused" : "work"] += ns;
      if (!pause && found && found.has(name)) sum.found += ns;
    };
    const done = await walk(list, from, to, {
      frames: fr,
      oursTime: () => ours,
      chunk: (c, calls_) => {
        flag = flags && (flags.get(c) || flags.set(c, new Uint8Array(calls_.n)).get(c));
      },
      still: (d) => { if (flag && fr.shown[d]) flag[fr.at[d]] = 1; },
      enter: (d) => {
        const node = fr.node[d], name = treeName[node], pause = kind(node);
        const shown = pause ? !(f.noPauses && pause === WITHIN) && (!f.byCall || calls > 0) :
          Boolean((!verdict || verdict[number]) && wants(name, d));
        fr.within[d] = f.callerGiven && (f.caller[name] === 1 || (d > 0 && fr.within[d - 1]));
        if (!pause) number++;
        fr.shown[d] = shown;
        fr.to[d] = top;
        fr.inside[d] = 0;
        if (!shown) return;
        if (!pause) calls++;
        if (flag) flag[fr.at[d]] = 1;
        top = sums.of(top, name);
        sums.begun[top]++;
      },
      leave: (d, spent, mark, cut) => {
        const node = fr.node[d], name = treeName[node], pause = kind(node);
        if (pause === OURS) ours += spent;
        if (!fr.shown[d]) return;
        add(name, spent - Math.min(fr.inside[d], spent), top);
        top = fr.to[d];
        if (!pause) calls--;
        if (!cut && !(mark & (UNKNOWN | CUT))) times(s, name).add(spent);
        if (mark & UNWOUND) s.unwound.set(name, (s.unwound.get(name) || 0) + 1);
        if (pause === OURS) return;
        for (let k = d - 1; k >= 0; k--) if (fr.shown[k]) { fr.inside[k] += spent; break; }
      },
      point: (node) => {
        const name = treeName[node];
        if (!f.min && f.max === Infinity && !f.calleeGiven && wants(name, fr.n)) sums.begun[sums.of(top, name)]++;
      },
    }, cancelled);
    if (!done || cancelled()) return null;
    sum.run = done.run;
    s.run += done.run;
    s.each.push(sum);
  }
  return Object.assign(s, { tree: store.makeTree(sums.parent.length, Uint32Array.from(sums.parent), Uint32Array.from(sums.name)),
    begun: Float64Array.from(sums.begun), self: Float64Array.from(sums.self) });
}
function times(s, name) {
  let t = s.times.get(name);
  if (!t) s.times.set(name, t = new store.Times());
  return t;
}
// The first walk. Returns by number of the call whether its duration and its callees match the
// filter.
async function judge(f, list, from, to, cancelled) {
  const fr = frames(), treeName = store.tree.name, names = store.data.names;
  let verdict = new Uint8Array(1 << 14), number = 0;
  const note = (d) => { while (d-- > 0 && !fr.has[d]) fr.has[d] = true; };
  await walk(list, from, to, {
    frames: fr,
    oursTime: () => 0,
    chunk: () => {},
    still: () => {},
    enter: (d) => {
      const name = treeName[fr.node[d]];
      fr.has[d] = false;
      if (f.callee[name]) note(d);
      if (!names[name][2]) fr.number[d] = number++;
    },
    leave: (d, spent) => {
      if (names[treeName[fr.node[d]]][2]) return;
      if (fr.number[d] >= verdict.length) {
        const more = new Uint8Array(Math.max(2 * verdict.length, fr.number[d] + 1));
        more.set(verdict);
        verdict = more;
      }
      verdict[fr.number[d]] = spent >= f.min && spent <= f.max && (!f.calleeGiven || fr.has[d]) ? 1 : 0;
    },
    point: (node) => { if (f.callee[treeName[node]]) note(fr.n); },
  }, cancelled);
  return verdict;
}

return { select, MOST_MARKED };
})();
