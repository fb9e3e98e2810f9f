#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# copies.sh - a library that a process has several times (dlmopen): each copy has its probes and its counts, whether it
# is there when the probe is planted, comes later, goes, or comes again; in the next run, too.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
cat >copied.c <<'END'
__attribute__((noinline)) int mix(int n) { __asm__ volatile(""); return n * 2; }
int many(int n) { int s = 0; for (int i = 0; i < n; i++) s += mix(i); return s; }
#ifdef IFUNC
static int chosen_here(int n) { __asm__ volatile(""); return n + 1; }
static void *choose(void) { return chosen_here; }
int chosen(int) __attribute__((ifunc("choose")));
int choices(int n) { int s = 0; for (int i = 0; i < n; i++) s += chosen(i); return s; }
#endif
END
# Its arguments: D, L = load the library, in a namespace of its own (L, or L./FILE); rN,M = M calls of mix in the Nth one,
# iN,M = of chosen; cN = close it; b = call between().
cat >copies.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void between(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
    void *h[20];
    int n = 0, of, times;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *file = a[1] == '.' ? a + 1 : "./libcopied.so";
        if (*a == 'D' || *a == 'L') {
            h[n] = *a == 'L' ? dlmopen(LM_ID_NEWLM, file, RTLD_NOW) : dlopen(file, RTLD_NOW);
            if (!h[n++]) { puts(dlerror()); return 77; }
        } else if (sscanf(a + 1, "%d,%d", &of, &times) == 2) {
            ((int (*)(int))dlsym(h[of], *a == 'r' ? "many" : "choices"))(times);
        } else if (*a == 'c') {
            dlclose(h[atoi(a + 1)]);
        } else {
            between();
        }
    }
    return 0;
}
END
build() { $cc -O1 -shared -fPIC "$@" -o libcopied.so copied.c; }
build -DIFUNC 2>made && ifunc=true || { ifunc=false; build || exit 99; }
$cc -O1 -o copies copies.c -ldl || exit 99
./copies D r0,1 L r1,1 || { skip "copies: this C library has no dlmopen"; finish; }
calls() { awk '$2 == "both" && ($7 == "mix" || $7 == "chosen" || $7 == "chosen_here") { print $6 }' log | sort -n | xargs; }
counted() { # TITLE CALLS COMMAND...: the calls by probe, the smallest first
    title=$1 want=$2
    shift 2
    batch -ex 'set trace-auto off' "$@" -ex 'info probes' ./copies
    check "$title" same "$(calls)" "$want"
}
all='run D r0,3 L r1,5 r0,1 b L r2,7 r1,1 c1 L r3,100 r2,1 r0,20' # b goes, and d takes its place
counted 'loaded later' '8 24 106' -ex 'probe -count libcopied.so:mix' -ex "$all"
counted 'in the next run' '8 24 106' -ex 'probe -count libcopied.so:mix' -ex "$all" -ex run
counted 'by a rule' '8 24 106' -ex 'probe -count -r libcopied.so:^mix$' -ex "$all"
counted 'by a rule, in the next run' '8 24 106' -ex 'probe -count -r libcopied.so:^mix$' -ex "$all" -ex run
counted 'by two rules' '1 8 14 24 94 106' -ex 'probe -count -r libcopied.so:^mix$' -ex 'probe -count -r libcopied.so:^mix$ if $arg0 > 5' -ex "$all"
counted 'by a rule and a name' '8 8 24 24 106 106' -ex 'probe -count -r libcopied.so:mix' -ex 'probe -count libcopied.so:mix' -ex "$all"
counted 'two are there' '8 20 101' -ex 'break between' -ex "$all" -ex 'probe -count mix' -ex continue
check 'two are there: that is said' has log '^"mix" names 2 functions; each has a probe\.$'
counted 'two are there, by a rule' '8 20 101' -ex 'break between' -ex "$all" -ex 'probe -count -r libcopied.so:^mix$' -ex continue
counted 'two are there, then all come' '8 24 106' -ex 'break between' -ex "$all" -ex 'probe -count mix' -ex continue -ex 'delete 1' \
    -ex run
counted 'a condition goes along' '1 14 94' -ex 'probe -count libcopied.so:mix if $arg0 > 5' -ex "$all"
counted 'the same probe twice' '8 8 24 24 106 106' -ex 'probe -count libcopied.so:mix' -ex 'probe -count libcopied.so:mix' -ex "$all"
counted 'two that ask for different things' '1 8 14 24 94 106' -ex 'probe -count libcopied.so:mix' \
    -ex 'probe -count libcopied.so:mix if $arg0 > 5' -ex "$all"
counted 'what is deleted stays away' '3 7' -ex 'probe -count libcopied.so:mix' -ex 'break between' -ex 'run D r0,3 L r1,5 b L r1,1 r2,7' \
    -ex 'delete 3' -ex continue
counted 'what is disabled keeps its place' '0 3' -ex 'probe -count libcopied.so:mix' -ex 'run D r0,3 L r1,5' -ex 'disable 1' -ex run
counted 'and gets it back' '3 5' -ex 'probe -count libcopied.so:mix' -ex 'run D r0,3 L r1,5' -ex 'disable 1' -ex run -ex 'enable 1' -ex run
if $ifunc; then
    counted 'an IFUNC by a rule, in each run once' 4 -ex 'probe -count -r libcopied.so:^chosen$' -ex 'run D i0,4' -ex run -ex run
    counted 'an IFUNC in copies' '1 7 100' -ex 'break between' -ex 'run D i0,3 L i1,5 b i0,1 L i2,7 c1 L i3,100' \
        -ex 'probe -count -r libcopied.so:^chosen$' -ex continue
fi
ln libcopied.so libhard.so
counted 'two names of a file are two libraries' '3 7 9' -ex 'probe -count libhard.so:mix' -ex 'probe -count libcopied.so:mix' \
    -ex 'run D r0,3 L r1,7 L./libhard.so r2,9'
batch -ex 'probe libcopied.so:mix' -ex "$all" ./copies
check 'recorded: no event is lost' has log ' 276 hits = 276 recorded'
batch -ex 'set trace-auto off' -ex 'probe -count libcopied.so:mix' -ex "$all" -ex 'save probes saved' ./copies
check 'one is saved' same "$(cat saved)" 'probe -count libcopied.so:mix'
cp libcopied.so libfirst.so
sed -i 's/many(int n)/zz(int a) { return a * 3; } int many(int n)/' copied.c
build -DIFUNC 2>made || build
cp libcopied.so libnew.so
cp libfirst.so libcopied.so
counted 'a library that is built anew' '3 5 7' -ex 'probe -count libcopied.so:mix' -ex 'run D r0,3 L r1,5 L r2,7' \
    -ex 'shell rm libcopied.so; cp libnew.so libcopied.so' -ex run
# A next shell takes over the probes of both copies as one family: it makes none twice.
cat >kept.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    void *a = dlopen("./libcopied.so", RTLD_NOW), *b = dlmopen(LM_ID_NEWLM, "./libcopied.so", RTLD_NOW);
    int (*f)(int) = (int (*)(int))dlsym(a, "many"), (*g)(int) = (int (*)(int))dlsym(b, "many");
    int in = open("in", O_RDONLY);
    for (char c; read(in, &c, 1) == 1;) {
        if (c == 'l')
            dlmopen(LM_ID_NEWLM, "./libcopied.so", RTLD_NOW);
        f(2), g(3);
        write(1, &c, 1);
    }
    return 0;
}
END
$cc -O1 -w -o kept kept.c -ldl || exit 99
mkfifo in
target ./kept
exec 9>in
rounds() { [ "$(wc -c <t.out)" -ge "$1" ]; }
echo >&9
until_ok 20 rounds 1
batch -p "$pid" -ex 'set trace-auto off' -ex 'probe -count mix' -ex 'probe -count -r libcopied.so:^mix$' \
    -ex 'probe exit -count -r libcopied.so:^mix$' -ex 'probe -count mix' -ex 'disable 7 8' -ex 'detach -keep'
shell_start -p "$pid"
say 'set trace-auto off'
say 'continue &'
printf l >&9
until_ok 20 rounds 2
counts_now() { say 'info probes' && sed -n '/^Num/h; /^Num/!H; ${x; p}' log | awk '$2 == "both" { print $6 }' | sort -n | xargs; }
check 'kept in two copies: taken over with two rules, and a third one comes' same "$(counts_now)" '0 0 0 0 2 2 3 3'
say 'enable 7 8'
printf x >&9
until_ok 20 rounds 3
check 'kept: what was disabled goes back to its copies' same "$(counts_now)" '0 0 2 3 4 4 6 6'
shell_end
exec 9>&-
reap "$pid"
check 'the program goes on' same "$trc" 0
finish
