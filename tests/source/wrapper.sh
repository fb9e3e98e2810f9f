#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wrapper.sh - eztsh-instrument never breaks a build: for each command line of a compiler, what is made is what the
# compiler alone would have made, with the same status, rules for make and messages.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc make ar
grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h" || { skip "wrapper: eztsh was built without libclang"; finish; }
program=$(cd "$top_builddir" && pwd)/eztsh-instrument
TMPDIR=$work/tmp
export TMPDIR
mkdir tmp
instrument() { "$program" -spec s.spec -- "$@" >log 2>&1 </dev/null; rc=$?; }
clean() { [ -z "$(ls -A tmp)" ] || { ls -R tmp; false; }; }

cat >s.spec <<'EOT'
file="*" line=1 code="#include <stdio.h>"
entry code="fputs(\"E:@ROUTINE@;\", stderr);"
EOT
cat >a.c <<'EOT'
#include "a.h"
int f(int x) { return x + A; }
int main(void) { return f(-A) + (__FILE__[0] == '/') + (__BASE_FILE__[0] == '/'); }
EOT
printf '#define A 1\n' >a.h
entered() { "${1:-./a.out}" >run.out 2>&1; same "$? $(grep -c "E:int f" run.out)" "${2:-0 1}"; }
rm_made() { rm -f ./*.o ./*.d ./*.s ./*.i a.out prog prog.x x.rules; }

# ---- rules for make: the names that are in them, whichever option says where they go --------------------------------
words() { tr -s ' \\\n' '\n\n\n' <"$1" | grep -v '^/usr'; } # FILE: what is in it, without the system's headers
rules() { # FILE ARG...: what the compiler alone writes there
    file=$1
    shift
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        rm_made
        "$cc" "$@" >native.log 2>&1
        native=$?
        [ $native = 0 ] && [ -e "$file" ] || continue # clang does not know it
        words "$file" >want
        rm_made
        instrument "$cc" "$@"
        words "$file" >got
        check "rules: $cc $*: the compiler's own" cmp want got
        check "... its status, and nothing is said" same "$rc $(cat log)" "0 $(cat native.log)"
    done
}
rules a.d -MD -c a.c
rules a.d -MMD -MP -c a.c
rules x.rules -MD -MFx.rules -c a.c
rules x.rules -MMD -MF x.rules -MTtarget -c a.c -o a.o
rules x.rules -MD -MFx.rules '-MQ$(target)' -MT other -c a.c
rules x.rules -Wp,-MMD,x.rules -c a.c -o a.o
rules x.rules -Wp,-MD,x.rules,-MT,target -c a.c -o a.o
rules x.rules -Wp,-D_GNU_SOURCE,-MD,x.rules -Wp,-DB=2 -c a.c -o a.o
rules x.rules -Xpreprocessor -MMD -Xpreprocessor x.rules -c a.c -o a.o
rules x.rules -MD -Wp,-MF,x.rules -c a.c -o a.o
rules prog.d -MD a.c -oprog.x
rules a.d -MD -c -S a.c
if gcc -MD a.c -o prog && [ -e prog-a.d ]; then rules prog-a.d -MD a.c -o prog 2>/dev/null; fi

cat >Makefile <<EOT
CC = $program -spec s.spec -- gcc
a.o: a.c
	\$(CC) -Wp,-MMD,.a.o.d -c -o a.o a.c
-include .a.o.d
EOT
check "make: the first time" make -s
touch a.c a.h
check "make: again, when the header has changed" make -s
check "make: the object is instrumented" sh -c 'gcc a.o && ./a.out 2>&1 | grep -q E:int'
rm -f .a.o.d

# ---- names ----------------------------------------------------------------------------------------------------------
nl='
'
tab=$(printf '\t')
for c in 'b c.c' "n${nl}l.c" 'q"uo.c' "q'uo.c" 'ba\ck.c' 'd$x.c' 'h#sh.c' 'e=q:.c' '-dash.c' ' .c' 'c*.c' 'ü.c' "t${tab}b.c"; do
    cp a.c "./$c"
    shown=$(printf '%s' "$c" | tr '\n\t\\' '...')
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        case "$cc $shown" in "clang ba.ck.c" | "clang t.b.c") continue ;; esac # its rules have another name
        rm_made
        "$cc" -MD -MF want.d "./$c" -o prog >native.log 2>&1
        "$program" -spec s.spec -- "$cc" -Werror -MD -MF got.d "./$c" -o prog >log 2>&1
        check "name '$shown', $cc: compiled, nothing said" same "$? $(cat log)" "0 "
        check "... instrumented" entered ./prog
        words want.d >want
        words got.d >got
        check "... in the rules" cmp want got
    done
    rm -f "./$c"
done

# ---- command lines ----------------------------------------------------------------------------------------------------
if command -v clang >/dev/null; then
    rm_made
    instrument clang -o x.out -- a.c
    check "-- before the sources" entered ./x.out
    cp a.c ./-a.c
    rm_made
    instrument clang -o x.out -- -a.c
    check "-- before a name with a dash" entered ./x.out
    rm -f ./-a.c
fi
rm_made
printf -- "-c 'a.c'\n-o\n\"a o.o\" \"-DEMPTY=\\\"\\\"\" ''\n" >response
sed -i "s/ ''\$//" response
instrument gcc @response
check "a response file" same "$rc $(ls ./*.o)" "0 ./a o.o"
printf '@response\n' >outer
rm -f ./*.o
instrument gcc @outer
check "one in another" same "$rc $(ls ./*.o)" "0 ./a o.o"
ar rc empty.a
awk 'BEGIN { for (i = 0; i < 4000; i++) far = far "/"; for (i = 0; i < 800; i++) print "." far "empty.a"; print "a.c -o prog" }' >big
instrument gcc @big
check "a response file that no command line can hold: compiled" same "$rc" 0
check "... it runs" sh -c './prog 2>/dev/null'
rm_made
instrument gcc -xc a.c -xnone
check "-x and its language in one word" entered
cp a.c a.weird
instrument gcc -x c a.weird -x none
check "-x LANGUAGE" entered
rm_made
printf 'int g(int x) { return x; }\n' >g.c
printf 'extern "C" int g(int); int h(int x) { return g(x); }\n' >h.xx
instrument gcc g.c -x c++ h.xx -x none a.c
check "-x for some of the sources" entered
rm_made
instrument gcc a.c -x c -
check "standard input: said" has log 'standard input is not instrumented'
for option in -E -M -MM -S '-fsyntax-only' '-c -save-temps' '-c -save-temps=obj' '-c -include a.h' '-c -iquote other' '-c -pipe -Wall -Wextra' \
    '-c -g -gsplit-dwarf' '-c --coverage' '-c -O2 -flto' '-c --param max-inline-insns-auto=5' '-c -fdump-tree-gimple' '-c -v' '-c -H' \
    '-c -dumpbase b.c' '-###' '-c -std=c99 -pedantic-errors' '-c -aux-info x.rules'; do
    mkdir native made
    cp a.c a.h native
    cp a.c a.h made
    (cd native && gcc $option a.c >../native.out 2>/dev/null)
    native=$?
    (cd made && "$program" -spec ../s.spec -- gcc $option a.c >../made.out 2>/dev/null)
    check "gcc $option: the status, and the files" same "$? $(cd made && ls)" "$native $(cd native && ls)"
    case $option in -E | -M*) check "... the output" cmp native.out made.out ;; esac
    rm -rf native made
done
rm_made
instrument gcc -fno-such-option -c a.c
check "an option that the compiler does not know: its status" same "$rc" 1
instrument gcc --no-such-option -c a.c
check "... and no object" [ ! -e a.o ]
cat >odd <<'EOT'
#!/bin/sh
[ "$1" = --odd ] && shift 2
exec gcc "$@"
EOT
chmod +x odd
instrument ./odd --odd word -c a.c -o a.o
check "an option that we do not know: compiled as it is, said" same "$rc $(cat log)" \
    "0 eztsh-instrument: a.c is not instrumented: --odd is not understood"
gcc a.o
check "... as it is" entered ./a.out "0 0"
rm_made
instrument gcc -S a.c -o -
check "-o -: compiled as it is" has log '^main:' && check "... said" has log 'a.c is not instrumented: -o to standard output'
SUNPRO_DEPENDENCIES=x.rules instrument gcc -c a.c
unset SUNPRO_DEPENDENCIES
check "rules by the environment" lacks x.rules tmp/
rm_made
instrument gcc a.c missing.c
check "one source of two is missing: the compiler's status" same "$rc" 1
check "... its message once" same "$(grep -c 'missing.c: No such' log) $(grep -c eztsh log)" "1 0"
instrument gcc
check "no source" same "$rc" 1
instrument gcc --version
check "no source, and none wanted" same "$rc" 0
cat >s.S <<'EOT'
#include "a.h"
.globl g
g: mov $A, %eax
   ret
.section .note.GNU-stack
EOT
case $(uname -m) in x86_64)
    rm_made
    instrument gcc a.c s.S
    check "assembler beside it" entered ;;
esac
rm_made
printf 'int h(int);\nint h(int x) { return x; }\n' >h.h
instrument gcc h.h
check "a header to be precompiled" [ -s h.h.gch ]
rm -f h.h.gch
rm_made
mkfifo source.c
(cat a.c >source.c) &
children="$children $!"
instrument gcc -c source.c -o a.o
check "a FIFO is read once, by the compiler" same "$rc $(cat log)" "0 eztsh-instrument: source.c is not instrumented: it is not a regular file"
rm source.c
instrument gcc -x c -c /dev/null -o a.o
check "/dev/null" same "$rc" 0

# ---- headers: of the source's folder first --------------------------------------------------------------------------------
mkdir -p one two inc
printf '#define N 1\n' >one/n.h
printf '#define N 2\n' >two/n.h
printf '#define N 3\n' >inc/n.h
printf '#include "n.h"\nint one(void) { return N; }\nint two(void);\nint main(void) { return 10 * one() + two(); }\n' >one/one.c
printf '#include "n.h"\nint two(void) { return N; }\n' >two/two.c
rm_made
instrument gcc -iquote inc -Iinc one/one.c two/two.c
./a.out 2>run.out
check "each source finds the header beside it" same "$?" 12
check "... one is compiled as it is, and that is said" same "$(cat log)" \
    "eztsh-instrument: two/two.c is not instrumented: the file includes files of its own folder, and an earlier file of the command includes files of another folder"

# ---- when the compiler does not take what was put in -----------------------------------------------------------------------
echo 'entry code="no_such_type x;"' >wrong.spec
rm_made
"$program" -spec wrong.spec -- gcc a.c >log 2>&1
check "code that is wrong: the original is compiled, status 0" same "$?" 0
check "... the compiler's message, and what was done" same \
    "$(grep -c '^wrong\.spec:1:.*no_such_type' log) $(tail -n 1 log)" "2 eztsh-instrument: a.c is not instrumented: the compiler fails with what was put in"
check "... it runs" entered ./a.out "0 0"
echo 'entry code="no_such_function();"' >wrong.spec
rm_made
"$program" -spec wrong.spec -- gcc -w a.c >log 2>&1
check "what it calls is in no library: the original" entered ./a.out "0 0"
echo 'entry code="int unused;"' >wrong.spec
rm_made
"$program" -spec wrong.spec -- gcc -Wall -Werror a.c >log 2>&1
check "-Werror and what it warns of: the original" entered ./a.out "0 0"
cat >crash <<'EOT'
#!/bin/sh
case " $* " in *" -E "*) [ ! -e "$TMPDIR/../crash.now" ] || kill -SEGV $PPID ;; esac
exec gcc "$@"
EOT
chmod +x crash
printf '#if 1\n#endif\n' | cat - a.c >crashing.c
touch crash.now
rm_made
instrument ./crash crashing.c
check "it crashes: the original is compiled" entered ./a.out "0 0"
check "... said, and the compiler's status" same "$rc $(cat log)" "0 eztsh-instrument crashed; the files are compiled without the inserted code"
rm crash.now
check "nothing is left in TMPDIR" clean
finish
