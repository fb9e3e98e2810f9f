#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# foreign.sh - files of others: at the place of a trace; programs and libraries that change, or that
# are something else. The shell says so and goes on; the target runs on.
. "${top_srcdir:-.}/tests/procs/lib.sh"

# ---- fault 73: names of traces ------------------------------------------------------------
# The target can know the name of the automatic trace, and its folder may be the target's.
echo precious >victim
for plant in victim nothing-there; do
    target "$targets/p_loop" stop
    ln -s "$work/$plant" "p_loop-$pid.fxt"
    batch -p "$pid" -ex 'probe pulse' -ex 'info trace' -ex detach
    check "a link to $plant: the trace has another name" has log "^Recording to .*/p_loop-$pid\\.2\\.fxt\\.\$"
    check "a link to $plant: it can be read" trace_valid "p_loop-$pid.2.fxt"
    check "a link to $plant: it stays" [ -L "p_loop-$pid.fxt" ]
done
check "the target of a link stays unchanged" same "$(cat victim)" precious
check "nothing is made where a dangling one leads" [ ! -e nothing-there ]

# A trace that was asked for is no file before there are events.
batch -ex 'trace start later.fxt' -ex 'shell ls' "$targets/p_app"
check "no trace before there is one" lacks log '^later.fxt'
batch -ex 'trace start later.fxt' -ex 'probe area' -ex 'run 5 >t.out' "$targets/p_app"
check "then it is there" trace_valid later.fxt
batch -ex 'trace start /dev/full' -ex 'trace start .' "$targets/p_app"
check "a device is no trace" has log 'a trace must be a regular file'

# ---- fault 71: files that change between two commands -------------------------------------------
look='info functions twice|disassemble twice|info line twice|x/i twice|why twice|info symbol twice|info functions lib_|x/i lib_mix|why lib_mix|probe -count lib_mix|disassemble lib_mix|info coverage'
look() { # run all these commands; the shell must answer each
    old_ifs=$IFS IFS='|'
    for c in $look; do
        IFS=$old_ifs
        say "$c" || return 1
    done
    IFS=$old_ifs
}
fresh() { rm -f app libp.so && cp "$targets/p_app" app && cp "$targets/libp.so" .; }
spoil() { # HOW FILE
    case $1 in
    cut) truncate -s 4096 "$2" ;;
    empty) : >"$2" ;;
    over) cat "$targets/p_loop" >"$2" ;;
    swap) cp "$targets/p_loop" swapped && mv swapped "$2" ;;
    esac
}
for how in cut empty over swap; do
    fresh
    shell_start ./app
    say 'info functions area' # it has read the file
    spoil $how app
    check "a program, $how: every command answers" look
    shell_end
    check "a program, $how: the shell ends well" [ "$rc" -le 1 ]
    [ $how = swap ] || check "a program, $how: it is noticed" has log "/app'? has changed"

    fresh
    shell_start ./app
    say start
    say 'info functions lib_'
    spoil $how libp.so
    check "a library, $how: every command answers" look
    [ $how = swap ] || check "a library, $how: it is noticed" has log "/libp.so has changed since"
    say kill
    shell_end
    check "a library, $how: the shell ends well" [ "$rc" -le 1 ]
done
fresh
shell_start ./app
say 'run 2 >t.out'
: >2 # the file "2" ends the next run
spoil swap app
say 'run 2 >t.out'
shell_end
check "a new program is read again" has log "app' has changed; re-reading symbols"

# ---- fault 72: what stands where a library was, or where one leads --------------------------
# preloaded FILE: a target that has mapped it
preloaded() {
    rm -f stop
    LD_PRELOAD=$work/$1 "$targets/p_loop" stop >t.out 2>t.err </dev/null &
    pid=$!
    children="$children $pid"
    until_ok 10 grep -q "/$1" "/proc/$pid/maps"
}
over() { # NAME: the target ends right
    touch stop
    reap "$pid"
    check "$1: the target runs on" has t.out '^right'
}
has_lib() { # NAME: the library's functions are known, or the reason why not; the program's are known
    if [ "$(id -u)" = 0 ]; then
        check "$1: the mapped file is read" has log 'lib_mix'
    else
        check "$1: the reason is told" has log 'libx.so \(deleted\): this file was deleted or replaced'
    fi
    check "$1: the program is known" has log '^Probe 1 at .*p_loop.c'
}
for what in fifo device folder; do
    cp "$targets/libp.so" libx.so
    preloaded libx.so
    rm libx.so # from here on the kernel calls it "libx.so (deleted)", whatever has that name
    for there in libx.so 'libx.so (deleted)'; do
        case $what in
        fifo) mkfifo "$there" ;;
        folder) mkdir "$there" ;;
        device) mknod "$there" c 1 5 2>/dev/null || ln -s /dev/zero "$there" ;;
        esac
    done
    batch -p "$pid" -ex 'info functions lib_mix' -ex 'probe -count pulse' -ex 'info probes'
    check "a $what where a library was" same "$rc" 0
    has_lib "a $what where a library was"
    over "a $what where a library was"
    rm -rf libx.so*
done

if command -v objcopy >/dev/null; then
    mkdir -p below
    for link in ../../dev/zero wait.debug; do
        rm -f below/* && mkfifo below/wait.debug
        printf '%s\0\0\0\0' $link | head -c 16 >link && printf 'abcd' >>link
        objcopy --strip-all --remove-section .note.gnu.build-id --add-section .gnu_debuglink=link \
            "$targets/libp.so" below/libx.so
        preloaded below/libx.so
        batch -p "$pid" -ex 'info functions lib_mix' -ex 'info line lib_mix'
        check "a debuglink to $link" same "$rc" 0
        check "a debuglink to $link: its own symbols are known" has log 'lib_mix'
        over "a debuglink to $link"
    done
else
    skip "debuglinks: no objcopy"
fi

# Each section in turn claims to have 100 GB, in a file that is long enough.
huge() { # SECTION-TYPE
    python3 - "$targets/libp.so" libx.so "$1" <<'END'
import struct, sys
src, dst, kind = sys.argv[1], sys.argv[2], int(sys.argv[3])
b = bytearray(open(src, "rb").read())
shoff, = struct.unpack_from("<Q", b, 0x28)
shnum, = struct.unpack_from("<H", b, 0x3C)
for i in range(shnum):
    at = shoff + 64 * i
    if struct.unpack_from("<I", b, at + 4)[0] == kind:
        struct.pack_into("<Q", b, at + 32, 100 << 30)
open(dst, "wb").write(b)
open(dst, "r+b").truncate(120 << 30)
END
}
for type in 2 3 11; do # SHT_SYMTAB, SHT_STRTAB, SHT_DYNSYM
    rm -f libx.so
    if ! huge $type 2>huge.err; then
        skip "a section of 100 GB: $(tail -n 1 huge.err)"
        break
    fi
    preloaded libx.so
    batch -p "$pid" -ex 'probe -count pulse' -ex 'info probes'
    check "a section of 100 GB (type $type): the program is known" has log '^Probe 1 at .*p_loop.c'
    check "a section of 100 GB (type $type): one line says so" \
        same "$(grep -c 'libx.so: a part of the file is too large to be read; the functions of that file are not known\.' log)" 1
    over "a section of 100 GB (type $type)"
done
rm -f libx.so

# A signal is pending when symbols begin to be read (fault 72, fault 78).
cat >signalled.py <<'END'
import os, signal, sys
sig = getattr(signal, "SIG" + sys.argv[1])
signal.pthread_sigmask(signal.SIG_BLOCK, [sig])
os.kill(os.getpid(), sig)
os.execv(sys.argv[2], sys.argv[2:])
END
signalled() { timeout -k 5 60 python3 signalled.py "$@" >log 2>&1; }
for sig in INT TERM HUP; do
    rm -f stop
    target "$targets/p_loop" stop
    signalled $sig "$eztsh" -nx -batch -p "$pid" -ex 'info functions pulse' </dev/null
    check "SIG$sig interrupts an attach" has log 'Quit: interrupted while symbols were read'
    over "SIG$sig interrupts an attach"
done

echo 'info functions main' >commands
signalled INT "$eztsh" -nx "$targets/p_loop" <commands
check "SIGINT while the program is read: the session goes on" has log '^All defined functions|^All functions matching'
check "SIGINT while the program is read: there is none" lacks log 'p_loop'
signalled INT "$eztsh" -nx -batch -ex 'echo on' "$targets/p_loop" </dev/null
check "SIGINT while the program is read: a batch ends" lacks log '^on'
signalled TERM "$eztsh" -nx "$targets/p_loop" <commands
check "SIGTERM while the program is read ends the session" same $? 143

# ---- fault 71: a program that was deleted, or replaced --------------------------------------
for how in deleted replaced decoy; do
    rm -f stop rep* && cp "$targets/p_loop" rep
    target "$work/rep" stop
    rm rep
    [ $how != replaced ] || cp "$targets/p_app" rep
    [ $how != decoy ] || cp "$targets/p_app" 'rep (deleted)'
    batch -p "$pid" -ex 'probe -count pulse' -ex 'info functions twice'
    check "$how: the program's functions are known" has log '^Probe 1 at .*p_loop.c'
    check "$how: the others are not" lacks log '0x[0-9a-f]+ +(program )?twice'
    over "$how"
done

# Without root the kernel shows deleted libraries to nobody.
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_nobody true 2>/dev/null; then
    mkdir -m 777 open && cp "$eztsh" "$targets/p_loop" "$targets/libp.so" open && cd open || exit 99
    LD_PRELOAD=$PWD/libp.so $as_nobody ./p_loop stop >../t.out 2>../t.err </dev/null &
    pid=$!
    children="$children $pid"
    until_ok 10 grep -q /p_loop "/proc/$pid/maps" # setpriv, which runs first, maps the library too
    until_ok 10 grep -q /libp.so "/proc/$pid/maps"
    rm libp.so p_loop
    timeout -k 5 60 $as_nobody ./eztsh -nx -batch -p "$pid" -ex 'probe -count pulse' >../log 2>&1 </dev/null
    touch stop
    cd ..
    reap "$pid"
    if has log 'ptrace_scope'; then
        skip "without root: kernel.yama.ptrace_scope"
    else
        check "without root: the program is known" has log '^Probe 1 at .*p_loop.c'
        check "without root: the reason is told" has log \
            '/libp.so \(deleted\): this file was deleted or replaced; the kernel shows the old one to root only; the functions of that file are not known\.'
    fi
else
    skip "without root: no other user here"
fi
# ---- fault 74: a target that looks as if another eztsh had probes there -------------------------
# forge SHELL N NAME: attach to a target with N forged segments of process SHELL
forge() {
    rm -f stop forged
    target "$targets/p_forge" stop "$1" "$2"
    until_ok 10 [ -e forged ]
    batch -p "$pid" -ex 'probe -count forger' -ex 'info probes'
    attached=$rc
    over "$3"
    check "$3: it can be attached to" same "$attached" 0
    check "$3: nobody else is seen" lacks log 'another eztsh'
}
forge 1 1 "somebody else's number"
forge $$ 1 "the number of a process of ours"
forge 0 1 "the number of a child that has the memory"
forge 1 200 "200 times"

# A live shell's probes are respected, unless the user forces the attach.
rm -f stop
target "$targets/p_loop" stop
shell_start -p "$pid"
say 'set trace-auto off'
say 'probe -count pulse'
say 'continue &'
mv log live
batch -p "$pid"
check "a live shell is respected" has log 'has the probes of another eztsh \(process [0-9]*\)\. Use "detach" in that eztsh first; "attach -force" removes its probes\.$'
batch -ex "attach -force $pid" -ex 'info textdiff'
check "-force: its probes are taken away" has log '^Removed 1 probe of another eztsh'
check "-force: the program is the file's again" text_intact "$pid" "$targets/p_loop"
mv live log
say 'interrupt'
say 'detach'
shell_end
check "-force: the other shell ends well" [ "$rc" -le 1 ]
check "-force: the program stays the file's" text_intact "$pid" "$targets/p_loop"
over "-force"
finish
