// Colors of the page of `report`, with a legend. A color depends on the function, the library, the
// process, or what the function does (its role).
"use strict";
// Colors of the keys with the most time. They are far apart for normal, protan and deutan eyes (at
// least .056 in OKLab), and light enough for black names on them.
const palette = ("#f0d507 #8c69fc #c4ac6a #bd96fe #a5851d #ccd1fc #9577c7 #aec39a #c388d0 #fecb74 #8588ef #a8a917 #c3aeec " +
  "#ddd6a9 #a9926b #d1bc32 #d9c0c6 #9ba692 #b7a8ba #998288").split(" ");
const roleColors = ["#7db7e8", "#e69f00", "#3cba92", "#cc79a7", "#f0e442", "#e0703a", "#b5b5b5"]; // in the order of data.role_names
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
function colorOfText(text) {
  const h = hash(text);
  return d3.hsl(h % 360, .3 + (h >>> 9) % 16 / 100, .68 + (h >>> 15) % 12 / 100).toString();
}
// Returns the colors of keys: [[key, ns]...] -> Map(key -> color). The keys with the most time get
// the colors of the palette; the colors of all others depend on their text.
function colorsOfLargest(sums) {
  const list = [...sums].sort((a, b) => b[1] - a[1]).map((s) => s[0]);
  return new Map(list.map((key, i) => [key, i < palette.length ? palette[i] : colorOfText(String(key))]));
}
const pauseColor = (text, group) => text === "[events lost]" ? "#e55" : "hsl(0, 0%, " + (62 + hash(text + group) % 20) + "%)";
const working = data.rows.filter((r) => r.function[0] !== "[");
const colorModes = {
  function: {
    colors: colorsOfLargest(working.map((r) => [r.function + "\0" + r.library, r.self])),
    key: (n) => data.names[n][0] + "\0" + data.names[n][1], text: (key) => key.split("\0")[0],
  },
  library: {
    colors: colorsOfLargest(d3Sums(working, (r) => r.library, (r) => r.self)), key: (n) => data.names[n][1], text: (key) => key || "without a library",
  },
  role: {
    colors: new Map(data.role_names.map((name, i) => [i, roleColors[i]])), key: (n) => data.roles[n], text: (key) => data.role_names[key],
  },
};
function d3Sums(list, key, value) {
  const sums = new Map();
  for (const x of list) sums.set(key(x), (sums.get(key(x)) || 0) + value(x));
  return sums;
}
const processOf = (container) => {
  let c = container;
  while (c > 0 && data.places[c][1] === "thread") c = data.places[c][2];
  return c;
};
const processes = [...new Set(data.threads.map((t) => processOf(t.container)))];
const processColors = new Map(processes.map((c, i) => [c, i < palette.length ? palette[i] : colorOfText(data.places[c][0])]));

let colorMode = "function", colors = [];
function setColors(mode) {
  const m = colorModes[colorMode = mode] || colorModes.function;
  colors = data.names.map(([t, g, pause], n) => pause && mode !== "role" ? pauseColor(t, g) : m.colors.get(m.key(n)) || colorOfText(t + g));
  colorByText = new Map(data.names.map((n, i) => [n[0], colors[i]]).reverse());
}
let colorByText = null; // text of a name -> color; for flame graphs, whose frames have no thread
setColors("function");
// Returns the color of a call in a container. When colors depend on the process, a pause is gray.
const colorOn = (name, container) => colorMode === "process" && !data.names[name][2] ? processColors.get(processOf(container)) : colors[name];

// ---- the legend ------------------------------------------------------------------------------
function legend() {
  const m = colorModes[colorMode], used = new Set(data.roles);
  const items = colorMode === "process" ? processes.slice(0, palette.length).map((c) => [data.places[c][0], processColors.get(c)]) :
    [...m.colors].filter(([key]) => colorMode !== "role" || used.has(key)).slice(0, palette.length).map(([key, color]) => [m.text(key), color]);
  const all = colorMode === "process" ? processes.length : m.colors.size;
  const spans = d3.select("#legend").selectAll("span.item").data(items).join((enter) => {
    const s = enter.append("span").attr("class", "item");
    s.append("em");
    s.append("span");
    return s;
  });
  spans.select("em").style("background", (d) => d[1]);
  spans.select("span").text((d) => cut(d[0], 40)).attr("title", (d) => cut(d[0], 300));
  $("legend-more").textContent = all > items.length && colorMode !== "role" ? "and " + d3.format(",")(all - items.length) + " others" : "";
}
$("color").onchange = () => {
  setColors($("color").value);
  legend();
  flame(flameRoot);
  sandwichAgain();
  draw();
  remember();
};
