// The selection of the page of `report` (page.js), the bars of threads, the chosen call, and the start.
"use strict";

// ---- the selection ---------------------------------------------------------------------
// The selection is the span of time that the timeline shows, and a thread, process or host. The
// table and the flame graph show the selection. The page's address contains it, so that the address
// can be sent to others, and so that the browser's back and forward buttons work. restoring: the
// address is not read yet; selected: key of the selection that the table shows
let selecting = 0, settling = 0, restoring = true, selected = null;
// Returns the span of the timeline in whole nanoseconds. A zoom to a time can be off by a tiny part
// of a nanosecond, which is rounded away.
const domain = () => [Math.max(start, Math.floor(view.domain()[0] + 1e-3)), Math.min(stop, Math.ceil(view.domain()[1] - 1e-3))];
const isWhole = ([from, to]) => from <= start && to >= stop;
function settle() { // updates the table when the timeline has not changed for 120 ms
  clearTimeout(settling);
  settling = setTimeout(() => showSelection().catch(damaged), 120);
}
function hashOf() {
  const [from, to] = domain(), q = new URLSearchParams(), put = (key, value) => { if (value) q.set(key, value); };
  if (!isWhole([from, to])) { q.set("from", from); q.set("to", to); }
  if (state.thread !== null) q.set("thread", data.threads[state.thread].container);
  if (state.group !== null) q.set("place", state.group);
  put("find", $("find").value);
  put("filter", state.filter && state.filter.text);
  put("sort", lineOrder !== "trace" && lineOrder);
  put("fold", toggled().join("."));
  put("color", colorMode !== "function" && colorMode);
  put("pair", messages.pair && messages.pair.join("."));
  if (locks.chosen !== null) q.set("lock", locks.chosen);
  put("around", around);
  if (chosen) q.set("call", [chosen.chunk.container, chosen.calls.start[chosen.at], chosen.calls.depth[chosen.at], store.nameOf(chosen)].join("."));
  return q.toString();
}
function remember() {
  const hash = hashOf();
  if (restoring || hash === location.hash.slice(1)) return;
  history.pushState(null, "", hash ? "#" + hash : location.pathname + location.search);
}
async function restore() { // sets everything that the address contains
  const q = new URLSearchParams(location.hash.slice(1)), number = (key) => q.has(key) ? Number(q.get(key)) : NaN;
  const numbers_ = (key) => (q.get(key) || "").split(".").filter((t) => t !== "").map(Number), call = numbers_("call"), pair = numbers_("pair");
  const inside = (at) => Math.max(start, Math.min(stop, at)); // NaN stays NaN: shows all
  const from = inside(Math.floor(number("from"))), to = inside(Math.ceil(number("to"))), among = (select_, value) => [...select_.options].some((o) => o.value === value);
  restoring = true;
  state.thread = q.has("thread") ? data.threads.findIndex((t) => t.container === number("thread")) : null;
  if (state.thread === -1) state.thread = null;
  state.group = groups.has(number("place")) ? number("place") : null;
  $("find").value = q.get("find") || "";
  $("where").value = q.get("filter") || "";
  setFilter();
  lineOrder = $("order").value = among($("order"), q.get("sort")) ? q.get("sort") : "trace";
  sortSoon = lineOrder === "time";
  folded = new Set(foldedAtFirst);
  for (const c of numbers_("fold")) if (groups.has(c) && !folded.delete(c)) folded.add(c);
  $("color").value = among($("color"), q.get("color")) ? q.get("color") : "function";
  setColors($("color").value);
  legend();
  messages.pair = pair.length === 2 && pair.every((c) => data.places[c]) ? pair : null;
  locks.chosen = data.locks[number("lock")] ? number("lock") : null;
  around = data.names.some((n) => n[0] === q.get("around")) ? q.get("around") : null;
  $("around").value = around || "";
  search();
  layOut();
  resize();
  if (from < to) zoomTo(from, to); else zoom.transform(zoomed, d3.zoomIdentity);
  choose(allThere && call.length === 4 ? await store.find(...call) : null);
  selected = "";
  draw();
  restoring = false;
}
addEventListener("popstate", restore);
function crumbs() {
  const [from, to] = domain(), unit = unitOf(to), digits = (to - from) / 1000, none_ = () => { state.thread = state.group = null; choose(null); };
  const list = [["All", () => {
    none_();
    $("find").value = $("where").value = "";
    messages.pair = locks.chosen = null;
    setFilter();
    search();
    zoom.transform(zoomed, d3.zoomIdentity);
    draw();
  }]];
  if (state.filter) list.push([cut(state.filter.text, 80), () => { none_(); draw(); }]);
  if (!isWhole([from, to])) list.push([fine(from, digits, unit) + " to " + fine(to, digits, unit), () => { none_(); draw(); }]);
  if (state.group !== null) list.push([cut(groups.get(state.group).name, 60), () => { choose(null); draw(); }]);
  if (state.thread !== null) list.push([cut(data.threads[state.thread].name, 60), () => { choose(null); draw(); }]);
  if (chosen) list.push([cut(data.names[store.nameOf(chosen)][0], 60), () => { zoomToCall(chosen); }]);
  d3.select("#crumbs").selectAll("button").data(list).join("button").text((c) => c[0]).on("click", on((e, c) => c[1]()));
}
// Parses the filter line. If the line is not valid, shows the reason and keeps the previous filter.
function setFilter() {
  let why = "";
  try {
    const f = filters.parse($("where").value);
    if (!f || !state.filter || f.text !== state.filter.text) state.filter = f;
  } catch (e) {
    if (!(e instanceof filters.Wrong)) throw e;
    why = e.message;
  }
  shownContainer = state.filter && allThere ? state.filter.shown : null;
  $("where-wrong").textContent = why;
  $("where").setAttribute("aria-invalid", String(Boolean(why)));
}
$("where").onchange = () => {
  setFilter();
  if (state.thread !== null && !isShown(state.thread)) state.thread = null;
  relay();
};

let current = null; // the sums that the table shows; null: the sums of the whole in the page's data
const ofPage = { each: d3.range(0, data.each.length, 4).map((i) => ({ container: data.each[i], run: data.each[i + 1], work: data.each[i + 2], paused: data.each[i + 3], found: 0 })) };
let sortSoon = false; // sorts the lines by time as soon as the times are known
async function showSelection() {
  const [from, to] = domain(), f = state.filter, here = state.thread !== null || state.group !== null;
  const whole = isWhole([from, to]) && !here && !f;
  const key = [from, to, String(state.thread)].join(" ") + (state.group === null ? "" : " in " + state.group) + (f ? " with " + f.text : "");
  const barKey = from + " " + to + " " + $("find").value + " " + (f ? f.text : "");
  remember();
  crumbs();
  $("bars").hidden = !allThere;
  if (key === selected && (!allThere || barKey === barred)) return;
  const run = ++selecting, cancelled = () => run !== selecting;
  const events = f && allThere ? d3.sum(store.chunks, (c) => c.t1 >= from && c.t0 <= to ? c.events : 0) : 0;
  // without flags, isPale() uses only names and durations
  const flags = f && events <= filtered.MOST_MARKED ? new Map() : null;
  const sums = (of, found_) => f ? filtered.select(f, from, to, of, cancelled, found_, found_ === null ? null : flags) : store.select(from, to, of, cancelled, found_);
  const slow = setTimeout(() => { $("busy").textContent = "adding up …"; }, 300);
  try {
    const known = whole && !found && around === null ? ofPage : null;
    const all = allThere ? known || await sums(null, found || new Set()) : null; // of all threads
    if (cancelled()) return;
    if (f && all) {
      f.flags = flags;
      redrawOnce();
    }
    if (all) timeOf = new Map(all.each.map((e) => [e.container, found ? e.found : e.work]));
    if (all && sortSoon) {
      sortSoon = false;
      layOut();
      redrawOnce();
    }
    if (all && barKey !== barred) bars(all, barKey);
    if (key === selected) return;
    const s = all === known ? null : all && (here ? await sums(selectedContainers(), null) : all);
    if (cancelled()) return;
    showSums(s, whole, from, to, f);
  } finally {
    clearTimeout(slow);
    if (!cancelled()) $("busy").textContent = "";
  }
  document.body.dataset.selected = selected = key;
}
function redrawOnce() { // draws without computing the sums again
  draw();
  clearTimeout(settling);
}
function showSums(s, whole, from, to, f) {
  const unit = unitOf(to), digits = (to - from) / 1000;
  const where = state.thread !== null ? data.threads[state.thread].name : state.group !== null ? groups.get(state.group).name : "";
  const words_ = whole ? "" : !s ? "of the whole page, not of this part" : "of " + fine(from, digits, unit) + " to " + fine(to, digits, unit) +
    (where ? ", " + cut(where, 60) : "") + (f ? ", " + cut(f.text, 60) : "");
  const was = tree;
  current = s;
  tableRows = s && !whole ? share(store.rows(s, true), s.run) : data.rows;
  stacksShown = s && !whole ? flameOfSums(s) : data.flame;
  tree = s && !whole ? flameOf(stacksShown) : wholeFlame;
  $("of").textContent = $("flame-of").textContent = words_;
  $("pruned").hidden = tree !== wholeFlame;
  table();
  if (tree !== was || $("callers").checked) flame(shownTree());
  drawSandwich();
  if (!allThere) return;
  messages.update(from, to);
  locks.update(from, to);
}

// Shows the time in calls (or in the calls that the search finds) of each thread as a bar, so that
// the user sees which threads have more work than others. s: the sums of all threads; key: text
// that identifies span, search and filter of these sums.
let barred = null;
function bars(s, key) {
  const by = new Map(s.each.map((e) => [e.container, e])), field = found ? "found" : "work";
  const one = (t) => by.get(data.threads[t].container), sum = (threads) => {
    const list = threads.map(one).filter((e) => e), total = (k) => d3.sum(list, (e) => e[k]);
    return list.length && { work: total("work"), paused: total("paused"), run: total("run"), found: total("found"), most: d3.max(list, (e) => e[field]), mean: d3.mean(list, (e) => e[field]) };
  };
  const list = lines.map((l) => l.group ? { l, e: sum(l.threads), level: l.group.level } : { l, e: l.variable ? null : one(l.thread), level: "thread" }).filter((b) => b.e);
  const threads = s.each.map((e) => e[field]), most = d3.max(threads) || 0, mean = d3.mean(threads) || 0;
  const longestOf = (level) => d3.max(list.filter((b) => b.level === level), (b) => b.e[field]) || 0;
  const mosts = { host: longestOf("host"), process: longestOf("process"), thread: most };
  const rows = d3.select("#thread-bars").selectAll("div").data(list.slice(0, 1000)).join((e) => {
    const d = e.append("div");
    for (const k of ["span", "span", "em"]) d.append(k);
    return d;
  });
  const pick = (b) => b.l.group ? selectGroup(b.l.group) : pickThread(b.l.thread), high_ = (b) => b.e[field] === mosts[b.level] && mosts[b.level] > 0;
  const levelMean = (level) => d3.mean(list.filter((b) => b.level === level), (b) => b.e[field]) || 0;
  rows.attr("class", (b) => (b.l.group ? "head" : "") + (high_(b) && mosts[b.level] > 1.1 * (b.level === "thread" ? mean : levelMean(b.level)) ? " most" : "")).attr("role", "button")
    .attr("aria-expanded", (b) => b.l.group ? String(!b.l.folded) : null)
    .on("click", on((e, b) => b.l.group && e.target.tagName !== "SPAN" && e.target.tagName !== "EM" ? fold(b.l.group) : b.l.group && e.offsetX < 16 && e.target.matches("span:first-child") ? fold(b.l.group) : pick(b)));
  reach(rows, upDown, (e, b) => {
    if (b.l.group) return foldKey(e, b.l.group);
    if (e.key === "Enter" || e.key === " ") pick(b);
    return e.key === "Enter" || e.key === " ";
  });
  rows.select("span:nth-child(1)").text((b) => (b.l.group ? b.l.folded ? "\u25b8 " : "\u25be " : "") + cutMiddle(b.l.name, 40)).style("padding-left", (b) => b.l.indent + "px")
    .attr("title", (b) => b.l.group ? cut(b.l.name, 300) : data.threads[b.l.thread].process);
  rows.select("span:nth-child(2)").text((b) => time(b.e[field]));
  rows.select("em").style("width", (b) => (mosts[b.level] ? 100 * b.e[field] / mosts[b.level] : 0) + "%")
    .attr("title", (b) => "in calls " + time(b.e.work) + ", paused " + time(b.e.paused) + ", active for " + time(b.e.run) +
      (b.l.group && b.e.mean ? "; of its threads the most " + time(b.e.most) + ", the mean " + time(b.e.mean) : ""));
  $("bars-of").textContent = (found ? "in functions with \u201c" + cut($("find").value, 60) + "\u201d" : "in calls, without pauses") +
    ": the most " + time(most) + ", the mean " + time(mean) + (mean ? " (" + (most / mean).toFixed(2) + " times)" : "");
  barred = key;
  document.body.dataset.bars = key;
}

function pickThread(t) {
  state.thread = state.thread === t || t < 0 ? null : t;
  state.group = null;
  draw();
}

// ---- a call --------------------------------------------------------------------------------
function choose(call) {
  chosen = call;
  $("call").hidden = !call;
  redraw();
  if (call) showCall(call).catch(damaged);
}
function zoomToCall(call) {
  const { calls: c, at, chunk } = call, ns = Math.max(10, c.end[at] - c.start[at]);
  const t = data.threads.findIndex((h) => h.container === chunk.container);
  if (t >= 0 && isShown(t)) {
    reveal(t);
    box.scrollTop = lineOf[t].top - high / 3;
  }
  zoomTo(Math.max(start, c.start[at] - ns / 4), Math.min(stop, c.end[at] + ns / 4));
}
function follow(promise) { // returns a function that shows the call to which promise() resolves
  return () => promise().then((call) => {
    if (!call) return;
    const { calls: c, at } = call, [from, to] = domain();
    choose(call);
    if (c.start[at] < from || c.end[at] > to || view(c.end[at]) - view(c.start[at]) < 3) zoomToCall(call);
  }).catch(damaged);
}
const sources = new Map(); // name -> FILE:LINE
for (let i = 0; i < data.sources.length; i += 3) sources.set(data.sources[i], plainName(cut(data.sources[i + 1], 1000)) + ":" + data.sources[i + 2]);
async function showCall(call) {
  const { calls: c, at, chunk } = call, node = c.node[at], t = data.threads.find((h) => h.container === chunk.container);
  const caller = await store.around(call), s = await store.below(call), total = store.totals(s), tree_ = store.tree;
  if (chosen !== call) return;
  const label_ = (n) => brief(tree_.name[n]), whole = c.mark[at] & (store.UNKNOWN | store.CUT) ? " (a part of it)" : "";
  d3.select("#call-facts").selectAll("tr").data([
    ["Function", label_(node)],
    ...(sources.has(tree_.name[node]) ? [["Source", sources.get(tree_.name[node])]] : []),
    ["Thread", t ? t.name + (t.process ? ", " + t.process : "") : "-"],
    ["Begin", exact(c.start[at])],
    ["Duration", lasted(c.end[at] - c.start[at]) + whole],
    ["Self", time(s.self[node])],
    ...(c.values.has(at) ? [["Values", cut(c.values.get(at), 2000)]] : []),
    ...(c.mark[at] & store.UNWOUND ? [["End", "left by an exception or longjmp"]] : []),
    ["Caller", caller ? brief(store.nameOf(caller)) : "-"],
  ]).join("tr").selectAll("td").data((d) => d).join("td").text((d) => d);
  const inside = [];
  for (let k = tree_.first[node]; k < tree_.first[node + 1]; k++) {
    const n = tree_.children[k];
    if (s.begun[n] || total[n]) inside.push([label_(n), s.begun[n], total[n]]);
  }
  inside.sort((a, b) => b[2] - a[2]);
  const of = t ? data.threads.indexOf(t) : -1, sent = [];
  for (let i = 0; i < links.length; i += 5) {
    const [from, to, name, begin, arrival] = links.slice(i, i + 5), out = from === of && begin >= c.start[at] && begin <= c.end[at];
    if (out || (to === of && arrival >= c.start[at] && arrival <= c.end[at]))
      sent.push([brief(name), out ? "to " + data.threads[to].name : "from " + data.threads[from].name, exact(begin), lasted(arrival - begin)]);
  }
  $("messages").hidden = !sent.length;
  d3.select("#messages tbody").selectAll("tr").data(sent.slice(0, 50)).join("tr").selectAll("td")
    .data((d) => d).join("td").text((d) => d).attr("class", (d, i) => i > 1 ? "num" : null);
  $("callees").hidden = !inside.length;
  d3.select("#callees tbody").selectAll("tr").data(inside.slice(0, 50)).join("tr").selectAll("td")
    .data((d) => [d[0], d3.format(",")(d[1]), time(d[2])]).join("td").text((d) => d).attr("class", (d, i) => i ? "num" : null);
  $("call-caller").disabled = !caller;
  $("call-caller").onclick = follow(async () => caller);
  $("call-before").onclick = follow(() => store.beside(call, -1));
  $("call-next").onclick = follow(() => store.beside(call, 1));
  $("call-longest").onclick = follow(() => longestHere(store.nameOf(call)));
  $("call-around").onclick = () => setAround(data.names[store.nameOf(call)][0]);
  $("call-zoom").onclick = () => zoomToCall(call);
  document.body.dataset.call = [chunk.container, c.start[at], c.depth[at]].join(" ");
}
function closeCall() {
  if ($("call").contains(document.activeElement)) canvas.focus({ preventScroll: true });
  choose(null);
}
$("call-close").onclick = closeCall;
addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || /INPUT/.test(e.target.tagName)) return;
  if (e.key === "Escape") closeCall();
  else if (e.key === "/") { $("find").focus(); e.preventDefault(); } else if (!chosen) return;
  else if (e.key === ".") $("call-next").click();
  else if (e.key === ",") $("call-before").click();
  else if (e.key === "u") $("call-caller").click();
  else if (e.key === "f") zoomToCall(chosen);
});
canvas.addEventListener("click", async (e) => {
  const p = place(e);
  if (!p.l || p.l.variable || Math.hypot(e.clientX - pressed[0], e.clientY - pressed[1]) > 3) return;
  if (p.l.group) return p.px >= gutter && p.l.folded ? fold(p.l.group) : null;
  if (p.px < gutter) return pickThread(p.l.thread);
  const c = p.depth < 0 || !allThere ? null : callAt(p.l.thread, p.depth, p.at, p.slack);
  choose(c && await store.find(data.threads[p.l.thread].container, c.of.start(c.i), c.of.depth(c.i), c.of.name(c.i)).catch(damaged));
});
let pressed = [0, 0]; // where the button was pressed; a click elsewhere is the end of a drag
canvas.addEventListener("pointerdown", (e) => { pressed = [e.clientX, e.clientY]; }, true);
// Finds the longest call of a function in the selection.
const longestHere = (name) => store.longest(name, ...domain(), selectedContainers());
// A click on a row finds its function in the timeline. A click on Max goes to the function's
// longest call, and a click on Total shows its callers and callees.
function rowClicked(r, column) {
  const name = data.names.findIndex((n) => n[0] === r.function && n[1] === r.library && !n[3]);
  if (column === "max" && allThere && name >= 0) return follow(() => longestHere(name))();
  if (column === "total") return setAround(around === r.function ? null : r.function);
  $("find").value = $("find").value === r.function ? "" : r.function;
  search();
  draw();
}
legend();
layOut();
resize();
table();
flame(tree);
store.ready.then(async (all) => {
  if (all) await Promise.all([messages.read(), locks.read()]);
  return all;
}).catch((e) => { console.error(e); return null; }).then((all) => {
  allThere = Boolean(all);
  restore().catch(damaged);
  $("drawn").textContent = drawnWords();
  $("select").textContent = all ? "The table and the flame graph are of what the timeline shows; a click on the name of a " +
    "thread selects that thread, a click on a call shows its details. The address of the page has the selection." :
    "The table and the flame graph are of all that the page is of, whatever the timeline shows" +
    (data.chunks ? "" : ": the calls need more room than -max-size") + ".";
  if (all === null) damaged("These are not all calls");
  else if (!all && data.chunks) note("This browser cannot unpack the calls in the page (DecompressionStream): a newer one shows more");
  redraw();
  document.body.dataset.chunks = all ? store.chunks.length : 0;
});
// For tests, and for the browser's console.
window.eztsh = {
  data, zoomTo, time, store, messages, locks, filters,
  filtered: async (line, ...window_) => filtered.select(filters.parse(line), ...window_, null, () => false, null, null),
  get lines() { return lines; },
  get tree() { return tree; },
  get rows() { return tableRows; },
  visible: () => shown,
  dense: () => drawnFrom !== null, // every call is drawn, from the chunks
  domain: () => view.domain(),
  // Scrolls a time at a depth of a thread into view, and returns its position in the window. at:
  // the time, or null for the name of the thread.
  spot(t, depth, at) {
    reveal(t);
    const y = lineOf[t].top + strip + (depth + .5) * lane;
    canvas.scrollIntoView({ block: "center" });
    box.scrollTop = y - high / 2;
    const r = canvas.getBoundingClientRect();
    return [r.left + (at === null ? 10 : view(at)), r.top + y - box.scrollTop];
  },
  // Like spot(), for the middle of call i.
  where(i) {
    const c = calls.slice(stride * i, stride * i + 5);
    return this.spot(c[0], c[1], c[3] + c[4] / 2);
  },
};
document.body.dataset.ready = "1";
