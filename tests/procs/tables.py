# SPDX-License-Identifier: GPL-3.0-or-later
"""tables.py JSON.md LOG: the tables in LOG, a session of json.sh, are those that JSON.md describes."""
import json
import re
import sys

text = open(sys.argv[2], encoding="utf-8").read()
told = {}  # schema: the members beside the rows, and those of a row, that JSON.md names
for part in open(sys.argv[1], encoding="utf-8").read().split("\n## ")[1:]:
    head = re.match(r"`[^\n]*`: `(eztsh-[a-z-]+-\d+)`\n", part)
    if head:
        facts, _, row = part.rpartition("Rows:")
        named = [{n for n in re.findall(r"`([a-z0-9_]+)`(?= *\()", p)} for p in (facts, row)]
        told[head.group(1)] = named


def no_constant(name):
    raise ValueError(name)


def check(name, good):
    print(("ok - " if good else "not ok - ") + name)


def shown(pattern):
    return re.findall(pattern, text, re.M)


found = {}
for m in re.finditer(r'^\{(?="schema")', text, re.M):
    got, end = json.JSONDecoder(parse_constant=no_constant).raw_decode(text, m.start())
    if text[end] != "\n":
        check("nothing behind " + got["schema"], False)
    found.setdefault(got["schema"], []).append(got)

for schema, tables in sorted(found.items()):
    facts, columns = told.get(schema, (set(), set()))
    wrong = set()
    for got in tables:
        wrong |= (set(got) - {"schema", "rows"}) ^ facts
        for row in got["rows"]:
            wrong |= set(row) ^ columns
    check("%s is what JSON.md says %s" % (schema, sorted(wrong) or ""), not wrong and columns)
    check("%s: the schema comes first" % schema, all(list(got)[0] == "schema" for got in tables))
check("each schema is printed %s" % sorted(set(told) - set(found)), set(told) == set(found))


def table(name, which=0):
    return found["eztsh-%s-1" % name][which]


def rows(name, which=0):
    return table(name, which)["rows"]


t = rows("threads")
check("info threads", len(t) == 1 and shown(r'^\* 1    LWP %d "demo" %s in main' % (t[0]["tid"], t[0]["pc"])))
f = rows("functions")
check("info functions", f and all(shown("^%s  program  %s" % (r["address"], r["name"])) for r in f if r["program"]))
f = rows("functions", 1)
check("info functions -v", len(f) == 1 and f[0]["prototype"].startswith("int main(int"))
b = rows("backtrace")
check("backtrace", shown(r"^#0 .*%s \(%s\)" % (b[0]["function"], re.escape(b[0]["arguments"]))))
s = rows("signals")[0]
check("info signals", [s[k] for k in ("signal", "stop", "print", "pass")] == ["SIGUSR1", True, True, True])
p = {r["location"]: r for r in rows("probes")}
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
check("score", "main" in [r["function"] for r in rows("score")] and table("score")["limit_slowdown_percent"] == 10)
check("-f is refused", shown("^-f prints lines as they come"))
