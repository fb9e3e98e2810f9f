#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# breaks.sh - breakpoints that wait for a library, and stop where gdb's do: in its constructor, each time that it
# is loaded, with and without probes; that stop a program in the background; a shell that is killed while they wait.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_moving.c" .
gcc -std=gnu11 -g -O0 -pthread t_moving.c -o moving0 || exit 1
. "$sources/../procs/stops.sh"

# ---- libraries that come later -------------------------------------------------------------------
cat >t_moving_late.c <<'END'
static int made;
__attribute__((constructor)) static void begins(void)
{
    made = 1;
}
int late(int n)
{
    int twice = 2 * n;
    return twice + made;
}
END
cat >t_moving_loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int r = 0, rounds = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < rounds; i++) {
        void *h = dlopen("./liblate.so", RTLD_NOW);
        int (*f)(int) = (int (*)(int))dlsym(h, "late");
        r = f(i);
        dlclose(h);
    }
    puts("done");
    printf("r %d\n", r);
    return r == 2 * rounds - 1 ? 7 : 1;
}
END
gcc -g -O0 -shared -fPIC t_moving_late.c -o liblate.so || exit 1
gcc -g -O0 t_moving_loads.c -o loads || exit 1
cat >later <<'EOF'
set breakpoint pending on
break late
tbreak t_moving_late.c:4
run
next
continue
next
finish
continue
disable 1
break t_moving_late.c:8 if n == 2
continue
finish
next
EOF
compare 'a library that comes later' ./loads later 8
compare 'a library that comes later, probes' ./loads later 8 'probe late' 'probe begins'
batch -return-child-result -x ours.ezt -ex delete -ex continue ./loads
check 'a library that comes later: the program ends right' same $rc 7
check 'it says that it waits' has log '^Breakpoint [0-9]+ \(late\) pending'

batch -ex 'break puts' -ex 'info breakpoints' -ex run -ex 'info breakpoints' -ex continue ./loads
check "a function of a library that the program calls: before it runs, the PLT's entry" \
    has log '^1 .*0x[0-9a-f]+ <puts@plt>'
check 'it stops in the library' has log '^Breakpoint 1, .*puts'
check 'and is there' has log '^1 .* in (__GI_)?(_IO_)?puts|^1 .* <(_IO_)?puts'
batch -ex 'break late' -ex 'break none.c:3' -ex 'info breakpoints' ./loads
check 'without a user it is an error' has log '^Function "late" not defined\. "set breakpoint pending on"'
check 'a file that is not there' has log '^No source file named none.c\. "set'
check 'and nothing was made' has log '^No breakpoints'

# ---- an IFUNC: what its resolver chose, whenever that is, as in gdb ------------------------------------------
cat >t_moving_ifunc.c <<'END'
__attribute__((noinline)) static int fast(int n)
{
    int twice = 2 * n;
    return twice;
}
static int (*choose(void))(int)
{
    return fast;
}
int pick(int) __attribute__((ifunc("choose")));
int main(void)
{
    int r = 0;
    for (int i = 1; i < 4; i++)
        r += pick(i);
    return r;
}
END
printf 'break pick\nrun\nnext\nnext\ncontinue\nnext\n' >picked
for how in '' -Wl,-z,now -Wl,-z,lazy -static; do
    gcc -g -O0 $how t_moving_ifunc.c -o picks 2>cc.out || { skip "an IFUNC, $how: it does not link"; continue; }
    batch -ex 'break pick' -ex run -ex 'info breakpoints' -ex 'delete 1' -ex continue ./picks
    check "an IFUNC${how:+, $how}: before it is resolved" has log '^Breakpoint 1, fast \(n=1\) at .*t_moving_ifunc\.c:3'
    check "an IFUNC${how:+, $how}: it goes to what is chosen" has log '^1 .* in fast at '
    [ "$how" = -static ] || compare "an IFUNC${how:+, $how}" ./picks picked 5
done

# ---- watchpoints on memory, which stay when the block has ended --------------------------------------------------
cat >t_moving_watch.c <<'END'
int total;
static int *kept;
static int inner(int n)
{
    int mine = n;
    kept = &total;
    mine += 1;
    total += mine;
    return mine;
}
int main(void)
{
    int r = inner(1);
    r += inner(r);
    *kept += r;
    return total;
}
END
gcc -g -O0 t_moving_watch.c -o watched || exit 1
printf '%s\n' 'break 6' run 'watch -l total' 'delete 1' continue 'watch -location mine if mine > 0' continue continue \
    'info breakpoints' >places
! $watches || compare 'watchpoints on memory' ./watched places 6
batch -ex 'watch -l total' -ex run -ex 'info breakpoints' ./watched
check 'a watchpoint on memory, made before the run' has log '^Hardware watchpoint 1: -location total$'
! $watches || check 'and it stops' has log '^New value = 2$'

# ---- in the background ---------------------------------------------------------------------------
cat >turns.c <<'END'
#include <unistd.h>
volatile long turns;
__attribute__((noinline)) long turn(long n)
{
    turns += n;
    return n + 1;
}
int main(int argc, char **argv)
{
    for (long n = 0; access(argv[1], F_OK); n = turn(n))
        usleep(1000);
    return 7;
}
END
gcc -g -O0 turns.c -o turns || exit 1
hit() { has log "^Breakpoint $1, turn \\(n=[0-9]+\\) at .*turns.c:5"; }
rm -f stop
target ./turns "$PWD/stop"
shell_start
say "attach $pid"
say 'break turn if n % 100 == 99'
say 'continue &'
say 'info breakpoints'
check 'in the background: it runs' has log 'keep y +0x[0-9a-f]+ in turn at'
check 'in the background: the stop is told while commands are taken' until_ok 30 hit 1
say 'print n % 100'
check 'in the background: it stands there' has log '^[$]1 = 99$'
say 'delete'
say 'continue &'
say 'probe -count turn'
say 'break turn'
check 'a breakpoint for a program that runs, on a probed function' until_ok 30 hit 3
say 'disable 3'
say 'continue &'
say 'enable 3'
twice() { [ "$(grep -c '^Breakpoint 3, turn' log)" = 2 ]; }
check 'enabled while it runs' until_ok 30 twice
say 'delete 3'
say 'continue &'
say 'interrupt'
check 'it is interrupted there' has log 'received signal SIGINT'
say 'break turn'
post 'define hook-stop'
post 'echo hooked\n'
post 'end'
say 'continue &'
check 'hook-stop in the background' until_ok 30 has log '^hooked$'
say 'info display'
check 'hook-stop in the background: at the stop, not at the next command' same "$(grep -c '^hooked$' log)" 1
post 'define hook-stop'
post 'end'
post 'commands'
post 'silent'
post 'print n + 1000000'
post 'end'
say 'continue &'
says() { has log '^[$]2 = 1000[0-9]+$'; }
check 'the commands of a breakpoint are done there' until_ok 30 says
say 'continue &'
say 'delete'
say 'detach'
shell_end
: >stop
reap "$pid"
check 'in the background: the program ends right' same $trc 7

cat >deaf.c <<'END'
#include <pthread.h>
#include <signal.h>
static sigset_t was;
__attribute__((noinline)) int heard(int n)
{
    return n + 1;
}
static void *work(void *arg)
{
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    return heard(1) == 2 ? arg : NULL;
}
int main(void)
{
    pthread_t t;
    sigset_t trap;
    void *r;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &trap, &was);
    if (heard(1) != 2)
        return 1;
    pthread_create(&t, NULL, work, &t);
    pthread_join(t, &r);
    return r == &t ? 7 : 1;
}
END
gcc -g -O0 -pthread deaf.c -o deaf || exit 1
batch -return-child-result -ex 'break heard' -ex run -ex 'next' -ex continue ./deaf
! $watches || check 'a thread that blocks SIGTRAP: it is said' same \
    "$(grep -c '^Thread 1 (LWP [0-9]*) blocks SIGTRAP' log)" 1

# ---- several places -----------------------------------------------------------------------------------
printf 'static int same(int n) { return n + 1; }\nint b(int n) { return same(n) * 2; }\n' >same_b.c
printf '%s\n' 'int b(int);' 'static int same(int n) { return n + 1; }' 'int main(void) { return b(1) + same(2); }' >same_a.c
gcc -g -O0 same_a.c same_b.c -o same || exit 1
batch -ex 'break same' -ex run -ex 'next' -ex continue -ex 'info breakpoints' ./same
check 'several places: both are told' same "$(grep -o '^Breakpoint 1\.[12], same (n=[12])' log | sort -u | wc -l)" 2
if $have_gdb; then
    places() { grep -o '^Breakpoint 1\.[12], same (n=[12])' "$1"; }
    places log >ours
    gdb -nx -q -batch -ex 'set debuginfod enabled off' -ex 'break same' -ex run -ex next -ex continue ./same >theirs.log 2>&1
    places theirs.log >theirs
    check 'several places: as gdb' diff theirs ours
fi
check 'several places: each is its own' same "$(grep -c '^Breakpoint 1\.1, ' log)" 1
batch -ex 'break same' -ex 'disable 1.1' -ex run -ex continue ./same
check 'one of several places' same "$(grep -c '^Breakpoint 1\.2, ' log)/$(grep -c '^Breakpoint 1\.1, ' log)" 1/0
if command -v python3 >/dev/null; then
    for command in 'break same' run continue; do printf '{"command": "%s"}\n' "$command"; done |
        timeout -k 5 $limit "$eztsh" -nx --interpreter=json ./same >wire 2>/dev/null
    python3 -c 'import json
print(sorted((e["number"], e["place"], e["file"][-6:], e["line"]) for e in map(json.loads, open("wire")) if e.get("event") == "stopped"))' >log
    check 'several places: programs are told' has log "^\[\(1, 1, 'me_a\.c', 2\), \(1, 2, 'me_b\.c', 1\)\]$"
fi

# ---- reads during steps ---------------------------------------------------------------------------------
cat >t_moving_reads.c <<'END'
static volatile int level = 3, other = 3, seen;
int main(void)
{
    seen = 1;
    seen = level;
    seen += 2;
    level = 4;
    seen++;
    level = 4;
    seen += level;
    seen = other;
    level += 2;
    seen = level;
    return 0;
}
END
gcc -g -O0 t_moving_reads.c -o reads || exit 1
for kind in $($watches && echo rwatch awatch watch); do
    for step in next 'stepi 3' stepi 'step 2' continue; do
        { printf 'break main\nrun\n%s level\n' $kind; yes "$step" | head -n 10; } >reading
        [ "$step" != stepi ] || yes stepi | head -n 20 >>reading
        [ "$step" != continue ] || sed -i '9,$d' reading
        compare "$kind, $step" ./reads reading 4
        [ $kind = watch ] || check "$kind, $step: reads are told" has log '^Value = '
    done
done

# ---- conditions are looked at when they are typed ---------------------------------------------------------
cat >conditions <<'EOF'
break add if nosuch == 1
break add if a ==
break add if a >= 0 && c < 100000
condition 1 nosuch
condition 1 a +
condition 1 n == 3
break main if total == 0 && a
info breakpoints
run
watch total if nosuch
watch total if total +
tbreak add if c.x
condition 1 b == 5
info breakpoints
EOF
# gdb 14 and later say "near the end of `WHAT THERE IS'" for "near `'".
words() { grep -E '^No symbol|^A syntax|stop only|^Breakpoint 1, add ' "$1" | sed "s/ at .*//; s/near the end of .*/near \`'./"; }
each() { # FILE COMMAND...: its lines are one -ex each, since a script ends at its first error
    file=$1
    shift
    while IFS= read -r line; do set -- "$@" -ex "$line"; done <"$file"
    timeout -k 5 $limit "$@" ./moving0 2>&1 </dev/null
}
each conditions "$eztsh" -nx -batch >log
words log >ours
check 'conditions: they stop as before' has log '^Breakpoint 1, add '
check 'conditions: what is wrong is said, and nothing changed' same \
    "$(grep -c '^No symbol' ours)/$(grep -c '^A syntax' ours)/$(grep -c '	stop only' ours)" 5/3/3
if $have_gdb; then
    each conditions gdb -nx -q -batch -ex 'set debuginfod enabled off' >theirs.log
    words theirs.log >theirs
    check 'conditions: in the words of gdb' diff theirs ours
fi
batch -ex 'break add if half(a) > 1' ./moving0
check 'conditions: no calls' has log '^This command calls no functions of the program'

# ---- a start that a module comes into --------------------------------------------------------------
# The program comes to main while it is stopped for what the module needs: that is a stop at main all the same.
stops=
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    batch -m memory -ex 'break add' -ex run ./moving0
    has log '^Breakpoint [0-9]*, add ' && stops=$stops.
done
check 'a module: breakpoints stop each time' same "$stops" ............

# fault 83: the shell dies
! $watches || killed 'the background with breakpoints' spin 'break nothing if total < 0' 'watch spun if spun == 0' 'continue &'
killed 'a wait for a library' spin 'set breakpoint pending on' 'break late' continue
finish
