#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_strategy.sh - each strategy, forced: same output, exact counts, text given back. Traps in
# the foreground, in the background, without a shell.
. "${top_srcdir:-.}/tests/lib.sh"

planted_by() { # TEXT: how many, of the last `info coverage`
    awk -v t="$1" '$2 == "planted:" && index($0, t) { n = $1 } END { print n + 0 }' log
}
foreign() { sed -n 's/.* bytes differ, \([0-9]*\) of them foreign\.$/\1/p' log | tail -n 1; }

# by_strategy HOW TEXT LEAST: probes every function that strategy HOW can serve, at least LEAST;
# `info coverage` calls it TEXT
by_strategy() {
    native "$targets/prologue"
    for mode in -count -record; do
        {
            printf 'set strategy %s\nset args >t.out 2>t.err </dev/null\nstart\n' "$1"
            printf 'probe %s -r .\ninfo coverage\ninfo textdiff\ncontinue\ninfo probes\ninfo trace\n' $mode
        } >script.ezt
        shell_run "$targets/prologue"
        same "strategy $1 $mode"
        counts "strategy $1 $mode: counts"
        ledger "strategy $1 $mode: ledger"
        rm -f traces/*
    done
    n=$(planted_by "$2")
    [ "$n" -ge "$3" ] && pass "strategy $1: $n functions" || fail "strategy $1: $n functions" log
    [ "$(foreign)" = 0 ] && pass "strategy $1: every changed byte is a probe's" ||
        fail "strategy $1: $(foreign) foreign bytes" log
}
by_strategy jump "(S1)" 60
by_strategy island "(S3)" 60
by_strategy pun "(S4)" 40
by_strategy trap "(S5)" 70
by_strategy auto "(S4)" 2

# Text is given back, byte by byte, and other strategies are planted on the same functions.
native "$targets/prologue"
{
    printf 'set trace-auto off\nset args >t.out 2>t.err </dev/null\nstart\n'
    for how in island pun trap auto jump island; do
        printf 'set strategy %s\nprobe -count -r .\ndisable\nenable\ndelete\ninfo textdiff\n' $how
    done
    printf 'set strategy auto\nprobe -count -r .\ncontinue\ninfo probes\n'
} >script.ezt
shell_run "$targets/prologue"
same "strategies one after the other"
counts "strategies one after the other: counts"
n=$(grep -c ' differ, 0 of them foreign' log) # the loader's rendezvous differs: a hook
[ "$n" = 6 ] && ! grep -q '^0x.* probe ' log && pass "all strategies give text back" ||
    fail "text given back $n times of 6" log

# The neighbour on which a function depends has another strategy in between.
native "$targets/prologue"
printf 'set trace-auto off\nset args >t.out 2>t.err </dev/null\nstart\nprobe -count tight_1\ndelete\nset strategy island\nprobe -count next_1\ndelete\nset strategy auto\nprobe -count tight_1\nprobe -count next_1\ncontinue\ninfo probes\n' >script.ezt
shell_run "$targets/prologue"
same "the second of two puns was an island meanwhile"
counts "the second of two puns was an island meanwhile: counts"

# A pun over one instruction leads below the program, at its low address; one over two has
# one place more to lead to: there, at 0x7e000000 and something.
cat >low.c <<'END'
__asm__(".pushsection .text\n.fill 300,1,0xf8\n.globl low\n.type low,@function\nlow: xor %eax,%eax\n"
        "nop\nret\n.size low,.-low\n.byte 0xf8,0xf8,0x7e\n.fill 300,1,0xf8\n.popsection");
int low(void);
int main(void)
{
    int n = 0;
    for (int i = 0; i < 1000; i++)
        n += 1 + low();
    return n != 1000;
}
END
gcc -O1 -no-pie low.c -o low
printf 'set disable-randomization on\nset trace-auto off\nstart\nprobe -count low\ninfo coverage\ncontinue\ninfo probes\n' >script.ezt
shell_run ./low
nofail "a pun over two instructions" [ "$(planted_by "(S4)") $(hits low) $(cat t.rc)" = "1 1000 0" ]

# Results in floating point, caller-saved registers kept by the compiler (IPA-RA).
floats() { # STRATEGY [STEPS]: a breakpoint takes microseconds
    how=$1
    shift
    native "$targets/md" "$@"
    probed "set trace-auto off
set strategy $how
probe -count -r ." "$targets/md" "$@"
    same "strategy $how: floating point"
}
floats island
floats pun
floats trap 4

# The target is not traced: the runtime handles the breakpoint.
native "$targets/prologue"
{
    printf 'set trace-auto off\nset strategy trap\nset args >t.out 2>t.err </dev/null\nstart\n'
    printf 'probe -count -r .\ncontinue &\nwait\ninfo probes\n'
} >script.ezt
shell_run "$targets/prologue"
same "traps in the background"
counts "traps in the background: counts"

# The program has its own handler of SIGTRAP, which gets the traps that are not ours.
rm -f stop ready
"$targets/faults" stop ready >t.out 2>t.err </dev/null &
pid=$!
children=$pid
until [ -e ready ]; do kill -0 $pid || break; done
printf 'set trace-auto off\nset strategy trap\nattach %s\nprobe -count one_name\ncontinue &\nshell for i in $(seq 3000); do :; done; for i in $(seq 30); do ls / >/dev/null; done\ninfo probes\ndetach\n' $pid >script.ezt
shell_run
touch stop
wait $pid
[ $? = 24 ] && grep -qx 'all its traps, wrong 0' t.out && [ "$(awk '$1 == 1 { print $6 }' log)" -gt 100 ] &&
    pass "a program with traps of its own" || fail "a program with traps of its own" t.out log
children=
rm -f stop ready
"$targets/md" 2 stop ready >t.out 2>t.err </dev/null &
pid=$!
children=$pid
until [ -e ready ]; do kill -0 $pid || break; done
printf 'set trace-auto off\nset strategy trap\nattach %s\nprobe -count move\n!grep SigCgt /proc/%s/status\ndetach\n!grep SigCgt /proc/%s/status\n' $pid $pid $pid >script.ezt
shell_run
caught=$(awk '$1 == "SigCgt:" { print substr($2, 15, 2) }' log | tr '\n' ' ')
[ "$caught" = "10 00 " ] && pass "SIGTRAP is handled while traps are planted, and not afterwards" ||
    fail "SIGTRAP is handled while traps are planted, and not afterwards: $caught" log
touch stop
wait $pid
[ $? = 12 ] && grep -qx 'wrong 0' t.out && pass "results of a program that had traps" ||
    fail "results of a program that had traps" t.out t.err log
children=

# --trap only where nothing else can stand; without it such a function is refused.
printf 'set trace-auto off\nstart\nset strategy jump\nprobe -count tight_1\nset strategy auto\nprobe -count --trap plain_1 tight_1 syscall_first\ninfo probes\nwhy tight_1\n' >script.ezt
shell_feed "$targets/prologue"
grep -q '^Cannot probe tight_1: too short: 1 byte' log && pass "no trap unless asked for" ||
    fail "no trap unless asked for" log
grep -q 'Cannot probe syscall_first: a system call' log && pass "a system call bears no trap either" ||
    fail "a system call bears no trap either" log

# An island stands in the padding that a probe at an address would take; in either order, and at
# once.
at='*has_room+8'
refused_once() { # WHAT
    [ "$(grep -c 'Cannot probe .*: overlaps the probe at\|refused: 1 overlaps the probe;' log)" = 1 ] && cmp -s n.out t.out &&
        pass "$1: the second is refused" || fail "$1: the second is refused" log
}
native "$targets/prologue"
island='set strategy island\nprobe -count needs_island\nset strategy auto'
for script in "$island\nprobe entry -count $at" "probe entry -count $at\n$island" \
    "begin\n$island\nprobe entry -count $at\ncommit"; do
    printf 'set trace-auto off\nset args >t.out 2>t.err </dev/null\nstart\n%b\ncontinue\n' "$script" >script.ezt
    shell_feed "$targets/prologue"
    refused_once "an island and a probe on one padding"
done

# Another process changes the host's bytes, to others that do the same.
cat >poke.sh <<'END'
pid=$(cat pid)
base=$(sed -n '1s/-.*//p' /proc/$pid/maps)
addr=$(nm "$1" | sed -n 's/^\([0-9a-f]*\) . makes_room$/\1/p')
printf '\110\213\307' | dd of=/proc/$pid/mem bs=1 seek=$((0x$base + 0x$addr)) conv=notrunc 2>/dev/null
END
native "$targets/prologue"
printf 'set trace-auto off\nset args $(echo $$ >pid) >t.out 2>t.err </dev/null\nstart\nwhy guest\n!sh poke.sh "%s"\nprobe -count guest\nprobe -count guest\ninfo textdiff\ncontinue\n' "$targets/prologue" >script.ezt
shell_feed "$targets/prologue"
[ "$(grep -c 'Cannot probe guest: the target changed these bytes' log)" = 2 ] && [ "$(foreign)" = 2 ] &&
    cmp -s n.out t.out && pass "no island in a host that was changed" || fail "no island in a host that was changed" log

# Plant and remove while threads run through the functions, are born and end.
for how in island pun trap auto; do
    rm -f stop ready
    "$targets/births" stop ready >t.out 2>t.err </dev/null &
    pid=$!
    children=$pid
    until [ -e ready ]; do kill -0 $pid || break; done
    {
        printf 'set trace-auto off\nset strategy %s\nattach %s\ncontinue &\n' $how $pid
        i=0
        while [ $i -lt 25 ]; do
            printf 'probe -count -r .\ndelete\n'
            i=$((i + 1))
        done
        printf 'info textdiff\ndetach\n'
    } >script.ezt
    shell_run
    [ "$(foreign)" = 0 ] && pass "strategy $how: text given back after 25 cycles" ||
        fail "strategy $how: text given back after 25 cycles" log
    touch stop
    wait $pid
    [ $? = 40 ] && pass "strategy $how: 25 cycles on running threads" ||
        fail "strategy $how: 25 cycles on running threads" t.err log
    children=
done
finish
