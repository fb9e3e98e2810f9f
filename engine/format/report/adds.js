// Aggregates in the page of `report`: a table for each aggregate, and bars for each histogram.
// Data (engine/format/conv_html_adds.c): data.adds
//   [{title, what, unit ("ns" or ""), full (number of hits for which there was no room),
//     keys (number of all keys), rows: [{key, hits, sum, min, max (null: not a number),
//       p50, p90, p99 (only of a histogram), buckets: [[least value, hits], ...]}]}]
"use strict";
(function () {
const adds = window.eztsh.data.adds, number = d3.format(",");
document.getElementById("aggregates").hidden = !adds.length;
function value(a, v) {
  return v === null ? "-" : a.unit === "ns" ? (v < 1e3 ? v.toFixed(1) + " ns" : window.eztsh.time(v)) :
    Number.isInteger(v) ? number(v) : String(Number(v.toPrecision(15)));
}
// A bucket is an eighth of an octave, and its bar would be too thin, so each octave has one bar.
function octaves(row) {
  const sums = new Map();
  for (const [low, n] of row.buckets) {
    const o = low >= 1 ? Math.floor(Math.log2(low)) : low < 0 ? -2 - Math.floor(Math.log2(-low)) : -1;
    sums.set(o, (sums.get(o) || 0) + n);
  }
  const first = d3.min(sums.keys()), last = d3.max(sums.keys());
  const least = (o) => o >= 0 ? 2 ** o : o === -1 ? 0 : 1 - 2 ** (-1 - o);
  return d3.range(first, last + 1).map((o) => [least(o), sums.get(o) || 0]);
}
const columnsOf = (a) => [
  ["Key", (r) => r.key],
  ["Hits", (r) => number(r.hits)],
  ...(a.what === "count" || a.what === "topk" ? [] : [
    ["Sum", (r) => value(a, r.sum)], ["Mean", (r) => value(a, r.sum === null ? null : r.sum / r.hits)],
    ["Min", (r) => value(a, r.min)]]),
  ...(a.what !== "hist" ? [] : ["p50", "p90", "p99"].map((q) => [q, (r) => value(a, r[q] ?? null)])),
  ...(a.what === "count" || a.what === "topk" ? [] : [["Max", (r) => value(a, r.max)]]),
];
for (const a of adds) {
  const box = d3.select("#adds").append("div").attr("class", "adds");
  box.append("h3").text(a.title);
  const columns = columnsOf(a), table = box.append("div").attr("class", "wide").append("table");
  table.append("thead").append("tr").selectAll("th").data(columns).join("th")
    .text((c) => c[0]).attr("class", (c, i) => i ? "num" : null);
  table.append("tbody").selectAll("tr").data(a.rows).join("tr")
    .selectAll("td").data((r) => columns.map((c) => c[1](r))).join("td")
    .text((t) => t).attr("class", (t, i) => i ? "num" : null);
  if (a.keys > a.rows.length) box.append("p").attr("class", "hint")
    .text("The keys with the most hits, " + a.rows.length + " of " + number(a.keys) + ".");
  if (a.full) box.append("p").attr("class", "hint")
    .text(number(a.full) + " hits found no room: there are too many keys.");
  for (const r of a.rows.filter((row) => row.buckets.length).slice(0, 20)) {
    const bars = octaves(r), most = d3.max(bars, (b) => b[1]);
    if (r.key) box.append("h4").text(r.key);
    const line = box.append("div").attr("class", "bars").selectAll("div").data(bars).join("div");
    line.append("span").text((b) => value(a, b[0]));
    line.append("span").text((b) => number(b[1]));
    line.append("i").style("width", (b) => 100 * b[1] / most + "%");
  }
}
document.body.dataset.adds = adds.length;
})();
