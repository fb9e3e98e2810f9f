#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# keep.sh - `detach -keep`: probes work without a shell, and the next shell takes them over. The
# target counts its own calls, so every count is compared exactly.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

# How many events this shell and earlier ones recorded, by the last ledger of log.
recorded() {
    sed -n 's/.* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 2 | awk '{ n += $1 } END { print n }'
}
own() { awk -v w="$1" '$1 == w { print $2 }' t.out; }
start_target() { # ARG...
    rm -f stop go ./*.fxt
    target "$targets/p_keep" stop go "$@"
}

# The target keeps two descriptors, and exec closes both.
left_open() { # PID
    task=/proc/$1/task/$(ls "/proc/$1/task" | tail -n 1)
    for fd in $(ls -l "$task/fd" | sed -n 's/.* \([0-9]*\) -> .memfd:eztsh.*/\1/p'); do
        flags=$(sed -n 's/^flags:[[:space:]]*//p' "$task/fdinfo/$fd")
        if [ $((flags & 02000000)) != 0 ]; then printf 'closed '; else printf 'stays '; fi
    done
}

# ---- counts go on through several shells ------------------------------------------------
cycles() { # NAME ARG...
    label=$1
    shift
    start_target 4 "$@"
    batch -p "$pid" -ex 'probe entry -count leaf' -ex 'probe -count lap' -ex 'detach -keep'
    check "$label: kept" kept 2
    check "$label: no descriptor but two, closed by exec" \
        same "$(left_open "$pid")" "closed closed "
    touch go
    n=0
    while [ $n -lt 5 ]; do
        n=$((n + 1))
        moved "$pid" 10
        batch -p "$pid" -ex 'info probes' -ex 'continue &' -ex 'detach -keep'
        taken 2 && kept 2 || { fail "$label: cycle $n" log; break; }
    done
    moved "$pid" 10
    see_end
    check "$label: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "$label: entries are exact" same "$(hits 1)" "$(own leaf)"
    check "$label: entries and exits are exact" same "$(hits 2)" "$(own lap)"
    check "$label: many" [ "$(own leaf)" -gt 10000 ]
    check "$label: a shell's own counts, and the earlier ones'" python3 -c '
import re
log = open("log").read()
rows = re.findall(r"^[12] +\w+ +count +\w+ +\S+ +(\d+) +(\d+) ", log, re.M)
assert len(rows) == 2 and all(int(b) > 0 for a, b in rows), rows
(c1, e1), (c2, e2) = [(int(a), int(b)) for a, b in rows]
own, before = (int(re.findall(x + r"(\d+) hits = 0 recorded", log, re.M)[-1]) for x in ("^", "^Before this shell: "))
# entries alone of the first probe, both sides of the second: calls in flight aside
assert abs(own - c1 - 2 * c2) <= 64 and abs(before - e1 - 2 * e2) <= 64, (own, before, rows)'
}
cycles "5 shells"
cycles "5 shells, threads born meanwhile" births
cycles "5 shells, a frame through an old slot" deep
cycles "5 shells, the main thread has ended" headless

# ---- a program that loads libraries is not held up ---------------------------------------------
start_target 2 "$targets/libp.so"
batch -p "$pid" -ex 'probe -count leaf' -ex 'probe -count libp:lib_mix' -ex 'detach -keep'
check "libraries: a pending probe is kept" kept 2
touch go
check "libraries: nothing waits for the shell that left" moved "$pid" 25
shell_start -p "$pid"
say 'continue &'
check "libraries: the kept hook plants what was pending" until_ok 20 has log '^Probe 2 at 0x'
see_own_end
check "libraries: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "libraries: exact" same "$(hits 1)" "$(own leaf)"

# Counts stay of a library that was closed meanwhile.
rm -f loaded closed
target "$targets/p_dl" "$targets/libp.so" 1 1000 loaded closed
until_ok 10 grep -q libp.so "/proc/$pid/maps"
batch -p "$pid" -ex 'probe -count libp:lib_mix' -ex 'detach -keep'
check "a library closed: kept" kept 1
touch loaded
until_ok 10 lacks "/proc/$pid/maps" libp.so
for shell in 1 2; do
    batch -p "$pid" -ex 'info probes' -ex 'detach -keep'
    check "a library closed, shell $shell: what was counted stays" same "$(hits 1)" 1000
done
touch closed
reap "$pid"
check "a library closed: the target ends right" same "$trc" 0

# ---- every command works on probes that were taken over ------------------------------------------
start_target 3
batch -p "$pid" -ex 'probe -count leaf' -ex 'probe lap' -ex 'probe entry -count nest' -ex 'disable 3' \
    -ex 'delete 1' -ex 'probe -count leaf' -ex 'detach -keep'
touch go
shell_start -p "$pid"
say 'info probes'
check "commands: numbers and states are the old ones" python3 -c '
import re
rows = dict(re.findall(r"^(\d+) +\w+ +\w+ +(\w+)", open("log").read(), re.M))
assert rows == {"2": "armed", "3": "disabled", "4": "armed"}, rows'
say 'info coverage'
check "commands: info coverage" has log '2 +planted: jump'
say 'info textdiff'
check "commands: info textdiff knows whose bytes" has log ' 0 of them foreign'
say 'why leaf'
say 'disable 4'
say 'enable 3'
say 'enable 4'
say 'probe -count work'
say 'info probes'
check "commands: new probes get the next number" has log '^5 +both +count +armed'
check "commands: enable plants what was kept disabled" has log '^3 +entry +count +armed'
say 'continue &'
say 'delete 2'
say 'delete'
say 'interrupt'
check "commands: delete gives all bytes back but the hooks'" text_intact "$pid" "$targets/p_keep"
say detach
shell_end
check "commands: detach takes all away" text_intact "$pid"
check "commands: no descriptor stays" same "$(ls -l "/proc/$pid/fd" | grep -c memfd:eztsh)" 0
touch stop
reap "$pid"
check "commands: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- records -----------------------------------------------------------------------------------------
start_target 2
batch -p "$pid" -ex 'set ring-size 16384' -ex 'probe lap' -ex 'detach -keep'
touch go
n=0
while [ $n -lt 3 ]; do
    n=$((n + 1))
    moved "$pid" 15
    batch -p "$pid" -ex 'continue &' -ex 'detach -keep'
done
see_end
check "records: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "records: counts are exact" same "$(hits 1)" "$(own lap)"
check "records: each shell has its own trace" [ "$(ls p_keep-*.fxt | wc -l)" -ge 4 ]
check "records: not one is lost or told twice" same "$(events)" "$((2 * $(own lap)))"
for f in p_keep-*.fxt; do check "records: valid: ${f##*-[0-9]*[0-9].}" trace_valid "$f"; done

start_target 2
batch -p "$pid" -ex 'set ring-size 64' -ex 'probe leaf' -ex 'detach -keep'
touch go
check "overflow: the target does not wait" moved "$pid" 50
see_end
check "overflow: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "overflow: counts are exact" same "$(hits 1)" "$(own leaf)"
check "overflow: what was dropped is counted" ledger_ok
check "overflow: something was dropped before this shell" \
    has log '^Before this shell: .* \+ 0 filtered \+ 0 untraced \+ [1-9][0-9]+ dropped'
check "overflow: something recorded by it" has log ': [0-9]+ hits = [1-9][0-9]+ recorded'
check "overflow: the events that are in the traces" \
    same "$(events)" "$(recorded)"

# The trace that the next shell should write cannot be created.
start_target 2
batch -p "$pid" -ex 'set ring-size 64' -ex 'probe leaf' -ex 'detach -keep'
touch go
moved "$pid" 50
mkdir away
shell_start
say 'trace away/x.fxt'
say 'shell rm -r away'
say "attach $pid"
check "no trace: said so" has log 'away/x.fxt: cannot create the trace file'
say 'continue &'
check "no trace: the target does not wait for room" moved "$pid" 50
touch stop
say wait
shell_end
reap "$pid"
check "no trace: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "no trace: the ledger adds up" ledger_ok

# ---- a crowd: lanes beyond the first have smaller rings ---------------------------------------------
start_target 2000 lazy
batch -p "$pid" -ex 'probe -count leaf' -ex 'probe lap' -ex 'detach -keep'
touch go
n=0
while [ $n -lt 2 ] && alive "$pid"; do
    n=$((n + 1))
    until_ok 20 sh -c "[ \$(ls /proc/$pid/task | wc -l) -ge 2000 ] || [ ! -d /proc/$pid/task ]"
    moved "$pid" 300
    batch -p "$pid" -ex 'continue &' -ex 'detach -keep'
done
if alive "$pid"; then
    see_end
    check "2,000 threads: taken over" taken 2
    check "2,000 threads: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "2,000 threads: counts are exact" same "$(hits 1) $(hits 2)" "$(own leaf) $(own lap)"
    check "2,000 threads: the ledger adds up" ledger_ok
    check "2,000 threads: what is recorded is told once" \
        same "$(events)" "$(recorded)"
else
    reap "$pid"
    skip "2,000 threads: cannot be made here"
fi

# ---- ten thousand probes -------------------------------------------------------------------------------
awk 'BEGIN {
    print ".text"
    for (i = 0; i < 10000; i++)
        printf ".p2align 4\n.globl f%d\n.type f%d,@function\nf%d: lea %d(%%rdi),%%rax\n imul %%rsi,%%rax\n ret\n.size f%d,.-f%d\n", i, i, i, i, i, i
    print ".globl all\n.data\nall:"
    for (i = 0; i < 10000; i++) print ".quad f" i
    print ".section .note.GNU-stack,\"\",@progbits" }' >many.s
cat >many.c <<'END'
#include <stdio.h>
#include <unistd.h>
extern long (*const volatile all[])(long, long);
int main(int argc, char **argv)
{
    long n = 0, s = 0;
    while (access(argv[1], F_OK))
        for (int k = 0; k < 10000; k++, n++)
            s += all[k](n, s & 3);
    printf("calls %ld\nright\n", n);
    return s == 42 && argc > 9;
}
END
if ${CC:-cc} -O1 -no-pie -o many many.c many.s 2>cc.err; then
    rm -f stop go
    target ./many stop
    batch -p "$pid" -ex 'probe -count -r ^f[0-9]' -ex 'info probes -all' -ex 'detach -keep'
    check "10,000 probes: kept" kept 10000
    moved "$pid" 10
    batch -p "$pid" -ex 'detach -keep'
    check "10,000 probes: taken over and kept" taken 10000
    began=$(date +%s%N)
    batch -p "$pid" -ex 'info probes -all' -ex 'detach'
    took=$((($(date +%s%N) - began) / 1000000))
    check "10,000 probes: taken over again, $took ms with detach" taken 10000
    check "10,000 probes: each has its counts" python3 -c '
import re
h = [int(a) + int(b) for a, b in re.findall(r"^\d+ +both +count +armed +0x\w+ +(\d+) +(\d+) ", open("log").read(), re.M)]
assert len(h) == 10000 and min(h) > 0 and max(h) - min(h) <= 1, (len(h), min(h), max(h))'
    check "10,000 probes: in a few seconds" [ "$took" -lt 10000 ]
    check "10,000 probes: text is the file's" text_intact "$pid"
    touch stop
    reap "$pid"
    check "10,000 probes: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
else
    skip "10,000 probes: no compiler here"
fi

# ---- a killed shell; a list, a journal, a runtime that cannot be believed --------------------------------
start_target 2
shell_start -p "$pid"
say 'probe -count leaf'
say 'probe lap'
say 'continue &'
touch go
moved "$pid" 10
shell_kill
moved "$pid" 10
see_end
check "killed: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
if [ "$(id -u)" = 0 ]; then
    check "killed: what it left is taken over" taken 2
    check "killed: counts are exact" same "$(awk '$8 == "leaf" { print $6 + $7 }' log) $(awk '$8 == "lap" { print $6 + $7 }' log)" \
        "$(own leaf) $(own lap)"
else
    check "killed: what it left is taken away" has log '^Removed 2 probes of an earlier eztsh'
fi

spoil() { # NAME REASON WHAT: change a few bytes of what was kept
    start_target 2
    batch -p "$pid" -ex 'probe -count leaf' -ex 'probe -count lap' -ex 'detach -keep'
    touch go
    set -- "$@" $(sed -n 's/^#define EZ_RT_\(STATE\|RETURN_TRAMPOLINES\) \(0x[0-9a-f]*\).*/\2/p' "$top_srcdir/engine/rt/rt.h")
    python3 - "$pid" "$3" "$4" "$5" <<'END'
import struct, sys
pid, what = sys.argv[1:3]
state, slots = (int(n, 16) for n in sys.argv[3:])
maps = [l.split(None, 5) for l in open(f"/proc/{pid}/maps")]
def lo(name):
    return min(int(f[0].split("-")[0], 16) for f in maps if len(f) > 5 and name in f[5])
mem = open(f"/proc/{pid}/mem", "r+b", 0)
seg, blob = lo("memfd:eztsh-rings"), lo("memfd:eztsh-slots") - slots
def get(at, form):
    mem.seek(at)
    return struct.unpack(form, mem.read(struct.calcsize(form)))[0]
def put(at, form, value):
    mem.seek(at)
    mem.write(struct.pack(form, value))
off_rows, stride, used = get(seg + 40, "<Q"), get(seg + 132, "<I"), get(seg + 84, "<I")
if what == "lanes":
    put(seg + 24, "<I", 1 << 30)
elif what == "size":
    put(seg + 72, "<Q", 1 << 62)
elif what == "runtime":
    put(blob + get(blob, "<Q") - 1, "B", get(blob + get(blob, "<Q") - 1, "B") ^ 1)
elif what == "state":
    put(blob + state, "<Q", seg + 4096)
for row in range(seg + off_rows, seg + off_rows + used * stride, stride):
    if what == "stub":
        put(row + 48, "<Q", get(row + 48, "<Q") + 64)
    elif what == "func":
        put(row + 56, "<Q", get(row + 56, "<Q") + 1)
    elif what == "before":
        put(row + 16, "B", get(row + 16, "B") ^ 1)
END
    check "$1: it is spoilt" same $? 0
    batch -p "$pid" -ex 'info probes' -ex 'continue &' -ex detach
    check "$1: $2" has log "$2"
    check "$1: status 0" same $rc 0
    check "$1: text is the file's" text_intact "$pid"
    moved "$pid" 5
    touch stop
    reap "$pid"
    check "$1: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}
if [ "$(id -u)" = 0 ]; then
    away='^Removed 2 probes of an earlier eztsh \(process [0-9]+\): '
    spoil "spoilt number of lanes" "${away}their shared memory is damaged" lanes
    spoil "spoilt size" "${away}their shared memory is damaged" size
    spoil "another build's runtime" "${away}another build of eztsh planted them" runtime
    spoil "spoilt state" "${away}their runtime cannot be found" state
    spoil "spoilt stubs" "${away}The jump at 0x" stub
    spoil "spoilt functions" "${away}no function at 0x" func
    spoil "spoilt original bytes" "${away}their journal is damaged" before
    spoil "nothing spoilt" '^Took over 2 probes of an earlier eztsh' nothing
else
    skip "spoilt by the target: only root takes over from a shell that was killed"
fi

# ---- kept before libc was there: the runtime asks the kernel for thread ids ----------------------------------
rm -f stop go ./*.fxt
python3 - "$targets/p_keep" stop go 3 >t.out 2>t.err <<'END' &
import ctypes, os, signal, sys
ptrace = ctypes.CDLL(None).ptrace
ptrace.argtypes = [ctypes.c_long] * 4
pid = os.fork()
if not pid:
    ptrace(0, 0, 0, 0)  # TRACEME
    os.execv(sys.argv[1], sys.argv[1:])
os.waitpid(pid, 0)  # at its first instruction
ptrace(17, pid, 0, signal.SIGSTOP)  # DETACH
open("early", "w").write(str(pid))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
launcher=$!
children="$children $launcher"
until_ok 10 test -s early
pid=$(cat early)
children="$children $pid"
until_ok 10 in_state "$pid" T
batch -p "$pid" -ex 'probe -count leaf' -ex 'probe lap' -ex 'detach -keep'
check "no libc yet: kept" kept 2
kill -CONT "$pid"
touch go
moved "$pid" 10
batch -p "$pid" -ex 'detach -keep'
check "no libc yet: taken over once it is there" taken 2
see_end
reap "$launcher"
check "no libc yet: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "no libc yet: counts are exact" same "$(hits 1) $(hits 2)" "$(own leaf) $(own lap)"

# ---- without privileges ------------------------------------------------------------------------------------
if other_user p_keep; then
    cd "$theirs" || exit 99
    EZTRACE_TRACE_DIR=$theirs
    # shellcheck disable=SC2086
    target $as ./p_keep stop go 2
    theirs() { [ "/proc/$pid/exe" -ef p_keep ]; } # the process is no longer setpriv
    until_ok 10 theirs
    plain=$eztsh
    eztsh=./user
    batch -p "$pid" -ex 'probe -count leaf' -ex 'probe lap' -ex 'detach -keep'
    check "another user: kept" kept 2
    touch go
    moved "$pid" 10
    batch -p "$pid" -ex 'detach -keep'
    check "another user: taken over without privileges" taken 2
    eztsh=$plain # root takes over what a user kept, and gives it back
    batch -p "$pid" -ex 'detach -keep'
    check "another user: root takes over and keeps" same "$(grep -cE '^Took over 2|, 2 probes kept' log)" 2
    eztsh=./user
    see_end
    check "another user: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "another user: counts are exact" same "$(hits 1) $(hits 2)" "$(own leaf) $(own lap)"
    eztsh=$plain
    # shellcheck disable=SC2086
    rm -f stop go && target $as ./p_keep stop go 2
    until_ok 10 theirs
    shell_start -p "$pid"
    say 'probe -count leaf'
    say 'continue &'
    touch go
    mv log live
    eztsh=./user
    batch -p "$pid" -ex 'info probes'
    check "another user: a live shell's probes are left alone" \
        has log 'has the probes of another eztsh'
    eztsh=$plain
    mv live log
    see_own_end
    check "another user: the live shell's counts are exact" same "$(hits 1)" "$(own leaf)"
    cd ..
else
    skip "another user: $why_not"
fi

# ---- what cannot be kept ------------------------------------------------------------------------------------
start_target 1
batch -p "$pid" -ex 'detach -keep'
check "no probe: said so" has log '^No probe to keep in process [0-9]+\. "detach" without -keep'
batch -p "$pid" -ex 'probe leaf' -ex 'detach -kep' -ex 'info probes' -ex detach
check "a wrong option: what there is" has log '^detach has no option "-kep"\. The option is -keep\.'
touch go stop
reap "$pid"
check "what cannot be kept: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish
