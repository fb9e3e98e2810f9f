# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh - for the scripts that test processes: start, drive and end them.
#
#   target PROG ARG...        start a program in the background; $pid, output in t.out
#   batch ARG...              eztsh -nx -batch ARG...; output in log, status in $rc
#   shell_start ARG...        an eztsh that reads commands from a pipe; $shell, log
#   say COMMAND               one command; returns when the shell has answered it
#   shell_end                 end of its input; status in $rc
#   shell_kill                SIGKILL
#   check NAME CMD...         one line "ok - NAME" or "not ok - NAME"
#   has FILE PATTERN          grep -qE
#   text_intact PID PROG      the program's code in memory is the file's
#   moved PID MS              wait until the process has used MS more of processor time
#   kept N, taken N           log says that so many probes were kept, were taken over
#   ledger_ok, events         the last ledger adds up; recorded events of all traces here
#   adds_up FILE              so does the ledger in the trace
#   run_with COMMAND...       $prog with 8 threads under signals, probed so; t.out, claims, log
#   compiled TITLE COMMAND... ./prog
#   replies TITLE PROG [PLACE] eztsh's replies to commands
# Nothing sleeps for a fixed time; every wait has a deadline; all ends with the script.
. "${top_srcdir:-.}/tests/env.sh"
chmod 755 "$work"
EZTRACE_TRACE_DIR=$work; export EZTRACE_TRACE_DIR
children='' pid='' shell='' answers=0
ended() {
    exec 3>&-
    kill_ours $children
    cd /
    [ -z "${mounted-}" ] || umount "$mounted" 2>/dev/null
    rm -rf "$work"
}
trap ended EXIT

check() { # NAME CMD...
    name=$1
    shift
    if "$@" >check.out 2>&1; then pass "$name"; else fail "$name: $*" check.out log t.out; fi
}
has() { grep -qE -e "$2" "$1"; }
lacks() { ! grep -qE -e "$2" "$1"; }
same() { [ "$1" = "$2" ] || { echo "want '$2', got '$1'"; false; }; }

in_state() { # PID STATE, by no process of its own: it is asked again and again
    local words
    { read -r words <"/proc/$1/stat"; } 2>/dev/null || return 1 # there is none
    case ${words##*) } in "$2"*) return 0 ;; *) return 1 ;; esac
}
alive() { [ -d "/proc/$1" ] && ! in_state "$1" Z; }
gone() { ! alive "$1"; }
asleep_in() { # PID SYSCALL-NUMBER...
    p=$1
    shift
    read -r now rest <"/proc/$p/syscall" || return 1
    for nr in "$@"; do [ "$now" != "$nr" ] || return 0; done
    return 1
}

target() { # PROG ARG...
    "$@" >t.out 2>t.err </dev/null 3>&- & # fd 3: the target must not hold a shell's pipe open
    pid=$!
    children="$children $pid"
    until_ok 60 loaded "$pid"
}
two_threads() { [ "$(ls "/proc/$pid/task" | wc -l)" = 2 ]; }
execed() { ! cmp -s "/proc/$1/cmdline" "/proc/$$/cmdline"; }
# Under load the process is still a copy of this script for a while, then the kernel maps the program, and then its
# loader works: until here probes stay pending. The kernel maps the vDSO last. glibc's loader unmaps its cache when all
# libraries are ready. A process whose main thread has ended has no maps.
loaded() { # PID
    alive "$1" || return 0 # it has ended already
    execed "$1" || return 1
    case $(cat "/proc/$1/maps" 2>/dev/null) in
    *ld.so.cache*) return 1 ;;
    *libc.so.6*) return 0 ;;
    *ld-linux*) return 1 ;;
    *'[vdso]'*) return 0 ;; # a static program, or musl's loader
    *) return 1 ;;
    esac
}
reap() { # PID: its status in $trc, or "hung"
    if until_ok 30 gone "$1"; then
        wait "$1" 2>/dev/null
        trc=$?
    else
        kill -CONT "$1"
        kill -KILL "$1"
        wait "$1" 2>/dev/null
        trc=hung
    fi
}

batch() {
    timeout -k 5 $limit "$eztsh" -nx -batch "$@" >log 2>&1 </dev/null
    rc=$?
}

# replies TITLE PROG [PLACE]: runs PROG to the place, and gives eztsh the commands on standard input. Each line is
# "COMMAND => REPLY", and each reply is one line.
replies() {
    cat >dialogue
    [ $# -lt 3 ] || printf '%s\n' "break $3" 'run >/dev/null' >ask.ezt
    [ $# -ge 3 ] || : >ask.ezt
    { printf 'echo >>\\n\n'; sed 's/ => .*//' dialogue; } >>ask.ezt
    timeout -k 5 $limit "$eztsh" -nx "$2" <ask.ezt 2>&1 | sed '0,/^>>$/d' >got
    sed 's/.* => //' dialogue >want
    check "$1: $(wc -l <want) replies" cmp want got
    diff want got
}

shell_start() {
    rm -f pipe
    mkfifo pipe
    : >log
    "$eztsh" -nx "$@" <pipe >log 2>&1 &
    shell=$!
    children="$children $shell"
    exec 3>pipe
}
post() { printf '%s\n' "$1" >&3; } # without waiting
said() {
    answered() { has log "@$answers@" || gone "$shell"; }
    until_ok 30 answered && has log "@$answers@"
}
say() {
    answers=$(($(cat "$work/.answers" 2>/dev/null) + 1)) # kept in a file: a say in $(...) counts, too
    echo $answers >"$work/.answers"
    printf '%s\necho @%s@\\n\n' "$1" "$answers" >&3
    said
}
shell_end() {
    exec 3>&-
    reap "$shell"
    rc=$trc
}
shell_kill() {
    kill -KILL "$shell"
    wait "$shell" 2>/dev/null
    exec 3>&-
}

hits() { # NUMBER: calls of a probe, earlier shells' too, in the last `info probes` of log
    awk -v n="$1" '$1 == "Num" { earlier = $7 == "Earlier" }
        $1 == n && ($2 == "both" || $2 == "entry" || $2 == "exit") { h = $6 + (earlier ? $7 : 0) }
        END { print h }' log
}
claim() { sed -n "s/^$1 //p" claims; } # WORD: the number that the target itself counted
run_with() { # COMMAND...: probes, then run with 8 threads under signals
    rm -f ./*.fxt t.out claims
    set -- "$@" 'run 8 20000 signals >t.out 2>claims' 'info probes' 'info trace'
    for c; do printf '%s\n' "$c"; done >script.ezt
    batch -return-child-result -x script.ezt "$prog"
}
json_of() { sed -n '/^{"schema": "eztsh-aggregates-1"/,/^\]}$/p' "$1"; } # LOG: what `info aggregates -json` printed

# text_intact PID [PROG]: executable segments (of PROG) in the process have the file's bytes.
text_intact() { # PID [PROG]
    python3 - "$1" "${2:-}" <<'EOF'
import os, sys
pid, only = sys.argv[1], sys.argv[2] and os.path.realpath(sys.argv[2])
mem = open(f"/proc/{pid}/mem", "rb", 0)
checked = bad = 0
for line in open(f"/proc/{pid}/maps"):
    f = line.split(None, 5)
    if "x" not in f[1] or len(f) < 6 or not f[5].startswith("/") or "memfd:" in f[5]:
        continue
    path = f[5].strip()
    if only and path != only:
        continue
    lo, hi = (int(v, 16) for v in f[0].split("-"))
    mem.seek(lo)
    live = mem.read(hi - lo)
    disk = open(path, "rb")
    disk.seek(int(f[2], 16))
    want = disk.read(hi - lo)
    checked += 1
    for i in range(len(want) if want != live else 0):
        if want[i] != live[i]:
            print(f"{path}+{int(f[2], 16) + i:#x}: {want[i]:02x} became {live[i]:02x}")
            bad += 1
            break
sys.exit(not checked or bad)
EOF
}

# trace_valid FILE: FxT's own reader and ours can read the trace.
trace_valid() { # FILE
    fxt_print -f "$1" >fxt.out 2>fxt.err </dev/null || { tail -n 3 fxt.err; return 1; }
    "$eztsh" -nx -batch -ex "stats $1" >stats.out 2>&1 || { cat stats.out; return 1; }
    [ -s stats.out ]
}

# Was eztsh built so that EZ_FAULT makes calls fail?
faults() { grep -qs '^#define EZ_FAULT_INJECTION 1' "$top_builddir/config.h"; }
need_faults() {
    faults && return
    skip "$(basename "$0" .sh): needs configure --enable-fault-injection"
    exit 77
}
need() { # TOOL...
    for tool in "$@"; do
        command -v "$tool" >/dev/null && continue
        skip "$(basename "$0" .sh): no $tool here"
        exit 77
    done
}
# Did the last command need what eztsh was built without?
left_out() { grep -qE 'eztsh was built without OTF2\. Install libotf2-trace-dev \(Debian\) or otf2-devel \(Fedora\), then configure and make again|d3, which draws the report, is not installed' log; }

# ---- what gdb is compared with ------------------------------------------------------------------
compiled() { # TITLE COMPILER OPTION...: ./prog; if there is none, a line says why
    local title=$1
    shift
    rm -f prog
    command -v "$1" >/dev/null || { skip "$title: no $1"; return 1; }
    "$@" -w -o prog >cc.out 2>&1 && return
    fail "$title: it does not compile" cc.out
    return 1
}
find_rust() { # rustup's compiler is in the user's home, and HOME is the test's
    own=$(getent passwd "$(id -u)" | cut -d: -f6)
    PATH=$PATH:$own/.cargo/bin
    [ -n "${RUSTUP_HOME-}" ] || [ ! -d "$own/.rustup" ] || { RUSTUP_HOME=$own/.rustup; export RUSTUP_HOME; }
}
gdb_quiet() { # commands: it asks nothing, and breaks no lines
    printf '%s\n' 'set width 0' 'set pagination off' 'set confirm off' 'set debuginfod enabled off'
}

# Are eztsh's answers to the lines of a file those of gdb? The COMMANDs lead to the stop. print.py compares; not the
# answers to lines that begin with "- ".
as_gdb() { # TITLE PROG FILE LEAST COMMAND...
    local title=$1 prog=$2 file=$3 least=$4
    shift 4
    command -v gdb >/dev/null || { skip "$title: no gdb"; return; }
    sed 's/^- .*/-/; s/^/echo >> /; s/$/\\n/' "$file" >echoes
    sed 's/^- //' "$file" | paste -d '\n' echoes - >asked
    { printf '%s\n' 'set confirm off' 'set disable-randomization on' "$@"; cat asked; } >ours.ezt
    { gdb_quiet; printf '%s\n' 'unset env LINES' 'unset env COLUMNS' 'set print thread-events off' "$@"; cat asked; } >theirs.gdb
    timeout -k 5 $limit "$eztsh" -nx "$prog" <ours.ezt >ours 2>&1
    timeout -k 5 $limit gdb -nx -q "$prog" <theirs.gdb >theirs 2>&1
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said 2>&1
    check "$title: answers are gdb's" lacks said '^differs|belong|Traceback'
    n=$(sed -n 's/^\([0-9]*\) of .*/\1/p' said)
    check "$title: $n answers were compared" [ "${n:-0}" -ge "$least" ]
    grep -A 40 '^differs' said
}

asked_both() { # PROG PLACE [COMMAND...]: both answer the lines of `questions` at the place; what differs is in said
    asked_prog=$1
    {
        printf '%s\n' 'set disable-randomization on'
        [ $# -lt 3 ] || printf '%s\n' "$3"
        printf '%s\n' "break $2" 'run >/dev/null'
        cat questions
    } >ours.ezt
    {
        gdb_quiet
        printf '%s\n' 'unset env LINES' 'unset env COLUMNS'
        [ $# -lt 3 ] || printf '%s\n' "$3"
        printf '%s\n' "break $2" 'run >/dev/null'
        cat questions
    } >theirs.gdb
    timeout -k 5 $limit "$eztsh" -nx "$asked_prog" <ours.ezt >ours 2>&1
    LC_ALL=C.UTF-8 timeout -k 5 $limit gdb -nx -q "$asked_prog" <theirs.gdb >theirs 2>&1
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said 2>&1
}
# gdb_judges TITLE WHAT PLACE: ./prog stops there, and both answer the commands of the file `both`. What an expression puts into
# the program gets its memory by mmap, and gdb's by malloc, so large addresses are not compared.
gdb_judges() {
    sed 's/.*/echo \\n>> &\\n\n&/' both >questions
    asked_both ./prog "$3"
    sed -E -i 's/0x[0-9a-f]{9,}/0xADDRESS/g' ours theirs
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said
    check "$1: $(grep -c '>>' questions) answers about $2 are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
}

# ---- probes that stay behind ------------------------------------------------------------
kept() { has log "detached, $1 probes? kept\\]"; }
taken() { has log "^Took over $1 probes? of an earlier eztsh"; }
# Only root reaches the memory of a killed shell: other users' shells take its probes away.
takes_over() { [ "$(id -u)" = 0 ]; }
taken_from_killed() {
    if takes_over; then taken "$1"; else has log "^Removed $1 probes? of an earlier eztsh .*: Only root can read"; fi
}
# Let the target, which works until there is a file "stop", end while a shell watches; its counts
# are in log.
see_end() {
    shell_start -p "$pid"
    say 'continue &'
    see_own_end
}
see_own_end() { # by the shell that is attached
    touch stop
    say wait
    say 'info probes'
    shell_end
    reap "$pid"
}
moved() { # PID MS: wait until it has used MS more of processor time
    python3 - "$1" "$2" <<'END'
import sys, time
clock = (~int(sys.argv[1]) << 3) | 2 # clock_getcpuclockid(3)
first, end = time.clock_gettime(clock), time.time() + 20
while time.clock_gettime(clock) < first + float(sys.argv[2]) / 1e3:
    if time.time() > end:
        sys.exit(1)
    time.sleep(0.002)
END
}
# The last ledger in log adds up. All traces here together have so many events.
ledger_ok() { python3 -c '
import re
h, r, f, u, d = map(int, re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())[-1])
print(h, r, f, u, d)
assert h == r + f + u + d'; }
ledger_of() { # FILE: its ledger: "hits recorded filtered untraced dropped overwritten"
    "$eztsh" -nx -batch -ex "stats -json $1" >stats.json 2>err
    python3 -c '
import json
l = json.load(open("stats.json"))["ledger"]
print(*(l[k] for k in ("hits", "recorded", "filtered", "untraced", "dropped", "overwritten")))'
}
# shellcheck disable=SC2046
adds_up() { set -- $(ledger_of "$1"); [ $# = 6 ] && [ "$1" = $(($2 + $3 + $4 + $5 + $6)) ]; }
# Recorded events by the last ledger: this shell's, and those of earlier shells.
recorded() { awk '/ hits = [0-9]+ recorded/ {
        earlier = /^Before this shell: /
        sub(/.* hits = /, "")
        if (earlier) before = $1; else { own = $1; before = 0 }
    }
    END { print own + before }' log; }
events() { for f in ./*.fxt; do trace_valid "$f" && grep -c '(0).*unknown code 1' fxt.out; done |
    awk '{ n += $1 } END { print n + 0 }'; }
