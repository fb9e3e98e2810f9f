#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# places.sh - places of one specification, on source code and on the program that was built without it: the lines that
# keywords stand for are the same, and what a compiler says of wrong code names the specification's line.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc

both() { # FILE: the lines in source.lines and binary.lines
    rm -f probed plain
    check "$1: it is instrumented" "$program" -spec x.spec -- $cc -w -g -O0 "$1" -o probed
    check "$1: it is built plainly" $cc -w -g -O0 "$1" -o plain
    ./probed >source.out 2>source.lines </dev/null
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'run >binary.out 2>binary.lines </dev/null' ./plain >log 2>&1 </dev/null
    check "$1: the same lines" diff source.lines binary.lines
    check "$1: there are some" [ -s binary.lines ]
}

# ---- wrong code ------------------------------------------------------------------------------------
printf 'int f(int n)\n{\n    if (n)\n        return n;\n    for (int i = 0; i < 3; i++)\n        n += i;\n    return f(1);\n}\nint main(void)\n{\n    return f(1) - 1;\n}\n' >w.c
sed 's/    for/    try { if (n) throw n; } catch (int) { n++; }\n    for/' w.c >w.cc
printf 'integer function f(n)\n  integer :: n\n  f = n\n  if (n > 2) return\n  call s(n)\nend function\nsubroutine s(n)\n  integer :: n, i\n  do i = 1, n\n    n = n + 0\n  end do\nend subroutine\nprogram p\n  integer :: f, i\n  i = f(1)\nend program\n' >w.f90
sed 's/^/      /' w.f90 >w.f
wrong() { # NAME FILE LINE CLAUSE: the compiler's error is in that line of x.spec, on source and on the program
    printf '# one\n\n%s\n' "$4" >x.spec
    rm -f probed
    can "$2" || return
    "$program" -spec x.spec -- $cc -w -g "$2" -o probed >log 2>&1
    check "$2, $1: the compiler names the specification" has log "^x\\.spec:$3:[0-9]+:"
    check "$2, $1: ... and no line of the file for it" lacks log "^$2:[0-9]+:[0-9]+:"
    check "$2, $1: ... it is compiled as it is" [ -x probed ]
}
for file in w.c w.cc; do
    for point in decl init entry exit 'loop entry' 'loop exit' 'entry call="f"' 'exit call="f"'; do
        wrong "$point" $file 3 "$point code=\"wrong here;\""
    done
    wrong 'a rule with file' $file 3 'file="*" line=3 code="wrong here;"'
    wrong 'the second line' $file 3 'entry code="int k = 1; (void)k;\nwrong here;"'
    wrong 'a line that is joined' $file 3 'entry code="int k = 1;\n(void)k; \
wrong here;"'
    wrong 'a macro in a macro' $file 4 'file="*" line=1 code="#define INNER(x) x x\n#define OUTER(x) INNER(x)"
entry code="OUTER(wrong)"'
    wrong 'a macro of several lines' $file 4 'file="*" line=1 code="#define INNER(x) \\\n  x x"
exit code="INNER(wrong)"'
done
wrong throw w.cc 3 'throw code="wrong here;"'
wrong catch w.cc 3 'catch code="wrong here;"'
for file in w.f90 w.f; do
    for point in decl init entry exit 'loop entry' 'loop exit' 'entry call="s"' 'exit call="s"'; do
        wrong "$point" $file 3 "$point code=\"call wrong(((\""
    done
    wrong 'the second line' $file 3 'entry code="continue\ncall wrong((("'
    wrong 'a long line' $file 3 "entry code=\"call $(printf '%0150d' 0 | tr 0 a)(((\""
done

# ---- braces of one clause that another closes -------------------------------------------------------------
printf 'void f(int n)\n{\n    (void)n;\n}\nint main(void)\n{\n    f(1);\n    return 0;\n}\n' >void.c
unbalanced() { # LINE BRACE CLAUSES: an error of the specification, on source and on the program
    printf '# one\n\n%s\n' "$3" >x.spec
    what=${3%%code=*}
    words="x\\.spec:$1:[0-9]+: '$2' in the code"
    if can void.c; then
        "$program" -spec x.spec -- gcc -w -g void.c -o probed >log 2>&1
        check "braces, $what: an error on source" same "$? $(grep -cE "$words" log)" "1 1"
        gcc -w -g void.c -o plain
        timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'info spec' ./plain >log 2>&1 </dev/null
        check "braces, $what: an error on the program" same "$(grep -cE "$words" log)" 1
        check "braces, $what: ... nothing is loaded" lacks log '^Specification '
    fi
}
unbalanced 3 { 'entry routine="f" code="{ int k = 1; (void)k;"
exit routine="f" code="}"'
unbalanced 3 { 'entry code="if (1) {"'
unbalanced 3 } 'abort code="} {"'
unbalanced 4 } 'entry code="\"{\"; /* { */ { // {\n}"
exit code="}"'
unbalanced 3 { 'loop entry code="{"'
unbalanced 3 { 'decl code="struct s { int a; "'
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
entry code="const char *s = \"}{{\"; char c = '{'; if (s[0]) { /* { */ fprintf(stderr, \"> %s%c\\n\", s, c); } // }}"
exit code="\n#if 1\nif (1) {\n#else\nif (0) {\n#endif\nfprintf(stderr, \"<\\n\"); }"
E2
can void.c && both void.c

# ---- lines ----------------------------------------------------------------------------------------------
cat >x.spec <<'E2'
entry code="write (0, '(4(a,i0))') '> @ROUTINE@ ', @LINE@, ' ', @BEGIN_LINE@, '-', @END_LINE@"
exit code="write (0, '(4(a,i0))') '< @ROUTINE@ ', @LINE@, ' ', @BEGIN_LINE@, '-', @END_LINE@"
E2
cat >common.f90 <<'E2'
module store
  integer :: counter = 5
contains
subroutine bump(k)
  integer, intent(in) :: k
  common /blk/ ca, cb(3)
  integer :: ca
  counter = counter + k
  ca = ca + 1
  if (k > 3) then
    counter = counter * 2
  end if

end subroutine bump
recursive subroutine host(n)
  integer :: n, hv
  hv = n
  call inner(hv)
  if (n > 2) then
    hv = 3
  end if
contains
  subroutine never
  end subroutine
  integer function twice(m)
    integer :: m
    twice = 2 * m
  end function
  subroutine inner(m)
    integer :: m
    counter = counter + twice(m) + hv
  end subroutine

  ! the end

end subroutine
end module
program p
  use store
  integer :: i

  ! the first statement stands below
  i = 1
  call bump(i)
  call host(i)
  call bump(4)
contains
  subroutine q
  end subroutine
  ! the end

end program
E2
for file in common.f90 modules.f90 submodules.f90 blocks.f90 no_program_statement.f90 literals.f90 do_loops.f90 fixed_hard.f; do
    can $file || continue
    [ -f $file ] || cp "$here/snippets/$file" .
    both $file
done
# ---- declarations of what the program has for itself ---------------------------------------------------
cat >own.c <<'E2'
static int level = 42, table[3] = { 1, 2, 3 };
static const char *word = "own";
int open_to_all = 3;
static int twice(int a) { return 2 * a; }
int apart(int n) { return n + open_to_all; }
int main(void)
{
    return twice(level) + apart(table[0]) + word[0] - 'o' - 88;
}
E2
cp own.c own.cc
for how in static extern; do
    printf '%s\n' "file=\"*\" line=1 code=\"#include <stdio.h>\\n$how int level, table[3];\\n$how int twice(int);\\n$how const char *word;\\nextern int open_to_all, apart(int);\"" \
        'entry routine="main" code="fprintf(stderr, \"%d %d %d %s %d %d\\n\", level, table[2], twice(4), word, open_to_all, apart(1)); level++; level--;"' >x.spec
    for file in own.c own.cc; do
        can $file || continue
        both $file
        check "$file, $how: they are the program's" same "$(cat source.lines)" '42 3 8 own 3 4'
        both $file # compiled before
    done
done

# ---- TAU's own spelling ------------------------------------------------------------------------------------
cat >tau.c <<'E2'
static int f(int n)
{
    for (int i = 0; i < 2; i++)
        n += i;
    return n;
}
static int g(int n)
{
    while (n > 0)
        n--;
    return n;
}
int main(void)
{
    return f(1) + g(2) - 2;
}
E2
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
loop entry code="fprintf(stderr, \"loop in @ROUTINE@\\n\");"
BEGIN_INSTRUMENT_SECTION
loops file="tau.c" routine="int g#"
entry file="tau.c" line = 4 code="fprintf(stderr, \"@ROUTINE@ has line 4\\n\");"
memory file="*" routine="#"
static timer name="t" file="tau.c" line=3 to line=4
dynamic phase routine="f"
END_INSTRUMENT_SECTION
E2
if can tau.c; then
    check "TAU: loops, an entry with a line" "$program" -spec x.spec -- $cc -w tau.c -o probed
    cp check.out log
    check "TAU: what has no meaning here is said, a line each" same \
        "$(sed -n 's/^x\.spec:\([0-9]*\):1: warning: \([a-z]*\) is for TAU.*/\1 \2/p' log | tr '\n' ';')" '6 memory;7 static;8 dynamic;'
    check "TAU: loops of the routines that are selected" same "$(./probed 2>&1 | tr '\n' ';')" 'int f(int) has line 4;loop in int g(int);'
    check "TAU: the program is built plainly" $cc -w -g -O0 tau.c -o plain
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'run >binary.out 2>binary.lines </dev/null' ./plain >log 2>&1 </dev/null
    check "TAU: the same on the program, but for loops" same "$(cat binary.lines)" 'int f(int) has line 4'
    check "TAU: ... said there, too" has log '^x\.spec:6:1: warning: memory is for TAU'
fi

# The lines of returns, where they are known (doc/HOWTO_SPEC.md).
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
entry code="fprintf(stderr, \"> @ROUTINE@ @LINE@ %d\\n\", __LINE__);"
exit code="fprintf(stderr, \"< @ROUTINE@ @LINE@ @BEGIN_LINE@-@END_LINE@ %s:%d\\n\", __FILE__, __LINE__);"
abort code="fprintf(stderr, \"! @ROUTINE@ @LINE@\\n\");"
E2
cat >returns.c <<'E2'
#include <stdlib.h>
struct pair { int a, b; };
static struct pair both(int n)
{
    struct pair p = { n, n };
    if (n)
        p.a++;
    return p;
}
static int loop(int n)
{
    for (;;)
        if (n-- < 0)
            return n;
}
static void nothing(int n)
{
    if (n)
        loop(n);
}
static int ends(int n)
{
    if (n)
        exit(0);
    return 1;
}
static double half(double x)
{
    return x /
           2;
}
int main(void)
{
    nothing(both(1).a);
    ends((int)half(2));
    return 0;
}
E2
cat >falls.c <<'E2'
static int f(int n)
{
    return n;
}
int main(void)
{
    int k = f(1);
    if (k)
        f(k);
}
E2
printf 'struct S { int n; ~S() { n = 0; } };\nstatic int f(int n)\n{\n    S s = { n };\n    return s.n + 1;\n}\nint main()\n{\n    S s = { 0 };\n    f(s.n);\n    return 0;\n}\n' >ends.cc
cat >several.c <<'E2'
static int level, inner(int n);
static int first(int n)
{
    if (n == 1)
        return 10;
    if (n == 2) {
        int k = n * 7;
        return k;
    }
    return n;
}
static int down(int n)
{
    if (n <= 1)
        return 1;
    if (n == 3)
        return down(2) * 3;
    return n * down(n - 1);
}
static int table(int n)
{
    if (n == 6) return inner(2), 5;
    switch (n) { /* not so many cases that a table leads to them: then not all returns have room (narrow() below) */
    case 0: return 1;
    case 1: level = 2; /* fall through */
    case 2: return level && n;
    case 3: return n ? first(n), 3 : 4;
    }
    if (n == 7) return -1;
    for (;;) if (n++ > 7) return n;
}
static int inner(int n) { if (n) return level;
    return 0; }
static int brace(int n)
{
    n++;
    return n > 3 && first(n); }
static int row(int n)
{
    for (int i = 0; i < n; i++) { if (i == 4) return 6; }
    return n; }
static float half(double x)
{
    if (x > 2)
        return x / 2;
    while (x > 1)
        if ((x -= 0.5) < 1.2)
            return x;
    return 0;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < 9; i++)
        first(i), down(i), table(i), inner(i & 1), half(i / 3.0), brace(i), row(i);
    if (!argv)
        return argc;
    if (argc > 1000)
        return 4;
    return 0;
}
E2
cat >several.cc <<'E2'
struct S { long a[4]; };
static S big(int n)
{
    if (n == 1)
        return S{ { 1, 2, 3, 4 } };
    S s = { { 5, 6, 7, 8 } };
    return s;
}
struct K {
    int n;
    int get(int i) const { if (i) return n;
        return -1; }
    bool operator<(const K &o) const {
        if (n == 1) return true;
        return n < o.n;
    }
    const int &ref(int i) {
        static int none;
        if (i)
            return n;
        return none;
    }
};
static double real(int n)
{
    switch (n) { case 1: return 1.5;
    case 2: return 2.5; }
    auto of = [n](int k) {
        if (k == n) return 1;
        return 3; };
    return of(5) + of(n);
}
static int thrown(int n)
{
    if (n == 1)
        throw n;
    if (n == 2)
        return thrown(n - 1);
    return 3;
}
int main()
{
    for (int i = 0; i < 4; i++) {
        K k = { i };
        big(i), k.get(i & 1), k < K{ 2 }, k.ref(i & 2), real(i);
        try { thrown(i); } catch (int) { }
    }
    return 0;
}
E2
# Where several returns share what has to be done at their end, none is blamed: the line is the last one of the body.
cat >shared.c <<'E2'
#include <stdio.h>
static int done;
static void note(int *p) { done += *p; }
static int vla(int n)
{
    for (int i = 0; i < 3; i++) {
        int a[n + 1];
        a[i] = i;
        if (i == n)
            return 7;
        if (i == 2)
            return 8;
    }
    return 5;
} // 15
static int cleaned(int n)
{
    int k __attribute__((cleanup(note))) = n;
    if (n == 1)
        return 1;
    return k;
} // 22
static int narrow(int n)
{
    switch (n) {
    case 0: return n;
    case 1: return 100;
    case 2: return 200;
    case 3: return 300;
    case 4: return 400;
    case 5: return 500;
    }
    return 600;
} // 34
int main(void) { for (int i = 0; i < 4; i++) vla(i), cleaned(i), narrow(i); return done == 99; }
E2
cat >shared.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
exit routine="int vla#" code="printf(\"@LINE@\\n\");"
exit routine="int cleaned#" code="printf(\"@LINE@\\n\");"
exit routine="int narrow#" code="printf(\"narrow @LINE@\\n\");"
E2
gcc -g -o shared shared.c && timeout 60 "$eztsh" -nx -batch -ex 'set strategy jump' -ex 'spec load shared.spec' -ex 'run >lines.out' -ex 'info spec -routines' ./shared >log 2>&1
check 'returns that share their end: none is blamed' same "$(grep -v narrow lines.out | sort | uniq -c | tr -s ' \n' ' ')" ' 4 15 4 22 '
check 'a return where no jump can stand, among those of a jump table: the last line' same "$(sed -n 's/^narrow //p' lines.out | tr '\n' ' ')" '34 27 28 29 '
check '... which is said' has log '^The line of 1 return is not known: "info spec -routines" says why\.$'
check '... and why' has log ' a return of narrow .* refused .* (overlaps|an indirect jump may lead into the prologue)'
# Each specification has its own activation of a call.
cat >one.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
exit routine="int first#" code="printf(\"a @LINE@\\n\");"
E2
sed 's/"a /"b /' one.spec >two.spec
gcc -g -o two several.c && timeout 60 "$eztsh" -nx -batch -ex 'spec load one.spec' -ex 'spec load two.spec' -ex 'run >lines.out' ./two >log 2>&1
check 'two specifications of a routine: both know the line' same "$(sed -n 's/^a //p' lines.out | sort | uniq -c)" "$(sed -n 's/^b //p' lines.out | sort | uniq -c)"
check '... and there are several' [ "$(sed -n 's/^a //p' lines.out | sort -u | wc -l)" = 3 ]
for file in returns.c falls.c ends.cc several.c several.cc; do
    can $file && both $file
done
finish
