// The filter line of the page of `report`. It has the options with which commands on traces choose
// calls (help filters), with the same meaning. This file parses the line; filtered.js adds up the
// calls that the filter shows.
"use strict";
const filters = (function () {
class Wrong extends Error {}
const fail = (text) => { throw new Wrong(text); };

// Splits a line into words, as the shell does: blanks separate words, except in quotes; a backslash
// removes the special meaning of the next character.
function words(line) {
  const list = [];
  let word = null, quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quote) {
      if (c === quote) quote = "";
      else word += c === "\\" && quote === '"' && '"\\'.includes(line[i + 1] || " ") ? line[++i] : c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word = word ?? "";
    } else if (/\s/.test(c)) {
      if (word !== null) list.push(word);
      word = null;
    } else {
      word = (word ?? "") + c;
    }
  }
  if (quote) fail("A quote is not closed");
  return word === null ? list : [...list, word];
}

// Converts a POSIX extended regular expression, which the commands accept, to one of JavaScript.
function expression(option, text) {
  const bad = (why) => fail(`${option}: Invalid regular expression "${text}": ${why}`);
  const escapes = { "<": "\\b(?=\\w)", ">": "\\b(?<=\\w)", "`": "^", "'": "$" };
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") {
      const next = text[++i];
      if (next === undefined) bad("Trailing backslash");
      out += escapes[next] || (/[wWsSbB1-9]/.test(next) ? "\\" + next : next.replace(/[^A-Za-z0-9_]/, "\\$&"));
    } else if (c === "[") {
      const end = bracketEnd(text, i);
      if (end < 0) bad("Unmatched [");
      out += bracket(text.slice(i + 1, end), bad);
      i = end;
    } else if (c === "(" && text[i + 1] === "?") {
      bad("Invalid preceding regular expression");
    } else if ("*+?".includes(c) && /(^|[(|*+?}])$/.test(text.slice(0, i)) && !/\\.$/.test(text.slice(0, i))) {
      bad("Invalid preceding regular expression"); // JavaScript's "a*?" has another meaning
    } else if (c === "{" && text[i + 1] === ",") {
      out += "{0";
    } else {
      out += c;
    }
  }
  try { return new RegExp(out, "s"); } catch (e) { return bad(e.message.replace(/^.*\/: /, "")); }
}
function bracketEnd(text, i) {
  let k = i + 1;
  if (text[k] === "^") k++;
  if (text[k] === "]") k++;
  for (; k < text.length && text[k] !== "]"; k++)
    if (text[k] === "[" && ":.=".includes(text[k + 1] || " ")) {
      k = text.indexOf(text[k + 1] + "]", k + 2) + 1;
      if (!k) return -1;
    }
  return k < text.length ? k : -1;
}
const classes = { alpha: "A-Za-z", digit: "0-9", alnum: "A-Za-z0-9", upper: "A-Z", lower: "a-z", space: "\\s", blank: " \\t",
  punct: "!-/:-@\\[-`{-~", xdigit: "0-9A-Fa-f", word: "\\w", cntrl: "\\x00-\\x1f\\x7f", print: " -~", graph: "!-~" };
function bracket(inside, bad) {
  const not = inside[0] === "^", set = inside.slice(not ? 1 : 0);
  const out = set.replace(/\[:(\w+):\]|[\]\\[^]/g, (m, name) => name ? classes[name] || bad("Invalid character class name") : "\\" + m);
  return "[" + (not ? "^" : "") + out + "]";
}

function duration(option, text) {
  const units = { "": 1e9, s: 1e9, ms: 1e6, us: 1e3, ns: 1 };
  const m = /^(\d*)(?:\.(\d+))?\s*(s|ms|us|ns|)$/.exec(text);
  if (!m || (m[1] === "" && m[2] === undefined)) fail(`${option}: Invalid time "${text}"`);
  const part = Number(((m[2] || "") + "000000000").slice(0, 9));
  return Number(m[1] || 0) * units[m[3]] + Math.floor((part * units[m[3]] + 5e8) / 1e9);
}
function number(option, text) {
  if (!/^\d+$/.test(text)) fail(`${option} needs a number`);
  if (Number(text) === 0) fail(`${option} needs a number greater than 0`);
  return Number(text);
}
// Returns a parser of lists like "0,4-7,worker". hit(item, number, name) of its result is true if
// the item of the list selects what has this number and name.
function list(what, names) {
  return (option, text) => {
    const items = text.split(",").map((word) => {
      const m = /^(\d+)(?:-(\d+))?$/.exec(word);
      if (!word || (!m && !names)) fail(`"${word}" is no ${what}`);
      if (m && m[2] !== undefined && Number(m[1]) > Number(m[2])) fail(`"${word}" is an empty range of ${what} numbers`);
      return m ? { word, from: Number(m[1]), to: Number(m[2] ?? m[1]) } : { word };
    });
    const hit = (item, n, name) => item.from !== undefined ? n >= item.from && n <= item.to :
      name !== null && (name === item.word || name === item.word + " " + n || name.endsWith(" " + item.word + " " + n));
    return { items, what, hit };
  };
}
const options = {
  "-function": expression, "-not": expression, "-library": expression, "-caller": expression, "-callee": expression,
  "-thread": list("thread", true), "-process": list("process", true), "-rank": list("rank", false),
  "-depth": number, "-min": duration,
  "-max": (option, text) => duration(option, text) || fail("-max needs a duration greater than 0"),
};
const elsewhere = { "-where": "-where needs the values of all calls: use it with the command report",
  "-from": "-from and -to: the timeline shows the time that you choose there", "-to": "-from and -to: the timeline shows the time that you choose there" };

// Returns by container whether -thread, -process and -rank select it. Throws if an item of a list
// selects no container among those that the other lists select.
function shownContainers(f) {
  const hits = new Set(), has = (option, n, name) => {
    if (!f[option]) return true;
    const found_ = f[option].items.filter((item) => f[option].hit(item, n, name));
    for (const item of found_) hits.add(item);
    return found_.length > 0;
  };
  const processOf_ = (i) => {
    for (; i >= 0; i = data.places[i][2]) if (data.places[i][1] === "process") return data.places[i];
    return null;
  };
  const inProcess = (p) => (!f["-process"] && !f["-rank"]) ||
    (p && (!f["-rank"] || (p[3] >= 0 && has("-rank", p[3], null))) && has("-process", p[4], p[0]));
  const shown = data.places.map(([name, level, , , id], i) => inProcess(processOf_(i)) &&
    (level === "thread" ? has("-thread", id, name) : !f["-thread"]));
  for (const option of ["-thread", "-process", "-rank"])
    for (const item of f[option] ? f[option].items : [])
      if (!hits.has(item)) fail(`The page has no ${f[option].what} "${cut(item.word, 60)}"`);
  return shown.map(Boolean);
}

// Returns the filter of a line, or null for an empty line, which shows everything. Throws a Wrong
// with one line that says what is wrong. The filter:
//   text; shown: by container; byName, caller, callee: by name (1: the expression matches);
//   depth, min, max; noPauses; callerGiven, calleeGiven: there is such an option;
//   late: an option can be tested only at the end of a call; byCall: an option chooses calls
function parse(line) {
  const all = words(line), f = {};
  let noPauses = false;
  for (let i = 0; i < all.length; i++) {
    const option = all[i];
    if (option === "-no-pauses") { noPauses = true; continue; }
    if (elsewhere[option]) fail(elsewhere[option]);
    if (!Object.hasOwn(options, option)) fail(`The filter has no option "${cut(option, 60)}": it knows ${Object.keys(options).join(", ")}, -no-pauses`);
    if (i + 1 >= all.length) fail(`${option} needs a value`);
    if (f[option]) fail(`${option} is given twice`);
    f[option] = options[option](option, all[++i]);
  }
  if (!all.length) return null;
  if (f["-min"] > (f["-max"] ?? Infinity)) fail("No call is longer than -min and shorter than -max");
  const test = (option, text) => f[option] ? f[option].test(text) : option !== "-not";
  const late = Boolean(f["-min"] || f["-max"] || f["-callee"]);
  return {
    text: line.trim(), shown: shownContainers(f), noPauses, late, callerGiven: Boolean(f["-caller"]), calleeGiven: Boolean(f["-callee"]),
    byName: Uint8Array.from(data.names, ([name, group]) => test("-function", name) && !(f["-not"] && test("-not", name)) && test("-library", group)),
    caller: Uint8Array.from(data.names, ([name, , pause]) => f["-caller"] && !pause && test("-caller", name)),
    callee: Uint8Array.from(data.names, ([name, , pause]) => f["-callee"] && !pause && test("-callee", name)),
    depth: f["-depth"] || Infinity, min: f["-min"] || 0, max: f["-max"] || Infinity,
    byCall: late || Boolean(f["-depth"] || f["-function"] || f["-not"] || f["-library"] || f["-caller"]),
  };
}
return { parse, Wrong };
})();
