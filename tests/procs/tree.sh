#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tree.sh - set follow-fork-mode all: a program and all its children, each with the probes of the others and a trace of its
# own: forks, vforks, execs, shells, make; counts are exact, and the programs do what they do alone.
. "${top_srcdir:-.}/tests/lib.sh"
command -v "${CC:-cc}" >/dev/null || { skip "tree: no compiler"; finish; }
cat >tree.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int tick(int n) { __asm__ volatile(""); return n + 1; }
/* tree N DEPTH [exec|vfork]: N children of each process, DEPTH levels deep; each calls tick 100 times */
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), depth = atoi(argv[2]), t = 0, bad = 0, status;
    const char *how = argc > 3 ? argv[3] : "";
    char below[16];
    snprintf(below, sizeof below, "%d", depth - 1);
    for (int i = 0; i < n && depth > 0; i++) {
        pid_t p = strcmp(how, "vfork") ? fork() : vfork();
        if (p < 0) return 9;
        if (!p && *how) { execl(argv[0], argv[0], argv[1], below, how, (char *)0); _exit(8); }
        if (!p) { depth--; i = -1; }
    }
    for (int i = 0; i < 100; i++) t = tick(t);
    while (wait(&status) > 0) bad |= status;
    if (t == 100 && !bad) printf("right\n");
    fflush(stdout);
    return bad ? 1 : 0;
}
END
${CC:-cc} -g -O1 -o tree tree.c || { fail "tree.c does not compile"; finish; }
batch() { # EZTSH-ARG...: in log
    rm -f traces/*.fxt
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'set follow-fork-mode all' "$@" >log 2>&1 </dev/null
    rc=$?
}
has() { grep -qE "$1" log; }
check() { name=$1; shift; if "$@"; then pass "$name"; else fail "$name" log; fi; }
same() { [ "$1" = "$2" ]; }

for how in "" exec vfork; do
    for shape in "3 1" "2 3" "20 1"; do
        n=${shape% *} depth=${shape#* }
        all=1 level=1
        for i in $(seq "$depth"); do level=$((level * n)) all=$((all + level)); done
        batch -ex 'probe tick' -ex "run $shape $how >t.out" -ex 'info inferiors' -ex 'stats -by process' ./tree
        label="${how:-fork}, $n children, $depth deep"
        check "$label: every process is right" same "$(grep -c right t.out)" $all
        check "$label: all $all belong to the session" same "$(grep -cE '^\*? +[0-9]+ +process [0-9]+ +exited' log)" $all
        check "$label: exact" has "^\[1-$all\] $((all * 200)) hits = $((all * 200)) recorded"
        check "$label: each has a trace of its own" test "$(ls traces/*.fxt | wc -l)" -ge $all
        check "$label: one picture of all" has "^$((all * 200)) events in .*, $all threads\."
    done
done

# A shell script, and make with jobs: what forks are not ours.
batch -ex 'probe tick' -ex 'run -c "./tree 1 0; (./tree 1 0); ./tree 1 0 | cat" >t.out' /bin/sh
check "a shell script: its programs are right" same "$(grep -c right t.out)" 3
check "a shell script: exact" has ' 600 hits = 600 recorded'
if command -v make >/dev/null; then
    printf 'all: a b c d e ; @true\n%%:\n\t@./tree 1 1; sh -c "./tree 1 0; ./tree 1 0"\nMakefile: ;\n' >Makefile
    batch -ex 'probe tick' -ex 'run -j4 >t.out' "$(command -v make)"
    check "make -j4: its programs are right" same "$(grep -c right t.out)" 20
    check "make -j4: exact" has ' 4000 hits = 4000 recorded'
fi

# Rules: conditions, modules' kin and later commands hold for children, too.
batch -ex 'probe tick if n < 10' -ex 'count tick' -ex 'run 3 1 >t.out' -ex 'info aggregates' ./tree
check "rules: conditions hold in children" has ' recorded \+ '
check "rules: recorded are those that pass" has '^\[1-4\] .* hits = 80 recorded'
batch -ex 'start 3 1 >t.out' -ex 'probe tick' -ex continue -ex 'inferior 1' -ex 'info probes' -ex 'inferior 9' ./tree
check "start: it stands before main" has '^\[1-4\] 800 hits|800 hits = 800 recorded'
check "inferior: one of them" has '^\[Switching to inferior 1 \(process [0-9]+\)'
check "inferior: one that is not there" has '^Inferior ID 9 not known\.'

# The status is the program's; signals go to the program.
printf '#!/bin/sh\n./tree 1 0 >/dev/null; exit 7\n' >seven
chmod +x seven
timeout -k 5 $limit "$eztsh" -nx -batch -return-child-result -ex 'set follow-fork-mode all' -ex 'run ./seven' /bin/sh >log 2>&1 </dev/null
check "the status is the program's" same $? 7

# Too late: the process is alone already.
for how in 'set follow-fork-mode all' 'set detach-on-fork off'; do
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'start 1 1 >t.out' -ex "$how" -ex continue ./tree >log 2>&1 </dev/null
    check "$how: refused behind start" has '^Process [0-9]+ was started without "set follow-fork-mode all", so its children cannot be followed\.'
    timeout -k 5 $limit "$eztsh" -nx -batch -ex "$how" -ex 'start 1 1 >t.out' -ex 'info inferiors' ./tree >log 2>&1 </dev/null
    check "$how: accepted before it" has '^\* +1 +process '
done

# Attached to.
cat >loop.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int tick(int n) { __asm__ volatile(""); return n + 1; }
int main(void)
{
    while (!access("run", F_OK)) {
        pid_t p = fork();
        if (!p) { for (int i = 0; i < 50; i++) tick(i); _exit(0); }
        waitpid(p, 0, 0);
        usleep(20000);
    }
    puts("right");
    return 0;
}
END
${CC:-cc} -g -O1 -o loop loop.c
: >run
./loop >t.out &
pid=$!
children="$children $pid"
batch -ex "attach $pid" -ex 'probe tick' -ex 'continue &' -ex 'shell sleep 1' -ex 'info inferiors' -ex 'job detach'
check "attach: children that come later belong to the session" has '^\*? +2 +process [0-9]+ '
check "attach: what they did is exact" sh -c '[ "$(sed -n "s/.* hits = \([0-9]*\) recorded.*/\1/p" log | awk "{ n += \$1 } END { print n % 100 }")" = 0 ]'
rm run
wait $pid
check "attach: it goes on, and ends right" same "$(cat t.out)" right
finish
