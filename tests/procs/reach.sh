#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# reach.sh - probes that stay behind, kept or by a killed shell, whichever way their
# functions are reached: islands, hosts, puns, traps. The next shell takes them over and plants
# them anew, or takes them away. The target counts its own calls; no count is off by one.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

armed() { awk '$1 ~ /^[0-9]+$/ && $4 == "armed" { n++ } END { print n + 0 }' log; }
start_target() { # THREADS [fork]
    rm -f stop go ./*.fxt
    target $as "$targets/p_reach" stop go "$@"
    runs() { [ "/proc/$pid/exe" -ef "$targets/p_reach" ]; } # the process is no longer setpriv
    until_ok 10 runs
}
as=''

# Entries and exits of each function that carries a probe, LEAST functions.
exact() { # LEAST
    python3 - "$1" <<'END'
import re, sys
own = dict(l.split() for l in open("t.out") if len(l.split()) == 2)
seen = bad = 0
for number, kind, state, hits, earlier, name in re.findall(
        r"^(\d+) +(\w+) +\w+ +(\w+) +0x\w+ +(\d+)(?: +(\d+))? +([A-Za-z_]\w*)",
        open("log").read(), re.M):
    if name not in own:
        continue
    hits = int(hits) + int(earlier or 0)
    seen += kind == "both"
    if hits != int(own[name]):
        bad += 1
        print(f"probe {number} ({kind}, {state}) of {name}: {hits} of {own[name]}")
print(seen, "functions,", bad, "counts are off")
sys.exit(bad or seen < int(sys.argv[1]))
END
}

# ---- by turns, in one shell ------------------------------------------------------------------
# A thread may be in the stub of a breakpoint, whose jump back leads to the function's second byte,
# when this becomes the second byte of a jump.
turns="1 2 ${EZT_LONG:+3 4 5 6 7 8}"
plants=$(($(echo $turns | wc -w) * 6))
start_target 3
touch go
{
    echo 'continue &'
    for round in $turns; do
        for how in trap jump pun auto island jump; do
            # `delete` and the next `probe` in one stop
            printf 'interrupt\ndelete\nset strategy %s\nprobe -count -r .\ncontinue &\ninfo textdiff\n' $how
        done
    done
} >turns.ezt
batch -p "$pid" -x turns.ezt
check "strategies by turns while threads run: every changed byte is a probe's" \
    same "$(grep -c ' 0 of them foreign' log)" $plants
check "strategies by turns while threads run: all rounds" same "$(grep -c '^Planted' log)" $plants
touch stop
reap "$pid"
check "strategies by turns while threads run: the target ends right" \
    same "$trc $(tail -n 1 t.out)" "0 right"

# ---- kept, through several shells ----------------------------------------------------------
plant="-ex 'probe -count -r .' -ex 'probe exit -count -r .'"
cycles() { # STRATEGY EXIT-MODE LEAST
    label="strategy $1, exit-mode $2"
    start_target 3
    eval batch -ex "'set exit-mode $2'" -ex "'set strategy $1'" -p "$pid" "$plant" \
        -ex "'info probes -all'" -ex "'detach -keep'"
    n=$(armed)
    check "$label: $n probes kept" kept "$n"
    touch go
    i=0
    while [ $i -lt 3 ]; do
        i=$((i + 1))
        moved "$pid" 20
        batch -ex "set exit-mode $2" -p "$pid" -ex 'info probes -all' -ex 'info textdiff' \
            -ex 'continue &' -ex 'detach -keep'
        taken "$n" && kept "$n" && same "$(armed)" "$n" && has log ' 0 of them foreign' ||
            { fail "$label: shell $i" log; break; }
    done
    moved "$pid" 20
    see_end
    check "$label: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "$label: counts are exact" exact "$3"
}
for exit_mode in auto slots; do
    cycles jump $exit_mode 60
    cycles island $exit_mode 60
    cycles pun $exit_mode 40
    cycles trap $exit_mode 70
    cycles auto $exit_mode 70
done

# ---- counted before, and not since ---------------------------------------------------------------
start_target 3
eval batch -p "$pid" "$plant" -ex "'detach -keep'"
touch go
moved "$pid" 10
kill -STOP "$pid"
until_ok 10 in_state "$pid" T
batch -p "$pid" -ex 'info probes' -ex 'delete' -ex 'detach'
check 'functions that were called under an earlier shell alone are listed' \
    has log '^[0-9]+ +both +count +armed .* 0 +[1-9][0-9]* +tight_1 '
kill -CONT "$pid"
touch stop
reap "$pid"

# ---- what is recorded, by stubs that are left behind too ---------------------------------------
for how in island pun trap; do
    start_target 2
    batch -ex 'set ring-size 16384' -ex "set strategy $how" -p "$pid" -ex 'probe -r _first$' \
        -ex 'detach -keep'
    touch go
    for shell in 1 2; do
        moved "$pid" 10
        batch -p "$pid" -ex 'continue &' -ex 'detach -keep'
    done
    see_end
    check "records, strategy $how: counts are exact" exact 20
    check "records, strategy $how: the ledger adds up" ledger_ok
    check "records, strategy $how: some" has log ' hits = [1-9][0-9]* recorded'
    check "records, strategy $how: each is told once" \
        same "$(events)" "$(recorded)"
done

# ---- every byte comes back -------------------------------------------------------------------
back() { # STRATEGY
    label="strategy $1"
    start_target 3
    eval batch -ex "'set strategy $1'" -p "$pid" "$plant" -ex "'detach -keep'"
    touch go
    moved "$pid" 10
    batch -ex "set strategy $2" -p "$pid" -ex 'continue &' -ex 'detach -keep'
    moved "$pid" 10
    batch -p "$pid" -ex 'disable' -ex 'enable' -ex 'detach'
    check "$label, then $2: taken over" taken "[0-9]+"
    check "$label, then $2: text is the file's" text_intact "$pid"
    moved "$pid" 5
    touch stop
    reap "$pid"
    check "$label, then $2: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}
back island pun
back pun trap
back trap island
back auto auto

# ---- a child has the jumps of the process that it was forked from --------------------------------
for how in jump island pun trap auto; do
    start_target 3 fork
    batch -ex "set strategy $how" -p "$pid" -ex 'probe -count -r .' -ex 'detach -keep'
    touch go
    until_ok 10 grep -q . "/proc/$pid/task/$pid/children" # grep -q .: files of /proc have no size
    read -r child <"/proc/$pid/task/$pid/children"
    children="$children $child"
    shell_start -p "$child"
    say 'probe -count -r .'
    say 'continue &'
    moved "$child" 20
    say detach
    shell_end
    check "a child, strategy $how: it and its parent's probes stay" same $rc 0
    alive "$child" && moved "$child" 5
    touch stop
    reap "$pid"
    check "a child, strategy $how: it ends right" same "$trc $(tail -n 1 t.out)" "0 right"
done

# ---- stopped by job control, between a breakpoint and its signal -------------------------------
start_target 16
batch -ex 'set strategy trap' -p "$pid" -ex 'probe -count -r .' -ex 'probe exit -count -r .' \
    -ex 'detach -keep'
touch go
for shell in 1 2 3; do
    moved "$pid" 10
    kill -STOP "$pid"
    until_ok 10 in_state "$pid" T
    batch -p "$pid" -ex 'set strategy trap' -ex 'detach -keep'
    check "stopped on breakpoints, shell $shell: stays stopped" until_ok 5 in_state "$pid" T
    kill -CONT "$pid"
done
alive "$pid" && moved "$pid" 10
shell_start -p "$pid"
say 'continue &'
touch stop
say wait
say 'info probes -all'
shell_end
reap "$pid"
check "stopped on breakpoints: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "stopped on breakpoints: counts are exact" exact 60

start_target 16
shell_start -p "$pid"
say 'set strategy trap'
touch go
for round in 1 2 3; do
    say 'probe -count -r .'
    say 'continue &'
    moved "$pid" 10
    kill -STOP "$pid"
    until_ok 10 in_state "$pid" T
    say delete
    kill -CONT "$pid"
done
say detach
shell_end
alive "$pid" && moved "$pid" 10
touch stop
reap "$pid"
check "stopped on breakpoints, deleted: the target ends right" \
    same "$trc $(tail -n 1 t.out)" "0 right"

# ---- killed shells -----------------------------------------------------------------------------
start_shell_and_kill() { # STRATEGY
    shell_start -p "$pid"
    say "set strategy $1"
    say 'probe -count -r .'
    say 'continue &'
    touch go
    moved "$pid" 10
    shell_kill
    moved "$pid" 10
}
give_back() { # LABEL WANTED
    batch -p "$pid" -ex 'info probes -all' -ex 'continue &' -ex detach
    check "$1: $2" has log "$2"
    check "$1: text is the file's" text_intact "$pid"
    moved "$pid" 5
    touch stop
    reap "$pid"
    check "$1: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}
over='^Took over [0-9]+ probes of an earlier eztsh' away='^Removed [0-9]+ probes? of an earlier eztsh'
takes_over && wanted=$over || wanted=$away
for how in jump island pun trap auto; do
    start_target 3
    start_shell_and_kill $how
    give_back "killed, strategy $how" "$wanted"
done

# The journal alone: another user cannot map the rings of a shell that was killed.
plain=$eztsh native=$targets
if other_user p_reach; then
    cd "$theirs" || exit 99
    eztsh=./user targets=$theirs EZTRACE_TRACE_DIR=$theirs
    for how in jump island pun trap auto; do
        start_target 3
        start_shell_and_kill $how
        give_back "killed, another user, strategy $how" "$away"
    done
    as='' eztsh=$plain targets=$native EZTRACE_TRACE_DIR=$work
    cd ..
else
    skip "another user: $why_not"
fi

# ---- killed while it takes over -----------------------------------------------------------------
start_target 3
batch -ex 'set strategy island' -p "$pid" -ex 'probe -count -r [a-m]' -ex 'set strategy pun' \
    -ex 'probe -count -r .' -ex 'set strategy trap' -ex 'probe -count -r .' -ex 'detach -keep'
touch go
take_over() { # STRATEGY [SECONDS]: kill the shell SECONDS after it began; prints how long it took
    python3 - "$eztsh" "$pid" "$@" 3>&1 >log 2>&1 <<'EOF'
import os, subprocess, sys, time
eztsh, pid, how, *most = sys.argv[1:]
shell = subprocess.Popen([eztsh, "-nx", "-batch", "-ex", "set strategy " + how, "-p", pid,
                          "-ex", "continue &", "-ex", "detach -keep"], stdin=subprocess.DEVNULL)
def traced():
    with open(f"/proc/{pid}/status") as f:
        return f"TracerPid:\t{shell.pid}\n" in f
while not traced() and shell.poll() is None:
    pass
since = time.time()
while traced() and not (most and time.time() > since + float(most[0])):
    pass
at_it = time.time() - since if traced() else 0
if most:
    shell.kill()
else:
    at_it = time.time() - since
shell.wait()
os.write(3, f"{at_it:.4f}\n".encode())
EOF
}
whole=$(take_over island)
rounds=0 lost=0 hit=0
while [ $rounds -lt ${EZT_LONG:+2}8 ] || { [ $hit -lt 5 ] && [ $rounds -lt 200 ]; }; do
    rounds=$((rounds + 1))
    at=$(python3 -c "import random; print(random.random() * $whole)")
    at=$(take_over "$(echo island pun trap auto | cut -d ' ' -f $((rounds % 4 + 1)))" "$at")
    if [ "$at" != 0.0000 ]; then
        hit=$((hit + 1))
    else # the shell had left before: the machine was busier when that was measured
        whole=$(python3 -c "print($whole * 0.8)")
    fi
    alive "$pid" && moved "$pid" 5 || { lost=$rounds; break; }
done
check "SIGKILL while it takes over: $hit of $rounds were at it" [ "$hit" -ge 5 ]
if [ $lost = 0 ]; then
    pass "SIGKILL while it takes over, $rounds times: the target lives"
else
    fail "SIGKILL while it takes over: round $lost" log t.out t.err
fi
takes_over || wanted='^No probes\.' # the first of those shells took them away
give_back "SIGKILL while it takes over" "$wanted"
finish
