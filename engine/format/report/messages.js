// Messages in the page of `report`: who sent how much to whom in the selection (the figures of
// `stats -messages`), and which messages took longest. engine/format/conv_html_links.h describes
// the layout of the data.
"use strict";
const messages = (function () {
const MOST_RANKS = 64, MOST_LISTED = 100;
let all = null; // columns of all messages, sorted by end: from, to, start, end, bytes, name
let shown = null; // the pairs of the last selection: Map("from to" -> sums)
let pair = null; // the containers of the processes of the chosen cell: [from, to]
let metric = "bytes";

async function read() {
  if (data.many_messages) note("Who sends what to whom is not in the page: " + count(data.messages, "message") + " need more room than -max-size");
  if (!data.messages || data.many_messages) return;
  const in_ = new store.Numbers(await store.unpack("all-messages")), n = in_.next();
  all = { n, from: new Uint32Array(n), to: new Uint32Array(n), name: new Uint32Array(n), start: new Float64Array(n), end: new Float64Array(n), bytes: new Float64Array(n) };
  for (let i = 0, at = 0; i < n; i++) {
    all.end[i] = at += in_.next();
    all.start[i] = at - in_.next();
    all.from[i] = in_.next();
    all.to[i] = in_.next();
    all.bytes[i] = in_.next();
    all.name[i] = in_.next();
  }
}

// Calls fn(i) for each message that begins and ends in the window. If there is a filter, it must
// show sender and receiver; if a thread, process or host is selected, it must have sent or received
// the message.
function each(from, to, fn) {
  const f = state.filter, picked = state.filter ? null : selectedContainers(), of = picked && new Set(picked);
  const chosenOnes = f && (state.thread !== null || state.group !== null) ? new Set(selectedContainers()) : of;
  for (let i = d3.bisectLeft(all.end, from); i < all.n && all.end[i] <= to; i++) {
    if (all.start[i] < from || (f && !(f.shown[all.from[i]] && f.shown[all.to[i]]))) continue;
    if (!chosenOnes || chosenOnes.has(all.from[i]) || chosenOnes.has(all.to[i])) fn(i);
  }
}
// Returns sums by pair of processes: Map("from to" -> sums).
function pairs(from, to) {
  const by = new Map();
  each(from, to, (i) => {
    const a = processOf(all.from[i]), b = processOf(all.to[i]), key = a + " " + b, ns = all.end[i] - all.start[i];
    let p = by.get(key);
    if (!p) by.set(key, p = { from: a, to: b, messages: 0, bytes: 0, min: Infinity, max: 0, time: 0, shortest: Infinity, longest: 0 });
    p.messages++;
    p.bytes += all.bytes[i];
    p.min = Math.min(p.min, all.bytes[i]);
    p.max = Math.max(p.max, all.bytes[i]);
    p.time += ns;
    p.shortest = Math.min(p.shortest, ns);
    p.longest = Math.max(p.longest, ns);
  });
  return by;
}

const metrics = { bytes: (v) => bytes(v), messages: (v) => d3.format(",")(v), time: (v) => time(v) };
const rankOf = (c) => data.places[c][3] >= 0 ? String(data.places[c][3]) : plainName(data.places[c][0]);
function matrix() {
  const sums = [...shown.values()], of = new Map();
  for (const p of sums) for (const c of [p.from, p.to]) of.set(c, (of.get(c) || 0) + p[metric]);
  const ranks = [...of].sort((a, b) => b[1] - a[1]).slice(0, MOST_RANKS).map((r) => r[0]).sort((a, b) => a - b);
  const most = d3.max(sums, (p) => p[metric]) || 1, roomy = ranks.length <= 12;
  $("matrix-more").textContent = (of.size > ranks.length ? "The " + MOST_RANKS + " of " + of.size + " processes with the most. " : "") +
    (state.filter && state.filter.byCall ? "The filter's ranks, processes and threads count here, not its calls. " : "");
  const cells = ranks.map((a) => ranks.map((b) => ({ from: a, to: b, sum: shown.get(a + " " + b) })));
  const table_ = d3.select("#matrix").classed("roomy", roomy);
  table_.select("thead").selectAll("tr").data([0]).join("tr").selectAll("th").data(["from \u2193 to \u2192", ...ranks.map((c) => cut(rankOf(c), 12))]).join("th").text((t) => t);
  const rows = table_.select("tbody").selectAll("tr").data(cells).join("tr");
  rows.selectAll("th").data((r) => [r[0].from]).join("th").attr("scope", "row").text((c) => cut(rankOf(c), 12)).attr("title", (c) => cut(data.places[c][0], 200));
  const tds = rows.selectAll("td").data((r) => r).join("td");
  tds.text((c) => c.sum && roomy ? metrics[metric](c.sum[metric]) : "")
    .style("--heat", (c) => c.sum ? (12 + 68 * Math.sqrt(c.sum[metric] / most)).toFixed(0) + "%" : "0%")
    .attr("class", (c) => (c.sum ? "some" : "") + (pair && c.from === pair[0] && c.to === pair[1] ? " chosen" : ""))
    .attr("role", "button").attr("aria-label", cellText)
    .on("click", on((e, c) => choosePair(c))).on("mousemove", on((e, c) => show(e, cellText(c)))).on("mouseleave", hide);
  const nodes = tds.nodes(), n = ranks.length, steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -n, ArrowDown: n };
  reach(tds, (key, at) => steps[key] && nodes[nodes.indexOf(at) + steps[key]], (e, c) => {
    if (e.key === "Enter" || e.key === " ") choosePair(c);
    return e.key === "Enter" || e.key === " ";
  });
  tds.attr("tabindex", (c, i, list) => list[i] === nodes[0] ? 0 : -1);
}
function cellText(c) {
  const name = (p) => cut(plainName(data.places[p][0]), 100);
  return name(c.from) + " to " + name(c.to) + (c.sum ? ":\n" + count(c.sum.messages, "message") + ", " + bytes(c.sum.bytes) + ", " + time(c.sum.time) +
    " from send to receive, the longest " + time(c.sum.longest) : ": none");
}
function choosePair(c) {
  pair = pair && pair[0] === c.from && pair[1] === c.to ? null : [c.from, c.to];
  matrix();
  list();
  redraw();
  remember();
}
const isPair = (i) => !pair || (processOf(all.from[i]) === pair[0] && processOf(all.to[i]) === pair[1]);
function list() { // lists the messages that took longest
  const [from, to] = domain(), found_ = [];
  each(from, to, (i) => { if (isPair(i)) found_.push(i); });
  found_.sort((a, b) => all.end[b] - all.start[b] - (all.end[a] - all.start[a]) || all.start[a] - all.start[b]);
  $("message-of").textContent = pair ? "from " + cut(plainName(data.places[pair[0]][0]), 60) + " to " + cut(plainName(data.places[pair[1]][0]), 60) : "of all";
  $("message-count").textContent = count(found_.length, "message") + (found_.length > MOST_LISTED ? ", the " + MOST_LISTED + " longest are listed" : "");
  rowsOf("#message-list", found_.slice(0, MOST_LISTED), (i) => [plainName(data.places[all.from[i]][0]), plainName(data.places[all.to[i]][0]),
    exact(all.start[i]), lasted(all.end[i] - all.start[i]), d3.format(",")(all.bytes[i])], 2, (i) => goTo(all.start[i], all.end[i], [all.from[i], all.to[i]]));
}
// Calls fn(from, to, start, end) for messages of the chosen pair, with the indexes of the threads.
function eachOfPair(from, to, fn) {
  if (!pair || !all) return;
  const index = new Map(data.threads.map((t, i) => [t.container, i]));
  let n = 0;
  for (let i = d3.bisectLeft(all.end, from); i < all.n && n < 5000; i++)
    if (all.start[i] <= to && isPair(i) && index.has(all.from[i]) && index.has(all.to[i]) && ++n)
      fn(index.get(all.from[i]), index.get(all.to[i]), all.start[i], all.end[i]);
}
function update(from, to) {
  $("messages-part").hidden = !all;
  if (!all) return;
  shown = pairs(from, to);
  matrix();
  list();
}
$("metric").onchange = () => {
  metric = $("metric").value;
  matrix();
};
return { read, update, pairs, eachOfPair, isThere: () => Boolean(all), get pair() { return pair; }, set pair(p) { pair = p; } };
})();

// Draws the messages of the chosen pair over the other links.
function drawPair(from, to, scroll) {
  ctx.strokeStyle = matchMedia("(prefers-color-scheme: dark)").matches ? "#ffb454" : "#b03a00";
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  messages.eachOfPair(from, to, (a, b, begin, end) => {
    const y = [a, b].map((t) => middleOf(t) - scroll);
    if (isNaN(y[0] + y[1])) return;
    ctx.moveTo(view(begin), y[0]);
    ctx.lineTo(view(end), y[1]);
  });
  ctx.stroke();
  ctx.lineWidth = 1;
}
// Makes the rows of a table and returns them. The cells from index `numbers_` on are numbers. act
// is called for a click or Enter on a row.
function rowsOf(selector, list, cells, numbers_, act) {
  const trs = d3.select(selector + " tbody").selectAll("tr").data(list).join("tr").on("click", on((e, d) => act(d, e)));
  reach(trs, upDown, (e, d) => {
    if (e.key === "Enter" || e.key === "l") act(d, e);
    return e.key === "Enter" || e.key === "l";
  });
  trs.selectAll("td").data((d) => cells(d)).join("td").text((t) => cut(t, 300)).attr("class", (t, i) => i < numbers_ ? null : "num")
    .attr("title", (t, i) => i < numbers_ && t.length > 40 ? cut(t, 1000) : null);
  return trs;
}
// Shows a span of time in the timeline, and scrolls to the first row of the containers.
function goTo(from, to, containers) {
  const ns = Math.max(10, to - from), list = containers.map((c) => data.threads.findIndex((t) => t.container === c)).filter((t) => t >= 0);
  list.forEach(reveal);
  const top = d3.min(list, (t) => lineOf[t] ? lineOf[t].top : Infinity);
  if (top < Infinity) box.scrollTop = top - high / 4;
  zoomTo(Math.max(start, from - ns / 2), Math.min(stop, to + ns / 2));
  canvas.scrollIntoView({ block: "nearest" });
}
