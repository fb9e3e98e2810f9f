#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hand.sh - `set by-hand on`: a probe that is planted step by step is, byte for byte, what `probe` makes; a step at the
# wrong time is refused with what it would do; and whatever ends it half way leaves the program as it was.
. "${top_srcdir:-.}/tests/procs/lib.sh"
app=$targets/p_app

# The text of the program and all that eztsh mapped as executable, in two files. The threads' cookie differs from
# process to process: it is the operand of "xor $cookie,%eax" in the stubs, and is blanked.
image_of() { # PID FILE
    python3 - "$1" "$2" "$app" <<'END'
import os, re, struct, sys
pid, out, app = sys.argv[1], open(sys.argv[2], "wb"), os.path.realpath(sys.argv[3])
mem, pages = open(f"/proc/{pid}/mem", "rb", 0), open(f"/proc/{pid}/pagemap", "rb", 0)
kept, cookie = 0, None
for line in open(f"/proc/{pid}/maps"):
    f = line.split(None, 5)
    name = f[5].strip() if len(f) > 5 else ""
    if "x" not in f[1] or not (name == app or "eztsh: trampolines" in name or not name):
        continue
    lo, hi = (int(v, 16) for v in f[0].split("-"))
    pages.seek(lo >> 12 << 3)
    there = struct.unpack(f"{(hi - lo) >> 12}Q", pages.read((hi - lo) >> 12 << 3))
    for at in (lo + (i << 12) for i, p in enumerate(there) if p >> 62):
        mem.seek(at)
        data = mem.read(4096)
        xor = re.search(rb"\x64\x8b\x04\x25....\x81\xf0(....)", data, re.S)
        cookie = xor.group(1) if xor else cookie
        if any(data):
            out.write(f"{at:x}\n".encode() + data)
            kept += 4096
whole = open(sys.argv[2], "rb+")
out.close()
data = whole.read()
whole.seek(0)
whole.write(data.replace(cookie, b"????") if cookie else data)
sys.exit(kept < 1000)
END
}
planted() { # FILE SI COMMAND...: what stands in the process after these
    file=$1 si=$2
    shift 2
    shell_start --args "$app" 20
    say 'set disable-randomization on'
    say start
    [ "$si" = 0 ] || say "si $si"
    for c; do say "$c"; done
    image_of "$(pgrep -P "$shell" -x p_app)" "$file"
    say continue
    shell_end
}
native "$app" 20
steps='hand room|hand map|hand relocate|hand stub|hand threads|hand jump'
by_hand() { # FILE SI PROBE
    old=$IFS
    IFS='|'
    # shellcheck disable=SC2086
    set -- "$1" "$2" 'set by-hand on' "$3" $steps
    IFS=$old
    planted "$@"
}
n=0
for p in '0 probe twice' '0 probe entry twice' '0 probe exit area' '0 probe -count answer' '0 probe area if w > 2' '1 probe main' \
    '2 probe -count main' '0 probe lib_mix' '0 probe twice collect v'; do
    n=$((n + 1))
    si=${p%% *} what=${p#* }
    planted by-engine "$si" "$what"
    grep -qxF -e "$(cat n.out)" log || fail "$what: the program's result" log
    by_hand by-user "$si" "$what"
    check "$what, si $si: planted" has log '^Probe 1 is planted'
    check "$what, si $si: the same result" grep -qxF -e "$(cat n.out)" log
    check "$what, si $si: byte for byte what probe makes" cmp by-engine by-user
done
planted plain 0 'print 1'
check 'the comparison sees a probe' sh -c '! cmp -s plain by-user'
planted other 0 'probe -count twice'
check 'the comparison sees another stub' sh -c '! cmp -s other by-user'

# Each step where it does not belong, at each stage: refused, with what would go wrong; the program does not notice.
{
    echo 'set by-hand on'
    echo start
    echo 'si 1'
    echo 'probe main'
    stage=0
    for right in room map relocate stub threads jump; do
        at=0
        for any in room map relocate stub threads jump; do
            [ $at = $stage ] || [ "$right $any" = 'jump threads' ] || echo "hand $any"
            at=$((at + 1))
        done
        echo hand
        echo 'probe twice'
        echo 'delete 1'
        echo "hand $right"
        stage=$((stage + 1))
    done
    echo 'info probes'
    echo continue
} >wrong
set --
while read -r c; do set -- "$@" -ex "$c"; done <wrong
batch "$@" --args "$app" 20
check 'no room: where mmap would map' has log '^"hand room" must come first: mmap would choose .* is [0-9.]+ TiB from the function, and a jump reaches 2 GiB'
check 'no map: nothing there' has log '^"hand map" must come first: nothing is mapped at 0x[0-9a-f]+'
check 'no relocation: which instructions' has log '^"hand relocate" must come first: the jump takes the place of [0-9]+ instructions, "push '
check 'no stub: what is executed' has log '^"hand stub" must come first: at 0x[0-9a-f]+ is 00 00, "add '
check 'no threads: which one, and what it executes' has log \
    '^"hand threads" must come first: thread [0-9]+ stands at 0x[0-9a-f]+ <main\+[0-9]+>, under the jump: it would execute [0-9a-f ]+, ".+"'
check 'done is done' has log '^"hand room" is already done\. "hand jump" comes next\.'
check 'no other probe meanwhile' has log '^Probe 1, on main, is being planted by hand\.'
check 'one of two answers for each' same "$(grep -cE '^("hand [a-z]+" must come first|"hand [a-z]+" is already done)' log)" 29
check 'the thread was moved' has log 'moved to 0x[0-9a-f]+, the copy of main\+'
check 'armed at the end' has log '^1 +both +record +armed '
check 'the result is right' grep -qxF -e "$(cat n.out)" log
check 'it ends as ever' has log 'exited normally'

# Nobody stands under the jump: the step may be left out. The program may go on between steps.
batch -ex start -ex 'set by-hand on' -ex 'probe twice' -ex 'hand next' -ex 'hand next' -ex 'hand next' -ex 'hand next' -ex 'si 3' -ex 'hand jump' \
    -ex 'info probes' -ex continue -ex 'info probes' --args "$app" 20
check 'threads left out' has log '^"hand threads" was left out, and no thread stands between'
check 'it counts' has log '^1 +both +record +[a-z]+ +0x[0-9a-f]+ +20 +twice'
check 'with its result' grep -qxF -e "$(cat n.out)" log
# A breakpoint stands under the jump, a thread at it; after the moving it goes on, in the copy; then comes the jump.
batch -ex start -ex 'set by-hand on' -ex 'si 1' -ex 'probe main' -ex 'hand next' -ex 'hand next' -ex 'hand next' -ex 'hand next' -ex 'hand next' \
    -ex 'si 5' -ex 'hand next' -ex 'check main' -ex continue --args "$app" 20
check 'run on in the copy' has log '^Probe 1 is planted'
check 'run on: the result' grep -qxF -e "$(cat n.out)" log

# Undone: the text is the file's, threads stand where they stood.
for stage in 0 1 2 3 4 5; do
    for how in undo rollback detach kill quit; do
        shell_start --args "$app" 20
        for c in start 'si 1' 'info registers' 'set by-hand on' 'probe main'; do say "$c"; done
        i=0
        while [ $i -lt $stage ]; do say 'hand next'; i=$((i + 1)); done
        pid=$(pgrep -P "$shell" -x p_app)
        case $how in
        undo | rollback)
            [ $how = rollback ] || how='hand undo'
            say "$how"
            check "stage $stage, $how: the text is the file's" text_intact "$pid" "$app"
            say 'info registers'
            check "stage $stage, $how: the thread is back" same "$(grep -c '^rip .*<main+2>' log)" 2
            say hand
            say 'info probes'
            check "stage $stage, $how: nothing is left" has log '^No probes\.'
            say 'probe -count twice'
            say 'hand undo'
            say 'set by-hand off'
            say 'probe -count twice'
            say continue
            say 'info probes'
            check "stage $stage, $how: a probe as ever" has log '^[0-9]+ +both +count +[a-z]+ +0x[0-9a-f]+ +20 +twice'
            check "stage $stage, $how: the result" grep -qxF -e "$(cat n.out)" log
            shell_end
            ;;
        detach)
            say detach
            check "stage $stage, detach: the result" until_ok 10 grep -qxF -e "$(cat n.out)" log
            shell_end
            ;;
        kill)
            say kill
            check "stage $stage, kill: it is said" has log '^Probe 1 was being planted by hand when the process ended\.'
            say 'set by-hand off'
            say 'probe twice'
            say run
            check "stage $stage, kill: run again" grep -qxF -e "$(cat n.out)" log
            shell_end
            ;;
        quit)
            shell_end
            check "stage $stage, quit: left" same "$rc" 0
            check "stage $stage, quit: the program is gone" until_ok 10 gone "$pid"
            ;;
        esac
    done
done

# The shell is killed half way: the program runs on, with its thread in the copy.
for stage in 2 4 5; do
    shell_start --args "$app" 20
    for c in start 'si 1' 'set by-hand on' 'probe main'; do say "$c"; done
    i=0
    while [ $i -lt $stage ]; do say 'hand next'; i=$((i + 1)); done
    shell_kill
    check "stage $stage, shell killed: the result" until_ok 10 grep -qxF -e "$(cat n.out)" log
done

# Ctrl-C at the prompt.
python3 - "$eztsh" "$app" >pty.out 2>&1 <<'END'
import os, pty, select, sys, time
pid, fd = pty.fork()
if not pid:
    os.environ["TERM"] = "dumb"
    os.execv(sys.argv[1], [sys.argv[1], "-nx", "-q", sys.argv[2]])
got = b""
def until(what):
    global got
    end = time.time() + 60
    while what not in got:
        if time.time() > end or not select.select([fd], [], [], 60)[0]:
            print(got.decode(errors="replace"), "no", what); sys.exit(1)
        got += os.read(fd, 4096)
    got = got[got.index(what) + len(what):]
def line(text, then):
    until(b"(eztsh) ")
    os.write(fd, text.encode() + b"\n")
    until(then)
line("start", b"main")
line("set by-hand on", b"\n")
line("probe twice", b"Without it")
line("hand room", b"Without it")
line("hand map", b"Without it")
until(b"(eztsh) ")
os.write(fd, b"hand rel\x03")
until(b"Quit")
until(b"Probe 1 is cancelled")
line("hand", b"No probe is being planted by hand")
line("kill", b"y or n")
os.write(fd, b"y\n")
line("quit", b"")
os.waitpid(pid, 0)
END
check 'Ctrl-C at the prompt gives it up' same "$?" 0

batch -ex 'set by-hand on' -ex 'probe twice' -ex start -ex 'probe -r .' -ex 'probe twice area' -ex 'probe nosuch' -ex 'hand' -ex 'hand room' \
    -ex 'probe _start' -ex 'info probes' -ex continue --args "$app" 20
check 'no process' has log '^Planting by hand needs a stopped process\.'
check 'many' same "$(grep -c '^By hand only one probe at a time can be planted\.' log)" 2
check 'none begun' has log '^No probe is being planted by hand\.'
check 'not loaded' has log '^A function that is not loaded cannot be probed by hand\.'
check 'refused at once' has log '^Cannot probe _start: it never returns'
check 'refused: nothing is left' has log '^No probes\.'
check 'none of it hurts' grep -qxF -e "$(cat n.out)" log
finish
