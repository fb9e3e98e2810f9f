#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# copies.sh - a library that a process has several times (dlmopen): each copy has its probes and its counts, whether it
# is there when the probe is planted, comes later, goes, or comes again; in the next run, too.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
cat >copied.c <<'END'
__attribute__((noinline)) int mix(int n) { __asm__ volatile(""); return n * 2; }
int many(int n) { int s = 0; for (int i = 0; i < n; i++) s += mix(i); return s; }
END
cat >copies.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static void *load(int apart)
{
    void *h = apart ? dlmopen(LM_ID_NEWLM, "./libcopied.so", RTLD_NOW) : dlopen("./libcopied.so", RTLD_NOW);
    if (!h) { puts(dlerror()); exit(77); }
    return h;
}
__attribute__((noinline)) void between(void) { __asm__ volatile(""); }
static void run(void *h, int n) { ((int (*)(int))dlsym(h, "many"))(n); }
int main(void)
{
    void *a = load(0), *b, *c, *d;
    run(a, 3);
    b = load(1);
    run(b, 5), run(a, 1);
    between();
    c = load(1);
    run(c, 7), run(b, 1);
    dlclose(b);
    d = load(1);
    run(d, 100), run(c, 1), run(a, 20);
    return 0;
}
END
$cc -O1 -shared -fPIC -o libcopied.so copied.c && $cc -o copies copies.c -ldl || exit 99
./copies || { skip "copies: this C library has no dlmopen"; finish; }
calls() { awk '$2 == "both" && $7 == "mix" { print $6 }' log | sort -n | xargs; }
counted() { # TITLE CALLS COMMAND...: the calls of mix by probe, the smallest first
    title=$1 want=$2
    shift 2
    batch -ex 'set trace-auto off' "$@" -ex 'info probes' ./copies
    check "$title" same "$(calls)" "$want"
}
# a: 3 + 1 + 20; b: 5 + 1, and d, which takes its place: 100; c: 7 + 1
counted 'loaded later' '8 24 106' -ex 'probe -count libcopied.so:mix' -ex run
counted 'in the next run' '8 24 106' -ex 'probe -count libcopied.so:mix' -ex 'run >first' -ex run
counted 'by a rule' '8 24 106' -ex 'probe -count -r libcopied.so:^mix$' -ex run
counted 'by a rule, in the next run' '8 24 106' -ex 'probe -count -r libcopied.so:^mix$' -ex 'run >first' -ex run
# From `between` on: a: 20; b and d: 1 + 100; c: 8
counted 'two are there' '8 20 101' -ex 'break between' -ex run -ex 'probe -count mix' -ex continue
check 'two are there: that is said' has log '^"mix" names 2 functions; each has a probe\.$'
counted 'two are there, by a rule' '8 20 101' -ex 'break between' -ex run -ex 'probe -count -r libcopied.so:^mix$' -ex continue
counted 'two are there, then all come' '8 24 106' -ex 'break between' -ex run -ex 'probe -count mix' -ex continue -ex 'delete 1' \
    -ex 'run >first'
counted 'a condition goes along' '1 14 94' -ex 'probe -count libcopied.so:mix if $arg0 > 5' -ex run
counted 'the same probe twice' '8 8 24 24 106 106' -ex 'probe -count libcopied.so:mix' -ex 'probe -count libcopied.so:mix' -ex run
batch -ex 'probe libcopied.so:mix' -ex run ./copies
check 'recorded: no event is lost' has log ' 276 hits = 276 recorded'
counted 'two that ask for different things' '1 8 14 24 94 106' -ex 'probe -count libcopied.so:mix' \
    -ex 'probe -count libcopied.so:mix if $arg0 > 5' -ex run
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
batch -p "$pid" -ex 'set trace-auto off' -ex 'probe -count mix' -ex 'detach -keep'
shell_start -p "$pid"
say 'set trace-auto off'
say 'continue &'
printf l >&9
until_ok 20 rounds 2
counts_now() { say 'info probes' && tail -n 8 log | awk '$2 == "both" { print $6 }' | sort -n | xargs; }
check 'kept in two copies: taken over, and a third one comes' same "$(counts_now)" '0 2 3'
shell_end
exec 9>&-
reap "$pid"
check 'the program goes on' same "$trc" 0
finish
