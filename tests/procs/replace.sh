#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# replace.sh - replacements: any prototype, while threads run, taken over, taken away, refused.
# The library of replacements counts its calls, so that every count is compared exactly.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
lib=$targets/libreplace.so

replaced() { # NUMBER: calls by the last `info replacements` of log
    awk -v n="$1" '$1 == "Num" { on = /With/ } on && $1 == n { c = $4 } END { print c }' log
}
own() { awk -v w="$1" '$1 == w { print $2 }' t.err; }
with() { printf 'replace %s with libreplace.so:my_%s orig old_%s\n' "$1" "$2" "$2"; }

# ---- every prototype ----------------------------------------------------------------------
all() {
    with ten ten
    for f in big mixed long complex; do with of_$f $f; done
    echo 'replace text with libreplace.so:my_text'
    with factorial factorial
    with thrower thrower
}
for n in 1 50; do
    "$targets/p_replaced" $n >n.out 2>&1
    { all; echo "run $n >t.out 2>t.err </dev/null"; echo 'info replacements'; } >script.ezt
    timeout -k 5 $limit env LD_PRELOAD="$lib" "$eztsh" -nx -batch -x script.ezt \
        "$targets/p_replaced" >log 2>&1 </dev/null
    check "prototypes, $n rounds: the program's results stay" cmp n.out t.out
    i=0
    for f in ten:1 big:1 mixed:1 long_:1 complex_:1 text:1 factorial:10 thrower:1; do
        i=$((i + 1))
        want=$((n * ${f#*:}))
        check "prototypes, $n rounds: ${f%:*} was called" \
            same "$(own ${f%:*}) $(replaced $i)" "$want $want"
    done
done

# ---- fault 82: callers that know the function's body rely on registers -----------------------------------
for by in spoil spoil_wide; do
    [ $by = spoil ] || grep -qw avx /proc/cpuinfo || continue
    for also in '' 'probe' 'probe entry -count' ; do
        { for f in none ax ax_dx x0 x01; do
              echo "replace set_$f with libreplace.so:$by"
              [ -z "$also" ] || echo "$also set_$f"
          done
          echo 'run replaced >t.out 2>t.err </dev/null'; } >script.ezt
        timeout -k 5 $limit env LD_PRELOAD="$lib" "$eztsh" -nx -batch -x script.ezt \
            "$targets/p_regs" >log 2>&1 </dev/null
        check "registers: kept over $by${also:+ with $also}" same "$(tail -n 1 t.out)" right
    done
done

for f in p_regs:set_ax p_replaced:factorial; do
    { echo "replace ${f#*:} with libreplace.so:spoil"; echo start
      echo 'replace libc.so.6:getppid with libreplace.so:spoil'
      echo "why ${f#*:}"; echo 'why getppid'; } >script.ezt
    timeout -k 5 $limit env LD_PRELOAD="$lib" "$eztsh" -nx -batch -x script.ezt \
        "$targets/${f%:*}" >log.${f%:*} 2>&1 </dev/null
done
kept_over='^All registers are preserved: callers that know '
check "registers: kept where a body is known" has log.p_regs "${kept_over}set_ax may"
check "registers: not where it calls the unknown" lacks log.p_replaced "$kept_over"
check "registers: all were replaced" same "$(cat log.p_* | grep -c '^Replaced: the trampoline')" 4

# ---- a probe on the same function sees the call first --------------------------------------
{ all; echo 'probe of_long factorial'; echo 'probe exit -count thrower'
  echo 'run 20 >t.out 2>t.err </dev/null'; echo 'info probes -all'; echo 'info trace'; } >script.ezt
"$targets/p_replaced" 20 >n.out 2>&1
timeout -k 5 $limit env LD_PRELOAD="$lib" "$eztsh" -nx -batch -x script.ezt "$targets/p_replaced" \
    >log 2>&1 </dev/null
check "with probes: the program's results stay" cmp n.out t.out
check "with probes: each call is in both counts" \
    same "$(own long_) $(hits 9) $(own factorial) $(hits 10)" "20 20 200 200"
check "with probes: the ledger adds up" ledger_ok

# ---- threads run while functions are replaced and given back --------------------------------
start_target() {
    rm -f stop go ./*.fxt
    target env LD_PRELOAD="$lib" "$targets/p_keep" stop go "$@"
    until_ok 10 has "/proc/$pid/maps" libreplace
}
start_target 4
shell_start -p "$pid"
say 'continue &'
touch go
n=0
while [ $n -lt 15 ]; do
    n=$((n + 1))
    say "$(with leaf leaf)"
    say "$(with lap lap)"
    say 'probe -count leaf'
    moved "$pid" 8
    say 'info replacements'
    say 'info probes'
    say 'delete'
done
check "live: each was planted" same "$(grep -c '^Replacement .* go to libreplace.so:my_l' log)" 30
say 'interrupt'
check "live: every byte came back" text_intact "$pid" "$targets/p_keep"
say 'continue &'
say "$(with leaf leaf)"
say 'info replacements'
touch stop
say wait
shell_end
reap "$pid"
check "live: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "live: calls were led away" [ "$(own leaf)" -gt 1000 ]

# ---- fault 80: a killed shell; the next one ------------------------------------------------------------
start_target 3
shell_start -p "$pid"
say 'continue &'
touch go
say "$(with leaf leaf)"
say "$(with lap lap)"

shell_kill
moved "$pid" 30
batch -p "$pid" -ex 'info replacements' -ex 'detach -keep'
! takes_over || check "killed: taken over, by name" \
    has log '^[0-9]+ +armed +0x[0-9a-f]+ +[0-9]+ +leaf +libreplace.so:my_leaf +0x[0-9a-f]+ +old_leaf'
check "killed: both of them" taken_from_killed 2
batch -p "$pid" -ex 'info replacements' -ex 'detach -keep'
! takes_over || check "kept: taken over, by name" has log '^[0-9]+ +armed .* leaf +libreplace.so:my_leaf .* old_leaf'
shell_start -p "$pid"
say 'info textdiff'
check "kept: all bytes are known" has log ' 0 of them foreign'
say 'delete'
check "kept: every byte comes back" text_intact "$pid" "$targets/p_keep"
say 'continue &'
touch stop
say wait
shell_end
reap "$pid"
check "killed: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "killed: calls were led away" [ "$(own leaf)" -gt 1000 ]

# ---- what comes later -------------------------------------------------------------------------
rm -f loaded closed
target "$targets/p_dl" "$targets/libp.so" 1 1000 loaded closed
until_ok 10 grep -q libp.so "/proc/$pid/maps"
batch -p "$pid" -ex 'replace lib_mix with libreplace.so:my_leaf orig old_leaf' -ex 'info replacements' \
    -ex 'replace nowhere with libp.so:lib_mix'
check "pending: the library of the replacement" has log '^1 +pending .*lib_mix'
check "pending: says what is missing" has log 'Replacement 1 \(lib_mix\) pending: '
check "pending: a function that nobody has" has log 'Replacement 2 \(nowhere\) pending: '
touch loaded closed
reap "$pid"
rm -f loaded closed
touch loaded closed
{ echo 'replace libp.so:lib_mix with libreplace.so:my_loop'
  echo "run $targets/libp.so 1 10 loaded closed >t.out 2>t.err </dev/null"; } >script.ezt
timeout -k 5 $limit env LD_PRELOAD="$lib" "$eztsh" -nx -batch -x script.ezt "$targets/p_dl" \
    >log 2>&1 </dev/null
check "pending: a library that comes is told" \
    has log '^Replacement 1 at 0x[0-9a-f]+: calls of lib_mix in libp.so go to libreplace.so:my_loop'

# ---- what it calls never comes ---------------------------------------------------------------------
for how in 'run >/dev/null' "start >/dev/null"; do
    batch -ex 'replace ten with libnever.so:my_ten' -ex "$how 1" "$targets/p_replaced"
    check "never there ($how): it is said" has log '^Replacement 1 \(ten\) never resolved: '
    check "never there ($how): status 1" same $rc 1
done

# ---- refused -----------------------------------------------------------------------------------
start_target 2
batch -p "$pid" -ex "$(with leaf leaf)" -ex "$(with leaf lap)" -ex 'replace lap with lap' \
    -ex 'replace lap with libreplace.so:my_lap orig nothing' -ex 'replace lap' \
    -ex 'replace lap with libreplace.so:my_lap or old_lap' \
    -ex 'replace lap with libreplace.so:my_lap orig tiny' \
    -ex 'replace libreplace.so:my_leaf with lap' -ex 'replace lap with leaf' -ex 'replace lap with 100' -ex 'replace lap with libc.so.6:strlen' -ex 'replace _dl_debug_state with libreplace.so:my_lap' \
    -ex 'replace libc.so.6:__libc_start_main with libreplace.so:my_lap orig my_leaf' \
    -ex 'info replacements'
check "refused: twice" has log '^Cannot replace leaf: the function is already replaced, by replacement 1'
check "refused: by itself" has log '^Cannot replace lap: a function cannot replace itself'
check "refused: no such variable" has log '^Cannot replace lap: there is no variable "nothing" in libreplace.so'
check "refused: a variable that is too small" \
    has log '^Cannot replace lap: the variable "tiny" is too small for an address'
check "refused: a circle" has log '^Cannot replace my_leaf: the function itself replaces another one, by replacement 1'
check "refused: a chain" has log '^Cannot replace lap: leaf is itself replaced, by replacement 1'
check "refused: a function is no variable" has log '^Cannot replace .*: there is no variable "my_leaf"'
check "refused: usage" same "$(grep -c '^Usage: replace FUNC with' log)" 2
check "refused: no location" has log '100'
check "refused: eztsh's own" has log '^Cannot replace _dl_debug_state: eztsh itself'
check "refused: what finds a function at run time" has log '^Cannot replace lap: .* is an IFUNC'
check "refused: one stands" same "$(grep -c '^[0-9]* *armed' log)" 1
check "refused: detach gives all back" text_intact "$pid"
touch go stop
reap "$pid"
check "refused: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"


# ---- parameters that the compiler changed: refused, with the reason -----------------------------------------
cat >clone.c <<'END'
#include <stdio.h>
struct big { long a, b, c; };
static volatile long g;
__attribute__((noinline)) static long f(int n, const double *a, const struct big *s) { g += n; return a[0] > 0 ? s->b + n : -n; }
int main(void) { double a[2] = { 1, 2 }; struct big s = { 5, 6, 7 }; long t = 0; for (int i = 0; i < 100; i++) t += f(i, a, &s); printf("%ld\n", t); return 0; }
END
cat >with.c <<'END'
struct big { long a, b, c; };
long (*orig)(int, const double *, const struct big *);
long seen;
long my_f(int n, const double *a, const struct big *s) { seen += (long)a[0] + s->b; return orig(n, a, s); }
END
if compiled 'clones' gcc -O2 -g clone.c && gcc -O2 -shared -fPIC -o libwith.so with.c && nm prog | grep -q ' f\.'; then
    ./prog >truth
    for how in 'with debug information' 'by its name alone'; do
        batch -ex 'set env LD_PRELOAD ./libwith.so' -ex start -ex 'replace f with libwith.so:my_f orig orig' \
            -ex 'continue' ./prog
        check "a clone, $how: refused" has log '^Cannot replace f\..*: the compiler (may have )?changed its parameters \(f\.'
        check "a clone, $how: the program is as it was" has log "^$(cat truth)\$"
        strip -g prog
    done
    compiled 'no clone' gcc -O2 -g -fno-ipa-sra -fno-ipa-cp clone.c
    batch -ex 'set env LD_PRELOAD ./libwith.so' -ex start -ex 'replace f with libwith.so:my_f orig orig' -ex continue ./prog
    check 'no clone: replaced' lacks log 'Cannot replace'
fi
finish
