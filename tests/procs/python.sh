#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# python.sh - the module python, with each CPython 3.9 and later on the machine: calls are those that cProfile counts,
# native calls are nested in them, and a program that runs is recorded from `module load` to `module unload`.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
[ -e "$top_builddir/modules/python.so" ] || { skip "python: the module was not built"; exit 77; }
prog=$top_srcdir/tests/procs/python_calls.py
trace() { ls -t ./*.fxt | head -n 1; }
# The calls that a trace has of the program's functions: "LINE CALLS", sorted.
recorded() { # FILE
    "$eztsh" -nx -batch -ex "stats $1 -no-pauses -json" >stats.json 2>/dev/null
    python3 -c '
import json
for r in json.load(open("stats.json"))["rows"]:
    if (r["library"] or "").endswith("/python_calls.py"):
        print(r["function"].rpartition(":")[2], r["calls"])' | sort
}
line_of() { grep -n "^def $1(" "$prog" | cut -d: -f1; }
calls_of() { recorded "$(trace)" | awk -v l="$(line_of "$1")" '$1 == l { n = $2 } END { print n + 0 }'; }
complete() { has log ' 0 untraced \+ 0 dropped\.$'; }
hooked() { # the functions that the program calls all the time are recorded
    say 'info trace' && ! has log ' 0 events' && : >log
}
turn() { : >"$work/d/go.$1" && until_ok 60 test -e "$work/d/done.$1"; }

with() { # PYTHON
    v=$("$1" -c 'import platform; print(platform.python_version())')
    rm -rf ./*.fxt d
    mkdir d
    "$1" "$prog" profile 2>profile.err | sort >counted
    batch -m python -ex 'probe getppid' -ex run --args "$1" "$prog" calls
    check "$v: the program ends right" has log 'exited normally'
    check "$v: all events are there" complete
    recorded "$(trace)" >got
    grep -Ff counted -x got >common
    check "$v: calls are those that cProfile counts" test "$(wc -l <counted)" -ge 8 -a "$(cat common)" = "$(cat counted)"
    "$eztsh" -nx -batch -ex "graph getppid $(trace)" >log 2>&1
    check "$v: native calls are inside of Python's" has log ' 11 +<- asks:'
    "$eztsh" -nx -batch -ex "stats $(trace) -function ^fails: -no-pauses" >log 2>&1
    check "$v: exceptions leave calls" has log '^fails:[0-9]+ +[^ ]*/python_calls.py +28 +28 '

    batch -m python -ex run --args "$1" "$prog" own
    check "$v: a profile function of the program stays" has log '^200 True$'

    # ---- a program that runs ------------------------------------------------------------------
    target "$1" "$prog" wait "$work/d"
    until_ok 60 test -e d/ready
    shell_start -p "$pid"
    say 'continue &'
    say 'module load python'
    check "$v: attached: it is recorded" until_ok 60 hooked
    turn 1
    say 'module unload python'
    turn 2
    say 'module load python'
    check "$v: loaded again: it is recorded" until_ok 60 hooked
    turn 3
    say detach
    shell_end
    check "$v: attached: no event is lost" complete
    check "$v: attached: calls of two turns of three" same "$(calls_of part) $(calls_of work) $(calls_of turn)" "4000 8 2"
    for depth in 'depth <= 3' 'depth > 3'; do
        "$eztsh" -nx -batch -ex "stats $(trace) -no-pauses -function ^wait:$(line_of wait)\$ -where '$depth'"
    done >log 2>&1
    check "$v: attached: calls that were open are known, and not nested" same "$(awk '/^wait:/ { print $3 }' log)" 2
    turn 4
    rm -f ./*.fxt
    shell_start -p "$pid"
    say 'continue &'
    say 'module load python'
    check "$v: a second shell: it is recorded" until_ok 60 hooked
    turn 5
    say detach
    shell_end
    check "$v: a second shell: its turn" same "$(calls_of part)" 2000
    shell_start -p "$pid"
    say 'continue &'
    say 'module load python'
    shell_kill
    turn 6
    : >d/end
    reap "$pid"
    check "$v: the program outlives a killed shell" same "$trc $(cat t.out)" "0 right"
}

old=0 found=0 done=''
# EZT_PYTHONS: further interpreters
for p in ${EZT_PYTHONS-} $(command -v python3) /usr/bin/python3 $(command -v python3.8 python3.9 python3.10 python3.11 python3.12 python3.13); do
    [ -x "$p" ] && real=$("$p" -c 'import os, sys; print(os.path.realpath(sys.executable))') || continue
    case " $done " in *" $real "*) continue ;; esac
    done="$done $real"
    if "$p" -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
        found=1
        with "$real"
    elif [ $old = 0 ]; then
        old=1
        batch -m python -ex run --args "$real" -c 'print(1)'
        check "3.8: that it is not recorded, and why" has log 'no function of Python is recorded: CPython 3\.9 or later is needed\.$'
    fi
done
[ $found = 1 ] || skip "python: no CPython 3.9 or later"
target sleep 60
batch -p "$pid" -ex 'module load python' -ex detach
check "no interpreter: the program is not disturbed" alive "$pid"
finish
