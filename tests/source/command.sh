#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# command.sh - eztsh-instrument as a program: its options, and as a wrapper what builds ask of a compiler: rules
# for make, response files, names with blanks, messages, debug information; nothing is left behind.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc readelf
grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h" || { skip "command: eztsh was built without libclang"; finish; }

here=$(cd "$top_srcdir/tests/source" && pwd)
program=$(cd "$top_builddir" && pwd)/eztsh-instrument
spec=$here/counts.spec
TMPDIR=$work/tmp
export TMPDIR
mkdir tmp "a b"
instrument() { "$program" "$@" >log 2>&1 </dev/null; rc=$?; }
clean() { [ -z "$(ls -A tmp)" ] || { ls -R tmp; false; }; }

printf '#include "h.h"\nint g(int x)\n{\n    return x + H;\n}\n' >"a b/g.c"
printf '#define H 3\n' >"a b/h.h"
printf 'int g(int);\nint main(void) { return g(1) - 4; }\n' >main.c
gcc -c "$here/counts.c" -o counts.o

# ---- the command line ---------------------------------------------------------------------------------
instrument
check "no specification: said, status 2" same "$rc $(grep -c 'No specification is named' log)" "2 1"
instrument -spec "$spec"
check "nothing to do: said, status 2" same "$rc $(grep -c 'Name source files, or a compiler' log)" "2 1"
instrument -spec nothing.spec main.c
check "no such specification: said, status 1" same "$rc $(cat log)" \
    "1 eztsh-instrument: nothing.spec: No such file or directory."
instrument -spec "$spec" nothing.c
check "no such source: said, status 1" same "$rc $(cat log)" "1 eztsh-instrument: nothing.c: No such file or directory."
instrument -spec "$spec" -wrong main.c
check "an unknown option: status 2" same "$rc $(grep -c 'unrecognized option' log)" "2 1"
printf 'entry cod="x"\nentry code="@ARGC@"\n' >wrong.spec
instrument -spec wrong.spec -- gcc -c main.c
check "a wrong specification: nothing is compiled" [ "$rc" = 1 ] && check "... and it is said where" \
    has log '^wrong.spec:1:7: cod is not a clause' && check "... of each clause" has log '^wrong.spec:2:13: @ARGC@ may not'
check "... no object is made" [ ! -e main.o ]
instrument -spec "$spec" main.c
check "a source file: beside it" same "$rc $(grep -c ez_count main.inst.c)" "0 2"
instrument -spec "$spec" -o - main.c
check "-o -: to standard output" cmp log main.inst.c
instrument -spec "$spec" -report=json -o out.c main.c
check "-report=json: the routines" same "$(cat log)" '{"schema":"eztsh-instrument-1","file":"main.c","left":null,"lines":1,"routines":[{"name":"main","routine":"int main()","line":2,"places":2,"left":null}]}'
cp main.c main.unknown
instrument -spec "$spec" main.unknown
check "an unknown ending: said, status 1" same "$rc $(cat log)" \
    "1 eztsh-instrument: main.unknown: the language is not known: name the language with -lang."
cp main.c main.F90
EZT_CC=false instrument -spec "$spec" -lang fortran main.F90
check "Fortran whose preprocessor fails: said" has log '^eztsh-instrument: main\.F90: "false -cpp -E" fails\.$'
cp main.c other.f90
instrument -spec "$spec" -lang c -o - other.f90
sed 's/other.f90/main.c/' log >other
check "-lang: whatever the name's ending says" cmp other main.inst.c
cp "$here/snippets/macro_return.c" macro.c
cp macro.c macro.f90
"$program" -spec "$spec" -o - macro.c >want 2>&1
instrument -spec "$spec" -lang c -o - macro.f90
sed 's/macro.f90/macro.c/' log >other
check "-lang: where macros are expanded, too" cmp other want
printf 'BEGIN_EXCLUDE_LIST\nmain\nEND_EXCLUDE_LIST\n' >filter
instrument -spec "$spec" -filter filter -report -o out.c main.c
check "-filter: a list wins" has log '^main.c: 0 routines instrumented'

# ---- branches of #if: those of the compiler, not libclang's, which is no GCC of today -------------------------------
cat >branches.c <<'EOT'
#define GCC (__GNUC__ * 1000 + __GNUC_MINOR__)
#define PASS(x) x
char quote = '"'; /* #if */
int add(int a, int b)
{
#if GCC >= 5000 && \
    !defined(__clang__) /* a comment
    of two lines */
    if (a > 2)
        return a;
    return a + b;
#else
    int s = a + b;
    return s;
#endif
}
int only(int a)
{
#ifdef __clang__
    return 100;
#elif defined(NEVER)
    return 7;
#elif __GNUC__ > 4
# if GCC
    return a;
# endif
#endif
}
int in_macro(int a)
{
    return PASS(
#if __GNUC__ > 4
        a
#else
        a + 1
#endif
    );
}
#if 0
#if X
"not closed
#endif
#endif
int main(void)
{
    return add(1, 2) + add(3, 1) + only(3) + in_macro(1) - 10;
}
EOT
instrument -spec "$spec" -- gcc -w branches.c counts.o -o branches
check "branches: it is compiled" same "$rc $(cat log)" "0 "
CALLS=$work/branches.calls ./branches
check "branches: each routine is left where gcc's branch leaves it" same "$? $(cat branches.calls)" "0 entered 5 wrong 0 skipped 0"
instrument -spec "$spec" -o - branches.c
check "branches: the conditions stay as they are" same "$(grep -c '^#if GCC >= 5000 &&' log)" 1

# ---- macros whose expansion names a macro again -----------------------------------------------------------------
cat >itself.c <<'EOT'
enum st { ST_ERR = 0,
#define ST_ERR ST_ERR
    ST_OK = 1 };
#define FIRST SECOND
#define SECOND FIRST
#define twice(x) twice((x) + 1)
#define leave(x) return twice(x)
#define guarded(x) if (x) return 1; return ST_ERR
static int FIRST = 3;
static int (twice)(int x) { return 2 * x; }
enum st one(int a) { if (a < 0) return ST_ERR; return ST_OK; }
int two(void) { return FIRST; }
int three(int a) { return twice(a); }
int four(int a) { leave(a); }
int five(int a) { guarded(a); }
int main(void) { return one(1) + two() + three(1) + four(2) + five(0) - 14; }
EOT
gcc -w itself.c -o itself && ./itself
check "macros that name themselves: the program" same $? 0
instrument -spec "$spec" -- gcc -w itself.c counts.o -o itself
check "macros that name themselves: what is left alone is said, with its place" same "$rc $(cat log)" \
    "0 eztsh-instrument: itself.c:14: int four(int) is left alone: a macro hides a part of it, and could not be expanded"
CALLS=$work/itself.calls ./itself
check "macros that name themselves: it computes what it did, and each routine but that is entered and left" \
    same "$? $(cat itself.calls)" "0 entered 7 wrong 0 skipped 0"
printf '#include <sys/socket.h>\nint kind(int d) { if (d) return SOCK_DGRAM; return SOCK_STREAM; }\nint main(void) { return kind(1) != SOCK_DGRAM; }\n' >socket.c
instrument -spec "$spec" -report -- gcc socket.c counts.o -o socket
check "macros that name themselves: those of <sys/socket.h>" has log '^socket.c: 2 routines instrumented at 5 places, 0 left alone$' &&
    check "... it runs" ./socket

# ---- a library that the code calls, as doc/HOWTO_SPEC.md gives it to the linker -----------------------------------
echo 'void tool_hit(void) {}' >tool.c
gcc -shared -fPIC tool.c -o libtool.so
printf 'file="*" line=1 code="void tool_hit(void);"\nentry code="tool_hit();"\n' >tool.spec
option=$(sed -n 's|^ *eztsh-instrument .* \(-Wl,[^ ]*/path/libtool.so[^ ]*\) .*|\1|p' "$here/../../doc/HOWTO_SPEC.md" | sed "s|/path|$work|")
check "a library: doc/HOWTO_SPEC.md has an option for it" [ -n "$option" ]
for needed in --as-needed --no-as-needed; do
    instrument -spec tool.spec -- gcc -Wl,$needed "$option" main.c "a b/g.c" -o tool
    check "a library, $needed: compiled and linked at once" same "$rc $(cat log)" "0 "
    instrument -spec tool.spec -- gcc -Wl,$needed "$option" -c main.c -o tool.o
    instrument -spec tool.spec -- gcc -Wl,$needed "$option" tool.o "a b/g.c" -o tool
    check "a library, $needed: an object of before" same "$rc $(cat log)" "0 "
    check "a library, $needed: it runs" env LD_LIBRARY_PATH="$work" ./tool
done

# ---- launchers ------------------------------------------------------------------------------------------------------
printf '#!/bin/sh\nexec "$@"\n' >ccache
chmod +x ccache
for launcher in "env LC_ALL=C" ./ccache "nice -n0 ./ccache"; do
    instrument -spec "$spec" -report -- $launcher gcc -w -std=gnu99 branches.c macro.c -c
    check "$launcher gcc: macros and branches are gcc's" same "$rc $(grep -c 'routines instrumented at .*, 0 left alone' log)" "0 2"
done

# ---- C++20 ---------------------------------------------------------------------------------------------------------
cat >cxx20.cc <<'EOT'
#include <coroutine>
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
task coroutine() { co_return; }
consteval int constant(int n) { return n + 1; }
template <class T> concept number = requires(T t) { t + t; };
auto add(number auto a, number auto b) { return a + b; }
int main()
{
    coroutine();
    return constant(1) - 2 + add(1, -1);
}
EOT
if g++ -std=c++20 -c cxx20.cc -o plain.o 2>log; then
    instrument -spec "$spec" -report -- g++ -std=c++20 cxx20.cc counts.o -o cxx20
    check "C++20: a coroutine is left alone, and told" has log '^cxx20.cc:11: task coroutine\(\) is left alone: it is a coroutine$'
    check "C++20: so is a consteval function" has log '^cxx20.cc:12: int constant\(int\) is left alone: it is constexpr$'
    check "C++20: parameters that are auto" has log '^cxx20.cc:14: auto add\(number auto, number auto\): 2 places$'
    CALLS=$work/cxx20.calls ./cxx20
    check "C++20: what is entered is left" same "$? $(cat cxx20.calls)" "0 entered 6 wrong 0 skipped 0"
else
    skip "C++20: no compiler"
fi

# ---- as a compiler --------------------------------------------------------------------------------------
instrument -spec "$spec" -- gcc -g main.c "a b/g.c" counts.o -o prog
check "several sources, linked" same "$rc" 0
check "the program runs" env CALLS="$work/calls" ./prog
check "its routines were counted" has calls '^entered 2 wrong 0'
instrument -spec "$spec" -- gcc -g -MD -MP -MF deps -c "a b/g.c" -o g.o
check "-MD: the rule names the original" has deps '^g.o: a\\ b/g.c'
check "-MD: and its headers" has deps 'a\\ b/h.h'
instrument -spec "$spec" -- gcc -MMD -c "a b/g.c"
check "-MMD without -MF" has g.d '^g.o: a\\ b/g.c a\\ b/h.h$'
mkdir x.d
instrument -spec "$spec" -- gcc -MMD -c "a b/g.c" -o x.d/g
check "-MMD beside an output without an ending" has x.d/g.d 'a\\ b/g.c a\\ b/h.h$'
printf '"a b/g.c" -c\n-o a\\ b.o' >response
instrument -spec "$spec" -report -- gcc @response
check "a response file" same "$(tail -n 1 log)" "a b/g.c: 1 routine instrumented at 2 places, 0 left alone"
check "... its words are the compiler's" [ -s "a b.o" ]
printf 'int f(void) { return 1; }\n' | "$program" -spec "$spec" -- gcc -x c -c - -o f.o >log 2>&1
check "standard input: compiled, and said" same "$? $(cat log)" "0 eztsh-instrument: standard input is not instrumented"
instrument -spec "$spec" -- gcc -E main.c
check "-E: the original" lacks log ez_count
printf 'int f( { return 1; }\n' >bad.c
gcc -c bad.c >native.log 2>&1
native=$?
instrument -spec "$spec" -- gcc -c bad.c
check "a wrong source: the compiler's status" same "$rc" "$native"
check "a wrong source: the compiler's messages, in its own lines" cmp log native.log
printf 'int f(void)\n{\n    int y;\n    return undeclared;\n}\n' >bad2.c
gcc -c bad2.c 2>&1 | grep error >native.log
instrument -spec "$spec" -- gcc -c bad2.c
check "an error inside a routine: the same line and column" cmp native.log - <<EOT
$(grep error log)
EOT
instrument -spec "$spec" -- ./no-such-compiler -c main.c
check "no such compiler: said, 127" same "$rc $(grep -c 'cannot run ./no-such-compiler' log)" "127 1"
instrument -spec "$spec" -- gcc -c nothing.c
check "no such source: the compiler says it, and nobody else" same "$rc $(grep -c nothing.c log) $(grep -c eztsh log)" "1 1 0"
TMPDIR=$work/nowhere
instrument -spec "$spec" -- gcc -c main.c
check "no folder for files: the original is compiled, and why is said" same "$rc $(sed 's/eztsh-[^:]*: Cannot/eztsh-: Cannot/' log)" \
    "0 eztsh-instrument: main.c is not instrumented: $work/nowhere/eztsh-: Cannot create a folder: No such file or directory"
instrument -spec "$spec" -report=json -- gcc -c main.c
check "... a report says it, too" has log '"left":".*Cannot create a folder: No such'
TMPDIR=$work/tmp
check "nothing is left in TMPDIR" clean

if command -v cmake >/dev/null; then
    mkdir cm
    cp main.c cm/
    cp "a b/g.c" "a b/h.h" cm/
    printf 'cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(p main.c g.c)\n' >cm/CMakeLists.txt
    check "CMake: a compiler launcher" cmake -S cm -B cmb -DCMAKE_C_COMPILER_LAUNCHER="$program;-spec;$spec;--" \
        -DCMAKE_EXE_LINKER_FLAGS="$work/counts.o"
    check "CMake: it builds" cmake --build cmb
    rm -f calls
    check "CMake: the program runs" env CALLS="$work/calls" cmb/p
    check "CMake: its routines were counted" has calls '^entered 2 wrong 0'
else
    skip "CMake: no cmake"
fi

# ---- calls, as each standard has them --------------------------------------------------------------------------
cat >called.cc <<'EOT'
static int twice(int i) { return 2 * i; }
static void none() {}
static const int &smaller(const int &a, const int &b) { return b < a ? b : a; }
struct Box {
    Box(int i) : n(i) {}
    int get() const { return n; }
    int both() const { return get() + twice(n); }
    int n;
};
static int &same_one(int &i) { return i; }
template <class T> static T larger(T a, T b) { return a < b ? b : a; }
int main()
{
    int k = twice(1);
    none();
    same_one(k) = twice(k) + larger(k, twice(twice(1)));
    int some[4] = { 1, 2, 3, 4 };
    k += some[twice(1)] + Box(twice(1)).both() + static_cast<int>(sizeof(twice(1)));
    return k - 21;
}
int least(int k) { return smaller(twice(k), 3); }
EOT
cat >called.spec <<'EOT'
line=1 code="static int ez_calls, ez_ended;"
entry call~="twice|none|larger|get|Box" routine!="least" code="ez_calls++;"
exit call~="twice|none|larger|get|Box" routine!="least" code="ez_ended++;"
file="*" line=20 code="if (ez_calls != 10 || ez_ended != 10) return 1;"
EOT
for cc in "g++ -std=c++98" "g++ -std=c++11" "g++ -std=c++17" "clang++ -std=c++98" "clang++ -std=c++11" "clang++ -std=c++20"; do
    command -v ${cc%% *} >/dev/null || { skip "calls: no ${cc%% *}"; continue; }
    instrument -spec called.spec -report -- $cc -Wall -Wextra called.cc -o prog
    check "calls: $cc: it is compiled, and nothing is said" same "$rc $(grep -c warning log)" "0 0"
    check "calls: $cc: each was told before and behind" ./prog
done
echo 'entry call="smaller" code=";"' >called.spec
instrument -spec called.spec -report -- g++ called.cc -o prog
check "calls: a result that may be a temporary of the call: left alone" has log 'int least\(int\) is left alone: the result of a call may refer'
echo 'entry call="same_one" code=";"' >called.spec
instrument -spec called.spec -report -- g++ -std=c++98 called.cc -o prog
check "calls: a reference in C++98: left alone" has log 'main\(\) is left alone: the result of a call is a class or a ref'
instrument -spec called.spec -report -- g++ -std=c++11 called.cc -o prog
check "... since C++11 it is not" has log 'int main\(\): 1 place'

# ---- lines of what is preprocessed first ---------------------------------------------------------------------
if command -v gfortran >/dev/null; then
    cat >lines.F90 <<'EOT'
#define TWO 2
#if TWO > 2
! 3



! 7



! 11



#endif
program lines
  integer :: i
  i = TWO
#include "added.h"
  print *, i
  print *, i + 1
end program
EOT
    printf '  i = i + 1\n  i = i + 1\n' >added.h
    for line in 1 2 18 19 20 21 22 23; do
        printf 'file="lines.F90" line=%s code="! rule %s of @LINE@"\n' $line $line
    done >lines.spec
    instrument -spec lines.spec -report=json -o out.f90 lines.F90
    check "rules of lines: of the file, not of what its preprocessor makes of it" has log '"lines":7,'
    awk '/^ *!.*rule/ { printf "%s ", $3 " " $5 } !/^#/ && NF && !/rule/ { printf "%s|", $0 }' out.f90 >told
    check "rules of lines: each before its own" same "$(cat told)" \
        "1 1 2 2 program lines|  integer :: i|18 18   i = 2|19 19   i = i + 1|  i = i + 1|20 20   print *, i|21 21   print *, i + 1|22 22 end program|"
    printf 'entry lang="fortran" code="print *, @LINE@, @BEGIN_LINE@, @END_LINE@"\nfile="*" line=21 code="i = i * 10"\n' >lines.spec
    check "rules of lines: it is compiled" "$program" -spec lines.spec -- gfortran lines.F90 -o prog
    check "rules of lines: what runs" same "$(echo $(./prog))" "16 16 22 4 41"
else
    skip "rules of lines in Fortran: no gfortran"
fi

# ---- debug information -----------------------------------------------------------------------------------
functions() { # OBJECT: name and line of each function
    readelf --debug-dump=info "$1" | awk '
        /DW_TAG_/ { f = /DW_TAG_subprogram/ }
        f && /DW_AT_name/ { sub(/.*: /, ""); n = $0 }
        f && /DW_AT_decl_line/ { print n, $NF }' | grep -vE '^ez_|^(external|declaration)' | sort
}
for file in nested_loops.c macro_return.c line_numbers.c switch.c; do
    cp "$here/snippets/$file" .
    gcc -g -std=gnu99 -c "$file" -o plain.o
    instrument -spec "$spec" -- gcc -g -std=gnu99 -c "$file" -o probed.o
    functions plain.o >plain
    functions probed.o >probed
    check "$file: functions and their lines in the debug information" cmp plain probed
    check "$file: the unit's name" same "$(readelf --debug-dump=info probed.o | grep -m 1 'DW_AT_name' | sed 's/.*: //')" \
        "$(readelf --debug-dump=info plain.o | grep -m 1 'DW_AT_name' | sed 's/.*: //')"
    "$program" -spec "$spec" -report=json -o out.c "$file" -- -std=gnu99 | tr '{' '\n' |
        sed -n 's/.*"routine":"[^(]*[ *]\([a-z_0-9]*\)(.*/\1/p' | sort >told
    sed 's/ .*//' plain | grep -vE '^(exit|START|abort)$' >names
    check "$file: the routines that are told are those of the debug information" cmp told names
done

# ---- what cannot be compiled so -----------------------------------------------------------------------------
printf '#!/bin/sh\nprintf "%%s\\n" "$@" | grep -c "^[^-].*\\.f90\$" >passed\n' >gfortran
chmod +x gfortran
echo 'entry code="continue"' >many.spec
mkdir many
i=0
while [ $i -lt 4097 ]; do
    i=$((i + 1))
    printf 'subroutine s%d\nend subroutine\n' $i >many/$i.f90
done
instrument -spec many.spec -- ./gfortran -c many/*.f90
check "more files than one command can compile: one is left" \
    same "$(cat log)" "eztsh-instrument: many/999.f90 is not instrumented: One command cannot compile more than 4096 files"
check "... and the compiler gets all" same "$rc $(cat passed)" "0 4097"
check "... nothing is left in TMPDIR" clean
cat >noclang.c <<'EOT'
int clang_parseTranslationUnit2(void) { return 1; } /* CXError_Failure */
EOT
gcc -shared -fPIC -o noclang.so noclang.c
LD_PRELOAD=$work/noclang.so instrument -spec "$spec" -- gcc -c main.c
check "libclang fails: the file is compiled as it is" same "$rc $(cat log)" \
    "0 eztsh-instrument: main.c is not instrumented: main.c: libclang cannot parse it"

# ---- a signal ----------------------------------------------------------------------------------------------
printf '#!/bin/sh\necho $$ >compiling\nexec sleep 600\n' >slow
chmod +x slow
"$program" -spec "$spec" -- ./slow -c main.c &
pid=$!
children="$children $pid"
until_ok 20 test -s compiling
children="$children $(cat compiling)"
check "while the compiler runs there is a file" [ -n "$(ls -A tmp)" ]
kill -TERM "$pid"
wait "$pid"
check "SIGTERM: its status" same "$?" 143
check "SIGTERM: nothing is left in TMPDIR" clean
kill "$(cat compiling)"
finish
