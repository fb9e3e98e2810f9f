// All calls of the trace, in compressed chunks at the end of the page, and their sums in a
// selection: a window of time, in one container, some or all. engine/format/conv_html_chunks.h
// describes the layout of the chunks. Times are nanoseconds. The sums are the figures of `stats
// -from -to`.
"use strict";
const store = (function () {
const data = JSON.parse(document.getElementById("data").textContent);
const WITHIN = 2, OURS = 3; // kinds of pauses: names[i][2]
const UNWOUND = 1, UNKNOWN = 2, CUT = 4; // marks of an exit
const MOST_LOADED = 600; // maximum number of chunks that stay unpacked

// ---- unpacking -----------------------------------------------------------------------------
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}
function canUnpack() {
  try { return Boolean(new DecompressionStream("deflate-raw")); } catch { return false; }
}
async function unpack(id) {
  const stream = new DecompressionStream("deflate-raw"), writer = stream.writable.getWriter();
  const written = writer.write(bytesOf(document.getElementById(id).textContent)).then(() => writer.close());
  written.catch(() => {}); // ignored because reading then fails, too
  const parts = [], reader = stream.readable.getReader();
  let n = 0;
  for (let r = await reader.read(); !r.done; r = await reader.read()) {
    parts.push(r.value);
    n += r.value.length;
  }
  await written;
  const all = new Uint8Array(n);
  n = 0;
  for (const p of parts) {
    all.set(p, n);
    n += p.length;
  }
  return all;
}
// Reads numbers with 7 bits in each byte. It multiplies instead of shifting, because times have
// more than 32 bits.
class Numbers {
  constructor(bytes) { this.b = bytes; this.at = 0; }
  next() {
    const b = this.b;
    let c = b[this.at++];
    if (c < 128) return c;
    let v = c & 127, unit = 128;
    do {
      c = b[this.at++];
      v += (c & 127) * unit;
      unit *= 128;
    } while (c >= 128);
    return v;
  }
}

// ---- the tree and the sums -------------------------------------------------------------------
// tree: {n, parent, name, outer, first, children}. n: number of nodes; parent, name, outer:
// by node; outer: no node around this one has the same function. The children of node i are
// children[first[i]] to children[first[i + 1] - 1].
let tree = null;
// perContainer: container -> {chunks, ends: "start:node" -> a call that ends in a later chunk}
const chunks = [], perContainer = new Map();
function makeTree(n, parent, name) {
  const outer = new Uint8Array(n), first = new Uint32Array(n + 1), children = new Uint32Array(n);
  for (let i = 1; i < n; i++) first[parent[i]]++;
  for (let i = 0, sum = 0; i <= n; i++) { const k = first[i]; first[i] = sum; sum += k; }
  const at = first.slice();
  for (let i = 1; i < n; i++) children[at[parent[i]]++] = i;
  // Visits the tree, and counts how often each name is on the path to the current node. An element
  // i of `way` means to enter node i, and ~i means to leave it.
  const onWay = new Uint32Array(data.names.length);
  for (let way = [0]; way.length;) {
    const i = way.pop();
    if (i < 0) {
      onWay[name[~i]]--;
      continue;
    }
    if (i) {
      outer[i] = !onWay[name[i]]++;
      way.push(~i);
    }
    for (let k = first[i]; k < first[i + 1]; k++) way.push(children[k]);
  }
  return { n, parent, name, outer, first, children };
}
function readTree(bytes) {
  const in_ = new Numbers(bytes), n = in_.next(), parent = new Uint32Array(n), name = new Uint32Array(n).fill(-1);
  for (let i = 1; i < n; i++) parent[i] = in_.next();
  for (let i = 1; i < n; i++) name[i] = in_.next();
  tree = makeTree(n, parent, name);
}
// Reads the sums of a chunk: of nodes (columns node, begun, self), of names (columns; buckets:
// [number, calls, ...] of all names, those of name i end at bucketsEnd[i]), and unwound calls
// [[name, calls]].
function readSums(in_) {
  const nodes = in_.next(), node = new Uint32Array(nodes), begun = new Uint32Array(nodes), self = new Float64Array(nodes);
  for (let i = 0; i < nodes; i++) node[i] = in_.next() + (i ? node[i - 1] : 0);
  for (let i = 0; i < nodes; i++) begun[i] = in_.next();
  for (let i = 0; i < nodes; i++) self[i] = in_.next();
  const n = in_.next(), column = () => new Float64Array(n), buckets = [];
  const names = { n, name: new Uint32Array(n), timed: column(), sum: column(), min: column(), max: column(), bucketsEnd: new Uint32Array(n) };
  for (let i = 0, last = 0; i < n; i++) {
    names.name[i] = last += in_.next();
    names.timed[i] = in_.next();
    names.sum[i] = in_.next();
    names.min[i] = in_.next();
    names.max[i] = in_.next();
    for (let k = in_.next(), bucket = 0; k > 0; k--) buckets.push(bucket += in_.next(), in_.next());
    names.bucketsEnd[i] = buckets.length;
  }
  names.buckets = Uint32Array.from(buckets);
  const unwound = [];
  for (let k = in_.next(); k > 0; k--) unwound.push([in_.next(), in_.next()]);
  return { node, begun, self, names, unwound };
}
// Sums that have been read need many times more memory, so only the last ones are kept.
const MOST_SUMS = 2e7; // maximum bytes of the sums that are kept, counted before reading
const readOnes = []; // chunks whose sums are kept, the oldest first
let readBytes = 0;
class Chunk {
  constructor(id, container, t0) { Object.assign(this, { id, container, t0, t1: t0, events: 0, calls: null, late: [], bytes: null, read: null }); }
  get sums() {
    if (this.read) return this.read;
    readOnes.push(this);
    readBytes += this.bytes.length;
    while (readBytes > MOST_SUMS && readOnes.length > 1) {
      const old = readOnes.shift();
      old.read = null;
      readBytes -= old.bytes.length;
    }
    return this.read = readSums(new Numbers(this.bytes));
  }
}
function readChunks(bytes) {
  const in_ = new Numbers(bytes);
  while (in_.at < bytes.length) {
    const c = new Chunk("c" + chunks.length, in_.next(), in_.next());
    c.t1 = c.t0 + in_.next();
    c.events = in_.next();
    for (let n = in_.next(); n > 0; n--) c.late.push({ node: in_.next(), start: c.t0 - in_.next(), end: c.t0 + in_.next(), spent: in_.next(), mark: in_.next() });
    const size = in_.next();
    c.bytes = bytes.subarray(in_.at, in_.at + size);
    in_.at += size;
    chunks.push(c);
    let of = perContainer.get(c.container);
    if (!of) perContainer.set(c.container, of = { chunks: [], ends: new Map() });
    of.chunks.push(c);
    for (const l of c.late) of.ends.set(l.start + ":" + l.node, l);
  }
}
const documentReady = document.readyState === "loading" ?
  new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true })) : Promise.resolve();
// Promises true if the page has all calls and the browser can unpack them. Resolves soon after the
// first picture.
const ready = documentReady.then(async () => {
  if (!data.chunks || !canUnpack()) return false;
  readTree(await unpack("tree"));
  readChunks(await unpack("sums"));
  if (!document.getElementById("c" + (chunks.length - 1))) throw Error("The end of the page is missing");
  return true;
});

// ---- the calls of a chunk --------------------------------------------------------------------
// Returns columns of the chunk's calls by begin, first those that were open at its start: node,
// start, end (also of a call that ends in a later chunk; Infinity if it never ends), depth, spent
// (duration without pauses of eztsh), mark, here (the call ends in this chunk), point. Also returns
// values (texts by call), and of all events the times (at) and what they are (what; 0: an exit).
function decode(c, bytes) {
  const in_ = new Numbers(bytes), open = in_.next(), of = perContainer.get(c.container);
  const most = open + c.events, node = new Uint32Array(most), depth = new Uint32Array(most);
  const start = new Float64Array(most), end = new Float64Array(most).fill(Infinity), spent = new Float64Array(most);
  const mark = new Uint8Array(most), here = new Uint8Array(most), point = new Uint8Array(most);
  const ours = new Float64Array(most), stack = [], values = new Map();
  let n = 0, pauses = 0, top = 0;
  for (; n < open; n++) {
    node[n] = top = in_.next();
    start[n] = c.t0 - in_.next();
    ours[n] = -in_.next();
    depth[n] = n;
    stack.push(n);
  }
  const events = in_.next(), what = new Uint32Array(events), at = new Float64Array(events);
  for (let i = 0; i < events; i++) what[i] = in_.next();
  for (let i = 0, t = c.t0; i < events; i++) at[i] = t += in_.next();
  const marks = new Map();
  for (let k = in_.next(), i = 0; k > 0; k--) { i += in_.next(); marks.set(i - 1, in_.next()); }
  const texts = new Map();
  for (let k = in_.next(), i = 0; k > 0; k--) {
    i += in_.next();
    const size = in_.next();
    texts.set(i - 1, new TextDecoder().decode(bytes.subarray(in_.at, in_.at + size)));
    in_.at += size;
  }
  for (let i = 0, last = c.t0; i < events; i++) {
    if (top && pauseOf(top) === OURS) pauses += at[i] - last;
    last = at[i];
    if (!what[i]) {
      const k = stack.pop();
      end[k] = at[i];
      here[k] = 1;
      spent[k] = at[i] - start[k] - (pauseOf(node[k]) === OURS ? 0 : pauses - ours[k]);
      mark[k] = marks.get(i) || 0;
      if (texts.has(i)) values.set(k, texts.get(i));
      top = stack.length ? node[stack[stack.length - 1]] : 0;
      continue;
    }
    node[n] = tree.children[tree.first[top] + what[i] - 1];
    start[n] = at[i];
    ours[n] = pauses;
    depth[n] = stack.length;
    if (texts.has(i)) values.set(n, texts.get(i));
    if (data.names[tree.name[node[n]]][3]) {
      end[n] = at[i];
      point[n] = here[n] = 1;
    } else {
      stack.push(n);
      top = node[n];
    }
    n++;
  }
  for (const k of stack) { // calls that end in a later chunk, or never
    const l = of.ends.get(start[k] + ":" + node[k]);
    if (l) [end[k], spent[k], mark[k]] = [l.end, l.spent, l.mark];
  }
  return { n, open, node, start, end, depth, spent, mark, here, point, values, at, what };
}
const pauseOf = (node) => data.names[tree.name[node]][2] || 0;

const loaded = []; // chunks with unpacked calls, the least recently used first
async function callsOf(c) {
  const k = loaded.indexOf(c);
  if (k >= 0) loaded.splice(k, 1);
  loaded.push(c);
  if (!c.calls) {
    if (!c.asked) c.asked = unpack(c.id).then((bytes) => { c.calls = decode(c, bytes); c.asked = null; });
    await c.asked;
  }
  while (loaded.length > MOST_LOADED) loaded.shift().calls = null;
  return c.calls || (c.calls = decode(c, await unpack(c.id)));
}

// Returns the chunks of a container that overlap a window.
function chunksIn(container, from, to) {
  const of = perContainer.get(container);
  if (!of) return [];
  const list = of.chunks, first = d3.bisector((c) => c.t1).left(list, from), last = d3.bisector((c) => c.t0).right(list, to);
  return list.slice(first, Math.max(first, last));
}

// ---- a selection -----------------------------------------------------------------------------
// The buckets of engine/trace/hist.c: one for each value below 16, then 16 for each power of two.
function bucketOf(v) {
  if (v < 16) return v;
  const high = Math.floor(v / 2 ** 32), k = high ? 63 - Math.clz32(high) : 31 - Math.clz32(v >>> 0);
  return (k - 4) * 16 + Math.floor(v / 2 ** (k - 4));
}
const lowEnd = (b) => b < 16 ? b : (b % 16 + 16) * 2 ** (Math.floor(b / 16) - 1);
class Times {
  constructor() { this.timed = this.sum = this.max = 0; this.min = Infinity; this.own = null; this.parts = []; }
  count(timed, sum, min, max) {
    this.timed += timed;
    this.sum += sum;
    if (min < this.min) this.min = min;
    if (max > this.max) this.max = max;
  }
  add(ns) {
    const b = bucketOf(ns);
    this.count(1, ns, ns, ns);
    this.own = this.own || new Map();
    this.own.set(b, (this.own.get(b) || 0) + 1);
  }
  // Adds name i of the sums of a chunk. Its buckets are added later, by join().
  merge(names, i) {
    this.count(names.timed[i], names.sum[i], names.min[i], names.max[i]);
    this.parts.push(names, i);
    if (this.parts.length > 64) this.join();
  }
  join() {
    this.own = this.own || new Map();
    for (let p = 0; p < this.parts.length; p += 2) {
      const names = this.parts[p], i = this.parts[p + 1], b = names.buckets;
      for (let k = i ? names.bucketsEnd[i - 1] : 0; k < names.bucketsEnd[i]; k += 2) this.own.set(b[k], (this.own.get(b[k]) || 0) + b[k + 1]);
    }
    this.parts = [];
  }
  // Like ez_hist_quantile(), for several quantiles in ascending order.
  quantiles(list) {
    if (!this.timed) return list.map(() => 0);
    if (this.min === this.max) return list.map(() => this.min);
    this.join();
    const buckets = [...this.own].sort((a, b) => a[0] - b[0]);
    let before = 0, k = 0;
    return list.map((q) => {
      const place = q * this.timed * (1 - 1e-12), rank = place >= this.timed - 1 ? this.timed : Math.max(1, Math.floor(place) + 1);
      if (rank === 1) return this.min;
      if (rank >= this.timed) return this.max;
      for (; before + buckets[k][1] < rank; k++) before += buckets[k][1];
      const [b, n] = buckets[k], lo = Math.max(lowEnd(b), this.min), hi = Math.min(lowEnd(b + 1) - 1, this.max);
      return lo + Math.floor((hi - lo) * (rank - before - .5) / n);
    });
  }
}
// Adds the part of a chunk that is in the window to the sums s. isFirst: no chunk of the container
// was added before. Only adds the calls [first, last) of the chunk.
function addCut(s, c, calls, isFirst, first = 0, last = calls.n) {
  const low = Math.max(s.from, c.t0), high = Math.min(s.to, c.t1);
  for (let i = first; i < last; i++) {
    if (calls.start[i] > s.to || calls.end[i] < s.from) continue;
    const node = calls.node[i], name = tree.name[node], timed = calls.start[i] >= s.from && calls.end[i] <= s.to;
    if (i >= calls.open ? calls.start[i] >= s.from || isFirst : isFirst) s.begun[node]++;
    if (calls.point[i]) continue;
    const ns = Math.min(calls.end[i], high) - Math.max(calls.start[i], low);
    if (ns > 0) {
      addSelf(s, node, ns);
      if (calls.depth[i]) addSelf(s, tree.parent[node], -ns);
    }
    if (!calls.here[i] || calls.end[i] > s.to) continue;
    if (timed && !(calls.mark[i] & (UNKNOWN | CUT))) timesOf(s, name).add(calls.spent[i]);
    if (calls.mark[i] & UNWOUND) s.unwound.set(name, (s.unwound.get(name) || 0) + 1);
  }
}
function timesOf(s, name) {
  let t = s.times.get(name);
  if (!t) s.times.set(name, t = new Times());
  return t;
}
// Adds a chunk that is completely inside the window.
function addWhole(s, c) {
  const sums = c.sums;
  for (let i = 0; i < sums.node.length; i++) {
    s.begun[sums.node[i]] += sums.begun[i];
    addSelf(s, sums.node[i], sums.self[i]);
  }
  for (let i = 0; i < sums.names.n; i++) timesOf(s, sums.names.name[i]).merge(sums.names, i);
  for (const [name, n] of sums.unwound) s.unwound.set(name, (s.unwound.get(name) || 0) + n);
  for (const l of c.late)
    if (l.start >= s.from && !(l.mark & (UNKNOWN | CUT))) timesOf(s, tree.name[l.node]).add(l.spent);
}
// Returns the time of a container in the window to which shares refer: from its first to its last
// event there, or from or to the window's edge if a call is open there.
function activeTime(s, list, cut) {
  let first = Infinity, last = -Infinity;
  const note = (t) => { first = Math.min(first, t); last = Math.max(last, t); };
  for (const c of list) {
    const calls = cut.get(c);
    if (!calls) {
      note(c.t0);
      note(c.t1);
      continue;
    }
    for (let i = 0; i < calls.at.length; i++) if (calls.at[i] >= s.from && calls.at[i] <= s.to) note(calls.at[i]);
    for (let i = 0; i < calls.n; i++) {
      if (calls.point[i]) continue;
      if (calls.start[i] < s.from && calls.end[i] >= s.from) note(s.from);
      if (calls.start[i] <= s.to && calls.end[i] > s.to) note(s.to);
    }
  }
  return first <= last ? last - first : 0;
}
// The sums of a window: begun (number of calls) and self (ns) by node; times and unwound by name;
// run (ns); each: for each container {container, run, work (time in calls), paused, found (time in
// calls of the names in `found` of select())}.
const noSums = (from, to) => ({ from, to, tree, begun: new Float64Array(tree.n), self: new Float64Array(tree.n), times: new Map(),
  unwound: new Map(), run: 0, each: [] });
// After 12 ms of work, lets the browser draw and handle input, so that the work can be cancelled.
let since = 0;
async function breathe() {
  if (performance.now() - since < 12) return;
  await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
  since = performance.now();
}
const containersOf = (of) => of === null ? [...perContainer.keys()] : typeof of === "number" ? [of] : of;
// Returns the sums of a window, or null if cancelled. of: a container, a list of containers, or
// null for all. found: a set of names, or null.
async function select(from, to, of, cancelled, found = null) {
  const s = noSums(from, to), kinds = Uint8Array.from(tree.name, (n) => n < data.names.length && data.names[n][2] ? 1 : found && found.has(n) ? 2 : 0);
  since = performance.now();
  for (const id of containersOf(of)) {
    const list = chunksIn(id, from, to), cut = new Map();
    for (const c of list) {
      if (c.t0 >= from && c.t1 <= to) continue;
      cut.set(c, await callsOf(c));
      if (cancelled()) return null;
    }
    const sum = s.now = { work: 0, paused: 0, found: 0, kinds };
    for (let i = 0; i < list.length; i++) {
      if (cut.has(list[i])) addCut(s, list[i], cut.get(list[i]), i === 0); else addWhole(s, list[i]);
      await breathe();
      if (cancelled()) return null;
    }
    const run = activeTime(s, list, cut);
    s.run += run;
    if (list.length) s.each.push({ container: id, run, work: sum.work, paused: sum.paused, found: sum.found });
  }
  s.now = null;
  for (let i = 1; i < tree.n; i++) if (pauseOf(i) === OURS) s.run -= s.self[i];
  return s;
}
// Adds self time to a node, and to the container whose sums are being made.
function addSelf(s, node, ns) {
  s.self[node] += ns;
  if (!s.now) return;
  const kind = s.now.kinds[node];
  if (kind === 1) s.now.paused += ns;
  else s.now.work += ns;
  if (kind === 2) s.now.found += ns;
}
// Returns the time of each node with all nodes below it. Pauses of eztsh belong to no call.
function totals(s) {
  const total = Float64Array.from(s.self), t = s.tree, pauseOf = (node) => data.names[t.name[node]][2] || 0;
  for (let i = t.n - 1; i > 0; i--) if (pauseOf(i) !== OURS) total[t.parent[i]] += total[i];
  return total;
}
// Returns one row for each name, with the figures of `stats`. later: a row gets its percentiles
// only when withQuantiles() is called for it.
function withQuantiles(r) {
  if (r.times) [r.p50, r.p90, r.p99] = r.times.quantiles([.5, .9, .99]);
  r.times = null;
  return r;
}
function rows(s, later = false) {
  const byName = new Map(), total = totals(s), { tree } = s, pauseOf = (node) => data.names[tree.name[node]][2] || 0;
  const row = (name) => {
    let r = byName.get(name);
    if (!r) {
      const [text, group, pause] = data.names[name];
      r = { name, function: text, library: group, calls: 0, points: 0, total: 0, self: 0, paused: 0, ours: pause === OURS ? 1 : 0 };
      byName.set(name, r);
    }
    return r;
  };
  for (let i = 1; i < tree.n; i++) {
    if (!s.begun[i] && !s.self[i]) continue;
    const r = row(tree.name[i]);
    r.calls += s.begun[i];
    if (data.names[tree.name[i]][3]) r.points += s.begun[i];
    r.self += s.self[i];
    if (pauseOf(i) === WITHIN && tree.parent[i]) row(tree.name[tree.parent[i]]).paused += s.self[i];
  }
  for (let i = 1; i < tree.n; i++) if (tree.outer[i] && total[i] && byName.has(tree.name[i])) byName.get(tree.name[i]).total += total[i];
  for (const r of byName.values()) {
    const t = s.times.get(r.name) || new Times();
    r.timed = t.timed;
    r.cut = r.calls - r.points - t.timed;
    r.unwound = s.unwound.get(r.name) || 0;
    r.mean = t.timed ? Math.floor(t.sum / t.timed) : 0;
    r.min = t.timed ? t.min : 0;
    r.max = t.max;
    r.times = t;
    if (!later) withQuantiles(r);
  }
  return [...byName.values()];
}

// ---- one call: {chunk, calls, at}, `at` its place among the chunk's calls, where it begins -------------------
const nameOf = (call) => tree.name[call.calls.node[call.at]];
// Finds the call of a container with this start, depth and name; returns null if there is none.
async function find(container, start, depth, name) {
  for (const chunk of chunksIn(container, start, start)) {
    const calls = await callsOf(chunk);
    for (let i = calls.open; i < calls.n; i++)
      if (calls.start[i] === start && calls.depth[i] === depth && tree.name[calls.node[i]] === name) return { chunk, calls, at: i };
  }
  return null;
}
// Returns the sums, like those of a selection, of a call and of all calls inside it.
async function below(call) {
  const { calls, at, chunk } = call, depth = calls.depth[at], s = noSums(calls.start[at], calls.end[at]);
  const list = perContainer.get(chunk.container).chunks;
  const endOf = (of, i) => { while (i < of.n && of.depth[i] > depth) i++; return i; };
  addCut(s, chunk, calls, true, at, endOf(calls, at + 1));
  for (let k = list.indexOf(chunk) + 1; !calls.here[at] && k < list.length && list[k].t0 <= s.to; k++) {
    const next = list[k];
    if (next.t1 < s.to) { // all calls in the chunk are inside the call
      addWhole(s, next);
      continue;
    }
    const of = await callsOf(next);
    if (of.open <= depth || of.start[depth] !== s.from) break;
    addCut(s, next, of, false, depth, endOf(of, of.open));
    if (of.here[depth]) break;
  }
  return s;
}
async function around(call) { // returns the caller, or null
  const { chunk, calls, at } = call, depth = calls.depth[at];
  if (!depth) return null;
  let i = at - 1;
  while (calls.depth[i] !== depth - 1 || calls.point[i]) i--;
  return i >= calls.open ? { chunk, calls, at: i } :
    find(chunk.container, calls.start[i], depth - 1, tree.name[calls.node[i]]);
}
const begins = (sums, name) => sums.node.some((n, i) => tree.name[n] === name && sums.begun[i]);
// Returns the next (step 1) or previous (step -1) call of the same function in the container, or
// null.
async function beside(call, step) {
  const list = perContainer.get(call.chunk.container).chunks, name = nameOf(call);
  for (let k = list.indexOf(call.chunk), i = call.at + step; k >= 0 && k < list.length; k += step, i = null) {
    if (i === null && !begins(list[k].sums, name)) continue;
    const calls = await callsOf(list[k]);
    if (i === null) i = step > 0 ? calls.open : calls.n - 1;
    for (; i >= calls.open && i < calls.n; i += step)
      if (tree.name[calls.node[i]] === name) return { chunk: list[k], calls, at: i };
  }
  return null;
}
// Returns the longest call of a function inside the window, in some containers or in all (null).
// Returns null if no call is completely known.
async function longest(name, from, to, containers) {
  let best = null;
  const better = (ns) => !best || ns > best.ns;
  for (const id of containersOf(containers)) {
    for (const chunk of chunksIn(id, from, to)) {
      for (const l of chunk.late)
        if (tree.name[l.node] === name && l.start >= from && l.end <= to && !(l.mark & (UNKNOWN | CUT)) && better(l.spent))
          best = { ns: l.spent, id, late: l };
      const f = chunk.sums.names, i_ = f.name.indexOf(name);
      if (i_ < 0 || !better(f.max[i_])) continue;
      const calls = await callsOf(chunk);
      for (let i = calls.open; i < calls.n; i++)
        if (tree.name[calls.node[i]] === name && calls.here[i] && calls.start[i] >= from && calls.end[i] <= to &&
            !(calls.mark[i] & (UNKNOWN | CUT)) && better(calls.spent[i]))
          best = { ns: calls.spent[i], call: { chunk, calls, at: i } };
    }
  }
  if (!best || best.call) return best && best.call;
  let depth = 0;
  for (let n = tree.parent[best.late.node]; n; n = tree.parent[n]) depth++;
  return find(best.id, best.late.start, depth, name);
}

return { data, ready, unpack, Numbers, Times, makeTree, containersOf, noSums, find, below, around, beside, longest, nameOf, 
  chunks, perContainer, chunksIn, callsOf, select, rows, withQuantiles, totals, get tree() { return tree; },
  UNWOUND, UNKNOWN, CUT, WITHIN, OURS };
})();
