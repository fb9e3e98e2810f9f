# SPDX-License-Identifier: GPL-3.0-or-later
"""tables.py MANUAL LOG SCRIPT COMMANDS: the tables in LOG, what the sessions SCRIPT of json.sh printed, are those that
MANUAL, doc/JSON.md, describes; every command that has -json in COMMANDS, which eztsh --dump-texinfo printed, is in
SCRIPT, and in JSON.md."""
import json
import re
import sys

text = open(sys.argv[2], encoding="utf-8").read()
manual = open(sys.argv[1], encoding="utf-8").read()
told = {}  # schema: the members beside the rows, and those of a row, that JSON.md names
for part in manual.split("\n## ")[1:]:
    head = re.match(r"`[^\n]*`: `(eztsh-[a-z-]+-\d+)`\n", part)
    if head:
        facts, _, row = part.partition("Rows:")
        named = [{n for n in re.findall(r"`([a-z0-9_]+)`(?= *\()", p)} for p in (facts, row)]
        told[head.group(1)] = named


def no_constant(name):
    raise ValueError(name)


def check(name, good):
    print(("ok - " if good else "not ok - ") + name)


def shown(pattern):
    return re.findall(pattern, text, re.M)


commands = re.findall(r"^@deffnx? Command \{([a-z -]+)\}.*\[-json\]", open(sys.argv[4]).read(), re.M)
asked = open(sys.argv[3]).read()
check("commands with -json are found", len(commands) > 40)
for c in commands:
    check("%s -json is asked" % c, re.search(r"^%s .*-json|^%s -json" % (c, c), asked, re.M))
    check("%s -json is in JSON.md" % c, re.search(r"^## .*`%s -json`|^`%s -json`" % (c, c), manual, re.M))
if "needs hardware breakpoints" in text:
    del told["eztsh-film-1"]
if "has no data about locks" in text:
    del told["eztsh-locks-1"]
no_rows = {"eztsh-macro-1", "eztsh-modules-1", "eztsh-replacements-1"}

found = {}
for m in re.finditer(r'^\{(?="schema")', text, re.M):
    got, end = json.JSONDecoder(parse_constant=no_constant).raw_decode(text, m.start())
    if text[end] != "\n":
        check("nothing behind " + got["schema"], False)
    found.setdefault(got["schema"], []).append(got)

sums = found.pop("eztsh-aggregates-1")[0]["aggregates"]
check("info aggregates", [(a["function"], a["rows"][0]["hits"]) for a in sums] == [("kernel_row", 51200)])
for schema, tables in sorted(found.items()):
    facts, columns = told.get(schema, (set(), set()))
    wrong = set()
    for got in tables:
        wrong |= (set(got) - {"schema", "rows"}) ^ facts
        if columns and "rows" not in got:
            wrong.add("rows")
        for row in got.get("rows", ()):
            wrong |= set(row) ^ columns
    rows_seen = not columns or schema in no_rows or any(got.get("rows") for got in tables)
    check("%s is what JSON.md says %s" % (schema, sorted(wrong) or ""), not wrong and (columns or facts) and rows_seen)
    check("%s: the schema comes first" % schema, all(list(got)[0] == "schema" for got in tables))
check("each schema is printed %s" % sorted(set(told) - set(found)), set(told) == set(found))


def table(name, which=0):
    return found["eztsh-%s-1" % name][which]


def rows(name, which=0):
    return table(name, which)["rows"]


check("info job", [r["rank"] for r in rows("job")] == [0, 1] and rows("job")[0]["program"].endswith("p_app"))
check("info contexts", [(r["name"], r["processes"]) for r in rows("contexts")] == [("all", 2), ("first", 1)])
check("info aggregates of a job", [r["hits"] for r in rows("job-aggregates")] == [3, 3])
t = rows("threads")
check("info threads", len(t) == 1 and shown(r'^\* 1    LWP %d "demo" %s in main' % (t[0]["tid"], t[0]["pc"])))
f = rows("functions")
check("info functions", f and all(shown("^%s  program  %s" % (r["address"], r["name"])) for r in f if r["program"]))
f = rows("functions", 1)
check("info functions -v", len(f) == 1 and (f[0]["prototype"] or "").startswith("int main(int"))
check("info functions REGEX -json", [r["name"] for r in rows("functions", 2)] == ["main"])
b = rows("backtrace")
check("backtrace", shown(r"^#0 .*%s \(%s\)" % (b[0]["function"], re.escape(b[0]["arguments"] or ""))))
s = rows("signals", 1)[0]
check("info signals", [s[k] for k in ("signal", "stop", "print", "pass")] == ["SIGUSR1", True, True, True])
p = {r["location"]: r for r in reversed(rows("probes"))}
check("info probes", p["kernel_row"]["calls"] == 51200 and shown(r"^3? *1 +both +record .* 51200 +kernel_row +libkernel"))
check("info probes: a condition", p["kernel_row"]["condition"] == "$arg0 >= 0" and p["main"]["condition"] is None)
check("info probes: a name with a backslash", "nosuch\\name" in p)
h = rows("trace")[0]
check("info trace", shown("^%d hits = %d recorded " % (h["hits"], h["recorded"])) and h["recorded"] == 102400)
parts = ("recorded", "filtered", "untraced", "dropped", "overwritten")
check("info trace: it adds up", h["hits"] == sum(h[k] for k in parts))
e = rows("events")
check("events", len(e) == 4 and all(shown(r"^ *%.6f ms  %d " % (x["ns"] / 1e6, x["tid"])) for x in e))
e = rows("events", 1)
check("events FILE", len(e) == 3 and e[-1]["kind"] in ("exit", "end") and e[-1]["duration_ns"] > 0)
c = rows("coverage")
check("info coverage", c[0]["state"] == "requested" and all(shown("^ +%d  %s" % (r["functions"], r["state"])) for r in c))
m = rows("mappings")
check("info mappings", any(r["name"] == "[stack]" for r in m) and all(int(r["from"], 16) < int(r["to"], 16) for r in m))
check("info registers", int(b[0]["pc"], 16) in [int(r["value"], 16) for r in rows("registers")])
check("info ptrace", sum(r["calls"] for r in rows("ptrace")) > 50)
check("info cost", rows("cost")[0]["over_bare_ns"] == 0 and len(rows("cost")) > 5)
check("measure", rows("measure")[-1]["sum"] >= table("measure")["need"])
b = rows("breakpoints")
check("info breakpoints", [(r["number"], r["where"], r["temporary"], r["condition"]) for r in b] ==
      [(6, "step", False, None), (7, "main", True, "1")] and
      all(shown(r"^%d +breakpoint +(keep|del) +y +%s in" % (r["number"], r["address"])) for r in b))
t = rows("tracepoints")[0]
check("info tracepoints", shown(r"^%d +tracepoint +keep y +%s in step at .*:%d$" % (t["number"], t["address"], t["line"])))
check("info display", [(r["format"], r["expression"]) for r in rows("display")] == [("x", "$sp"), (None, "$pc")])
check("info args", all(shown(r"^%s = %s$" % (r["name"], re.escape(r["value"]))) for r in rows("args")))
check("info proc", shown(r"^process %d$" % table("proc")["pid"]) and shown(r"^exe = '%s'$" % re.escape(table("proc")["exe"])))
check("info scope", all(shown(r"%s, length %d, type %s\.$" % (re.escape(r["where"]), r["bytes"], re.escape(r["type"])))
                        for r in rows("scope")))
check("info line", shown(r'^Line %d of "' % rows("line")[0]["line"]) and rows("line", 1)[0]["line"] == 50)
check("info address", shown(r"^Symbol \"main\" is a function at address %#x" % int(rows("address")[0]["address"], 16)))
check("x", shown(r"^%#x:\t%s\t%s$" % tuple([int(rows("x")[0]["address"], 16)] + [r["value"] for r in rows("x")])))
check("x /i", [r["where"] for r in rows("x", 1)][0] == "main" and "demo" in rows("x", 2)[0]["value"])
check("list", all(shown(r"^%d\t%s$" % (r["line"], re.escape(r["text"] or ""))) for r in rows("list")))
d = rows("disassemble")
check("disassemble", len(d) > 10 and all(shown(r"%s <\+%d>:\t%s *\t%s$" % (r["address"], r["offset"], r["bytes"].strip(),
                                                                           re.escape(r["instruction"]))) for r in d))
check("disassemble: where it stands", [r["offset"] for r in d if r["current"]] == [0])
d = rows("disassemble", 1)
check("disassemble /p", {r["part"] for r in d} == {"function", "stub"} and d[0]["original"] and
      [r["from"] for r in d if r["part"] == "stub"][0] == "main")
w = table("why")
check("why", w["function"] == "main" and w["planted"] and shown(r"^Planted: probe 2, .*trampoline at %#x, %d bytes, then %d of moved" % (
    int(w["stub"], 16), w["stub_bytes"], w["moved_bytes"])))
check("why: of another function", table("why", 1)["function"] == "kernel_row")
check("check", [r["function"] for r in rows("check")] == ["main", "kernel_row"] and
      all(shown(r"^%s \(%s\): equal in %d states" % (r["function"], re.escape(r["library"]), r["states"])) for r in rows("check")))
check("info ptrace -last", len(rows("ptrace-last")) == 3)
h = rows("histogram")
check("info histogram", sum(r["calls"] for r in h) == 51200 and
      all(shown(r" - .* %d +[0-9.]+ %% " % r["calls"]) for r in h))
g = table("timeline")
per = {}
for r in g["rows"]:
    per.setdefault(r["thread"], []).append((r["from_ns"], r["to_ns"]))
check("timeline", g["slices"] == 1000 and any(r["state"] or r["partly"] for r in g["rows"]))
check("timeline: of a call", "kernel_row" in {r["state"] for r in rows("timeline", 1)})
check("timeline: no gaps", len(per) >= 4 and all(
    s[0][0] == g["from_ns"] and s[-1][1] == g["to_ns"] and all(a[1] == b[0] for a, b in zip(s, s[1:])) for s in per.values()))
d = table("diff")
check("diff", d["before_events"] == d["after_events"] > 0 and "kernel_row" in {r["function"] for r in d["rows"]} and
      all(r["total_before_ns"] == r["total_after_ns"] for r in d["rows"]))
an = table("analysis")
check("analyze", len(an["threads"]) >= 4 and all(
    sum(t[k] for k in t if k in ("useful_ns", "wait_ns", "mpi_ns", "runtime_ns", "eztsh_ns", "absent_ns")) ==
    an["to_ns"] - an["from_ns"] for t in an["threads"]))
d = rows("scaling")
check("analyze vs", len(d) == 2 and d[0]["speedup"] == 1 and d[1]["computation_percent"] == 100)
d = rows("slowest")
check("stats -slowest", len(d) == 3 and d[0]["duration_ns"] >= d[1]["duration_ns"] >= d[2]["duration_ns"])
if "eztsh-locks-1" in found:
    k = rows("locks")[0]
    # The clocks of two processors may differ by some ns, so that two holds overlap and count twice.
    over = sum(h["blocked_ns"] for h in k["holders"]) + k["nobody_ns"] - k["waited_ns"]
    check("info locks", k["taken"] > 20000 and sum(h["times"] for h in k["holders"]) == k["taken"] and
          0 <= over <= 1000 * k["waits"])
check("lesson", len(rows("lessons")) == 10)
check("handle", rows("signals")[0] == {**rows("signals")[0], "signal": "SIGUSR1", "stop": False})
if "eztsh-film-1" in found:
    f = table("film")
    check("film", sum(r["instructions"] for r in f["rows"]) == f["instructions"] and f["now"] == "back at its caller")
t = rows("tdump")
check("tdump", t and all(shown(r"^%s = %s$" % (re.escape(r["name"]), re.escape(r["value"]))) for r in t))
check("score", "main" in [r["function"] for r in rows("score")] and table("score")["limit_slowdown_percent"] == 10)
check("-f is refused", shown("^-f prints lines as they come"))
