// Locks in the page of `report`: for which locks threads waited in the selection, which threads
// held them meanwhile, and who waited for whom. The figures are those of `info locks`.
// engine/trace/locks.h explains the terms, engine/format/conv_html_links.h the layout of the data.
"use strict";
const locks = (function () {
const TAKE = 0, RELEASE = 1, WAIT = 2, WAITED = 3, BUSY = 4, LATE = 5, NOBODY = -1, MOST_LISTED = 200;
// columns of lock events: at, what, lock, container, x (TAKE: function + 1; WAIT: name of a state;
// WAITED, LATE: ns of the wait), open (1: the end of the wait is missing)
let all = null;
let shown = [], chosenLock = null;

async function read() {
  if (data.many_locks) note("Locks are not in the page: " + count(data.lock_events, "event") + " of them need more room than -max-size");
  if (!data.lock_events || data.many_locks) return;
  const in_ = new store.Numbers(await store.unpack("all-locks")), n = in_.next();
  all = { n, at: new Float64Array(n), what: new Uint8Array(n), lock: new Uint32Array(n), container: new Uint32Array(n), x: new Float64Array(n), open: new Uint8Array(n) };
  for (let i = 0, t = 0; i < n; i++) {
    all.at[i] = t += in_.next();
    const what = all.what[i] = in_.next();
    all.lock[i] = in_.next();
    all.container[i] = in_.next();
    if (what !== RELEASE && what !== BUSY) all.x[i] = in_.next();
    if (what === WAITED || what === LATE) all.open[i] = in_.next();
  }
}

// Works like engine/trace/locks.c: each lock has its holders and its waiting threads. When one of
// these changes, the time since the previous change is added to the sums.
class Lock {
  constructor(i) {
    Object.assign(this, { i, text: plainName(data.locks[i][0]), process: data.locks[i][1], kinds: [], taken: 0, busy: 0, held: 0, longestHeld: 0, waits: 0,
      waited: 0, longest: 0, longestStart: 0, longestThread: NOBODY, open: 0, nobody: 0, holders: new Map(), pairs: new Map(),
      hold: [], wait: [], since: 0, alone: 0 });
  }
  advance(now) {
    const passed = now - this.since, ns = passed * this.wait.length;
    this.since = now;
    if (!ns) return;
    if (!this.hold.length) {
      this.nobody += ns;
      this.alone += passed;
    }
    for (const h of this.hold) if (!h.again) h.holder.blocked += ns;
  }
  pair(w, holder, ns) {
    if (ns <= 0) return;
    const key = w.container + " " + holder;
    let p = this.pairs.get(key);
    if (!p) this.pairs.set(key, p = { waiter: w.container, holder, waits: 0, waited: 0, longest: 0, wait: null, now: 0 });
    if (p.wait !== w) {
      p.wait = w;
      p.now = 0;
      p.waits++;
    }
    p.now += ns;
    p.waited += ns;
    p.longest = Math.max(p.longest, p.now);
  }
  overlap(w, h, now) { if (!h.again) this.pair(w, h.container, now - Math.max(w.start, h.start)); }
  take(container, now, fn) {
    const key = container + " " + fn;
    let holder = this.holders.get(key);
    if (!holder) this.holders.set(key, holder = { container, fn, times: 0, held: 0, blocked: 0 });
    this.hold.push({ container, holder, again: this.hold.some((h) => h.container === container), start: now });
    this.taken++;
    holder.times++;
  }
  release(container, now) {
    const i = this.hold.map((h) => h.container).lastIndexOf(container);
    if (i < 0) return;
    const [h] = this.hold.splice(i, 1);
    if (h.again) return;
    for (const w of this.wait) this.overlap(w, h, now);
    h.holder.held += now - h.start;
    this.held += now - h.start;
    this.longestHeld = Math.max(this.longestHeld, now - h.start);
  }
  begin(container, now, name) {
    if (!this.kinds.includes(name)) this.kinds.push(name);
    this.wait.push({ container, start: now, alone: this.alone });
    this.waits++;
  }
  end(container, now, ns, open) {
    const i = this.wait.map((w) => w.container).lastIndexOf(container);
    if (i >= 0) {
      const [w] = this.wait.splice(i, 1);
      for (const h of this.hold) this.overlap(w, h, now);
      this.pair(w, NOBODY, this.alone - w.alone);
    }
    this.waited += ns;
    this.open += open ? 1 : 0;
    if (ns >= this.longest) Object.assign(this, { longest: ns, longestStart: now - ns, longestThread: container });
  }
  get kind() { return this.kinds.map((n) => plainName(data.names[n][0]).replace(/^Blocked on a /, "")).join(", "); }
}
// Returns the locks of a window with their sums over the containers for which isShown_ is true.
function sums(from, to, isShown_ = () => true) {
  // by: index of a lock -> Lock. stacks: container -> its open holds and waits: [{lock, what, x,
  // start}]
  const by = new Map(), stacks = new Map();
  const lock = (i) => by.get(i) || by.set(i, new Lock(i)).get(i);
  const stack = (c) => stacks.get(c) || stacks.set(c, []).get(c);
  const drop = (c, i, what) => {
    const s = stack(c), k = s.map((o) => o.lock === i && o.what === what).lastIndexOf(true);
    return k < 0 ? null : s.splice(k, 1)[0];
  };
  const ascending = () => [...stacks].sort((a, b) => a[0] - b[0]);
  let open = false;
  const begin = () => {
    open = true;
    for (const [c, s] of ascending())
      for (const o of s) {
        o.start = from;
        lock(o.lock).advance(from);
        if (o.what === TAKE) lock(o.lock).take(c, from, o.x); else lock(o.lock).begin(c, from, o.x);
      }
  };
  for (let i = 0; i < all.n && all.at[i] <= to; i++) {
    const c = all.container[i], now = all.at[i], what = all.what[i], k = all.lock[i], x = all.x[i];
    if (!open && now >= from) begin();
    if (!isShown_(c)) continue;
    if (what === TAKE || what === WAIT) stack(c).push({ lock: k, what, x, start: now });
    else if (what === RELEASE) drop(c, k, TAKE);
    else if (what === WAITED) drop(c, k, WAIT);
    if (!open) continue;
    const l = lock(k);
    l.advance(now);
    if (what === TAKE) l.take(c, now, x);
    else if (what === RELEASE) l.release(c, now);
    else if (what === WAIT) l.begin(c, now, x);
    else if (what === BUSY) l.busy++;
    else l.end(c, now, Math.min(x, now - from), all.open[i] && now - x >= from);
  }
  if (!open) begin();
  for (const [c, s] of ascending().reverse())
    for (const o of s.reverse()) {
      const l = lock(o.lock);
      l.advance(to);
      if (o.what === TAKE) l.release(c, to); else l.end(c, to, to - o.start, false);
    }
  return [...by.values()].sort((a, b) => b.waited - a.waited || b.held - a.held || d3.ascending(a.text, b.text) || a.process - b.process);
}

const nameOf = (c) => c === NOBODY ? "nobody" : plainName(data.places[c][0]);
const titleOf = (l) => l.text + (processes.length > 1 ? " (" + nameOf(l.process) + ")" : "");
function update(from, to) {
  $("locks-part").hidden = !all;
  if (!all) return;
  const f = state.filter, picked = state.thread !== null || state.group !== null ? new Set(selectedContainers()) : null;
  // Only locks that the selected threads took or waited for are shown, but with all their holders.
  const mine = (l) => !picked || [...l.holders.values()].some((h) => picked.has(h.container)) || [...l.pairs.values()].some((p) => picked.has(p.waiter)) || picked.has(l.longestThread);
  shown = sums(from, to, f ? (c) => f.shown[c] : undefined).filter(mine);
  table_();
}
function table_() {
  const waited = shown.filter((l) => l.waits || l.waited), n = d3.format(",");
  $("locks-more").textContent = (waited.length ? "" : "No thread waited for a lock. ") + (shown.length > waited.length ? count(shown.length - waited.length, "more lock") + ", taken " +
    count(d3.sum(shown, (l) => l.waits || l.waited ? 0 : l.taken), "time") + ", for which no thread waited. " : "") +
    (waited.length > MOST_LISTED ? "The first " + MOST_LISTED + " are listed." : "");
  rowsOf("#locks", waited.slice(0, MOST_LISTED), (l) => [titleOf(l), l.kind, n(l.taken), n(l.busy), n(l.waits), time(l.waited), time(l.longest), time(l.held), time(l.longestHeld)], 2,
    (l, e) => {
      if (e.key === "l" || e.target.cellIndex === 6) goTo(l.longestStart, l.longestStart + l.longest, [l.longestThread]);
      else pick(chosenLock === l.i ? null : l.i);
    }).attr("aria-selected", (l) => String(l.i === chosenLock));
  details();
}
function pick(i) {
  chosenLock = i;
  table_();
  remember();
}
function details() { // shows the chosen lock, or the lock with the longest waits
  const l = shown.find((k) => k.i === chosenLock) || (shown[0] && shown[0].waited ? shown[0] : null), n = d3.format(",");
  $("lock-details").hidden = !l;
  if (!l) return;
  const by = (key) => (a, b) => b[key] - a[key], part = (ns) => l.waited ? (100 * ns / l.waited).toFixed(1) : "-";
  $("lock-name").textContent = cut(titleOf(l), 120);
  const holders = [...l.holders.values()].sort((a, b) => b.blocked - a.blocked || b.held - a.held);
  const rows = holders.map((h) => [nameOf(h.container), h.fn ? plainName(data.names[h.fn - 1][0]) : "-", n(h.times), time(h.held), time(h.blocked), part(h.blocked)]);
  if (l.nobody) rows.push(["nobody", "-", "-", "-", time(l.nobody), part(l.nobody)]);
  rowsOf("#holders", rows.slice(0, MOST_LISTED), (r) => r, 2, () => {});
  const pairs = [...l.pairs.values()].sort(by("waited"));
  rowsOf("#waits", pairs.slice(0, MOST_LISTED), (p) => [nameOf(p.waiter), nameOf(p.holder), n(p.waits), time(p.waited), time(p.longest)], 2,
    (p) => pickThread(data.threads.findIndex((t) => t.container === p.waiter)));
}
return { read, update, sums, isThere: () => Boolean(all), get shown() { return shown; }, get chosen() { return chosenLock; }, set chosen(i) { chosenLock = i; } };
})();
