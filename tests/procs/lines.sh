#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lines.sh - FILE:LINE is the function that the line is in, FILE:FUNC the function of that
# file; for each version of DWARF, compressed or not, and by clang.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
cat >adj.c <<'END'
static volatile int sum;
/* in no function */
__attribute__((noinline)) int
compute(int n)
{
    sum += n;
    sum ^= 3;

    return sum;
}
KEEP static int same(int n) { return sum += n; }
static inline __attribute__((always_inline)) void tiny(int n)
{
    sum -= n;
    sum += 7;
}
int other(int);
__attribute__((noinline)) int user(int n)
{
    tiny(n);
    return n;
}
/* after it */
int main(void)
{
    for (int i = 0; i < 5; i++)
        compute(i);
    return user(same(1) & other(2) & 0);
}
END
mkdir sub
cat >sub/adj2.c <<'END'
extern int none;
static int volatile sum;
KEEP static int same(int n) { return sum += n * 3; }
int other(int n)
{
    return same(n) + same(n);
}
END

keep=noipa
# one NAME CC FLAG...
one() {
    how=$1
    shift
    rm -f app
    if ! "$@" -g "-DKEEP=__attribute__((noinline, $keep))" -o app adj.c sub/adj2.c >cc.err 2>&1; then
        skip "$how: $(tail -n 1 cc.err)"
        return
    fi
    batch -ex 'set trace-auto off' -ex 'probe -count adj.c:7' -ex 'probe -count adj.c:4' \
        -ex 'probe -count adj2.c:3' -ex 'probe -count sub/adj2.c:6' -ex 'probe -count adj.c:same' \
        -ex 'probe -count adj2.c:same' -ex 'probe -count adj.c:11' -ex run -ex 'info probes' ./app
    check "$how: what the lines are in" same \
        "$(awk '$2 == "both" { printf "%s=%s ", $7, $6 }' log)" \
        "compute=5 compute=5 same=2 other=1 same=1 same=2 same=1 "
    batch -ex 'probe -count adj.c:15' -ex 'info probes' ./app
    check "$how: an inlined one" has log '^Probe 1 at .* line [0-9]+\.$'
    check "$how: an inlined one's function" same "$(awk '$2 == "both" { print $7 }' log)" user
    check "$how: an inlined one, it is said" \
        has log '^Note: line 15 of ".*adj.c" belongs to tiny, inlined into user, which has the probe\.$'
    batch -ex 'info line adj.c:7' -ex 'info line adj.c:8' -ex 'info line adj.c:15' ./app
    check "$how: info line" has log '^Line 7 of ".*adj.c" starts at address 0x[0-9a-f]+ <compute\+[0-9]+> and ends at 0x[0-9a-f]+ <compute\+[0-9]+>\.$'
    check "$how: info line of an empty one" has log '^Line 8 of ".*adj.c" is at address 0x[0-9a-f]+ <compute\+[0-9]+> but contains no code\.$'
    check "$how: info line of an inlined one" has log '^The line belongs to tiny, inlined into user\.$'
    batch -ex 'probe tiny' -ex 'probe nosuch' ./app
    check "$how: inlined everywhere" has log \
        '^Note: tiny is inlined everywhere: into user\. See "probe -inline"\.$'
    check "$how: nothing of that name" same "$(grep -c '^Note:' log)" 1
    batch -ex start -ex 'why tiny' ./app
    check "$how: why one that is inlined everywhere" has log \
        '^Function "tiny" not defined\. The function is inlined everywhere: into user\.'
    batch -ex 'break tiny' -ex 'tbreak tiny if 1' ./app
    check "$how: no breakpoint on one either, nor a wait for a library" same \
        "$(grep -c '^Function "tiny" not defined\. The function is inlined everywhere: into user\.$' log)" 2
    for line in 2 23; do
        batch -ex "probe adj.c:$line" ./app
        check "$how: line $line is in no function" has log "^No function contains line $line of \"adj.c\"\\."
        check "$how: line $line gets no probe" lacks log '^Probe'
    done
    batch -ex 'probe adj.c:9999' -ex 'probe nosuch.c:3' ./app
    check "$how: beyond the file" has log '^No function contains line 9999 of "adj.c"'
    check "$how: no such file" has log '^Probe 1 \(nosuch.c:3\) pending: No source file named nosuch.c\.'
}
for v in 2 3 4 5; do one "DWARF $v" $cc -O1 -gdwarf-$v; done
one "-O0" $cc -O0
one "-O2" $cc -O2
one "compressed" $cc -O1 -gz
one "no PIE" $cc -O1 -no-pie
one "full paths" $cc -O1 "-fdebug-prefix-map=$PWD=/build/here"
keep=optnone
if command -v clang >/dev/null; then
    one "clang, DWARF 4" clang -O1 -gdwarf-4
    one "clang, DWARF 5" clang -O1 -gdwarf-5
else
    skip "clang: there is none here"
fi

# a function that is inlined, and has code of its own too
cat >both.c <<'END'
static volatile int sum;
__attribute__((always_inline)) inline void twice(int n)
{
    sum += n;
}
extern void twice(int);
void (*volatile out)(int) = twice;
__attribute__((noinline)) void user(int n) { twice(n); }
int main(void)
{
    user(1);
    out(2);
    return 0;
}
END
$cc -O1 -g -o app both.c || exit 99
batch -ex 'set trace-auto off' -ex 'probe -count both.c:4' -ex run -ex 'info probes' ./app
check "inlined, and its own: the latter has the probe" same \
    "$(awk '$2 == "both" { printf "%s=%s ", $7, $6 }' log)" "twice=1 "
check "inlined, and its own: it is said" \
    has log '^Note: twice is inlined into 1 other function, where its calls are not counted\.$'

# A function of clang whose table marks the end of a prologue at its first instruction, right behind another function's
# end: newer clangs write no row for its declaration where the first statement is inlined.
if command -v clang >/dev/null; then
    cat >marked.c <<'END'
static volatile int sink;
__attribute__((noinline)) void first(int n)
{
    sink = n;
}
__attribute__((noinline)) void second(int n)
{
    sink = n; /* its first line */
    sink = n + 1;
}
int main(int argc, char **argv)
{
    first(argc);
    second(argc);
    return 0;
}
END
    clang -g -Oz -ffunction-sections -falign-functions=1 -S marked.c -o all.s &&
        awk '/^second:/ { seen = 1 } seen && /\.loc/ { seen = 0; if (!/prologue_end/) next } { print }' all.s >marked.s &&
        clang marked.s -o marked || exit 99
    batch -ex 'tbreak second' -ex run ./marked
    check "clang marks the end of a prologue: there" has log '^8[[:space:]]*sink = n; /\* its first line'
fi

# The number of a line is not cut to 32 bits.
$cc -g -O0 -DKEEP= -o app adj.c sub/adj2.c || exit 99
for command in 'list 4294967298' 'list 4294967297,4294967299' 'list 2,+4294967297' 'list adj.c:4294967298' 'break adj.c:4294967303' \
    'tbreak 4294967303' 'probe adj.c:4294967303' 'until 99999999999999999999'; do
    batch -ex start -ex "$command" ./app
    check "$command: out of range" has log '^Line number [49][0-9]* is out of range\.$'
done
batch -ex 'info line adj.c:4294967303' ./app
check 'info line, too' has log '^Line number 4294967303 is out of range for "adj.c"\.$'
batch -ex 'print 1' -ex 'print $99999999999999999999' ./app
check 'the history, too' has log '^History has not yet reached \$99999999999999999999\.$'
finish
