#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pictures.sh - the pictures of the documents: doc/pictures.py draws a session that is the one in the tree, but for numbers.
# README.md shows that session, doc/TUTORIAL.md shows the page of a report.
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "pictures: needs python3"; finish; }
command -v cc >/dev/null || { skip "pictures: needs a compiler"; finish; }

# What is the same in each run: what is typed, and the first words of what answers. (How wide columns are, and so where
# the terminal cuts the heads off, depends on the numbers; and whether a thread paused in a function, on chance.)
alike() {
    python3 - "$1" <<'END'
import re, sys, xml.etree.ElementTree as tree
lines = ["".join(t.itertext()) for t in tree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}text")]
print(*("%s" % l if l.startswith("(eztsh)") else " ".join(re.sub(r"[0-9].*|Paused", "", l).split()[:9]) for l in lines
        if re.match(r"\(eztsh\)|Probe|Starting|Recording|Trace|Function|Each|Undefined|[a-z]+ \(demo\): ", l)), sep="\n")
END
}
mkdir out
timeout -k 5 $limit python3 -B -c '
import runpy, shutil, sys
shutil.which = lambda name: None  # no browser: the session alone
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")' \
    "$top_srcdir/doc/pictures.py" "$eztsh" "$top_srcdir/examples" out >log 2>&1 || fail "doc/pictures.py" log
alike out/session.svg >made
alike "$top_srcdir/doc/session.svg" >kept
if [ "$(grep -c '^(eztsh)' made)" -ge 5 ] && grep -q '^Trace demo-' made; then pass "a session is drawn"; else fail "a session is drawn" made log; fi
if cmp -s made kept; then pass "it is the one in doc/session.svg"; else fail "it is not the one in doc/session.svg: make pictures" made kept; fi
if grep -qE '/(tmp|home|root|usr|work)/' "$top_srcdir/doc/session.svg"; then fail "a path of the machine is in doc/session.svg"; fi
shows() { # DOCUMENT PICTURE, as the document names it
    picture=$top_srcdir/$(dirname "$1")/$2
    if grep -q "!\[.*\]($2)" "$top_srcdir/$1" && [ -s "$picture" ] && [ "$(wc -c <"$picture")" -lt 150000 ]; then
        pass "$1 shows $2"
    else
        fail "$1 shows $2"
    fi
}
shows README.md doc/session.svg
shows README.md doc/report.png
shows doc/TUTORIAL.md report.png
finish
