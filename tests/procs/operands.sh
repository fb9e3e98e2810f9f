#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# operands.sh - operands of expressions that are neither plain numbers nor places of the program. Texts: where an address is
# needed they get memory in the program, functions of the program take them, and `?:` chooses one. Complex numbers: casts,
# parts, constants, results of functions. gdb judges, for the same stop, or the compiler what gdb does not have.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc gdb python3
cat >texts.c <<'END'
#include <string.h>
#include <uchar.h>
#include <wchar.h>
int len(const char *s) { return (int)strlen(s); }
char second(char *s) { return s[1]; }
int wide(const wchar_t *s) { return (int)wcslen(s); }
int wide16(const char16_t *s) { return s[1]; }
int wide32(const char32_t *s) { return s[1]; }
const char *same(const char *s) { return s; }
int order(const char *a, const char *b) { return strcmp(a, b); }
unsigned char first(const unsigned char *a) { return a[0]; }
int any(const void *p) { return ((const char *)p)[0]; }
struct s { int x, y; } one = { 1, 2 }, two = { 3, 4 };
char buf[8] = "hello";
int main(void)
{
    int i = 3;
    const char *p = "zyx";
    char a[4] = "abc";
    return len(p) + i + wide(L"ab") + wide16(u"ab") + wide32(U"ab") + order("a", "b") + second(a) + first((unsigned char *)"a") + any("a") + same("b")[0] + one.x + two.x; /* HERE */
}
END
cat >both <<'END'
print "abc"
print "abc" + 1
print 1 + "abc"
print "abc"[1]
print sizeof("abc")
print sizeof "abc"
print *"abc"
print &"abc"
print *("abc" + 1)
print ("abc" + 1)[1]
print "abc" == "abc"
print "abc" "def"
print L"abc"
print L"abc" + 1
print u"abc"
print U"abc"
print L"abc"[1]
print u"abc"[1]
print sizeof(L"abc")
print sizeof(u"abc")
whatis "abc"
whatis L"abc"
whatis "abc" + 1
whatis *"abc"
whatis "abc"[0]
whatis &"abc"
print len("abc")
print len("abc") + len("de")
print len("")
print len("abc" + 1)
print len(same("hello" + 2))
print wide(L"abcd")
print wide16(u"xy")
print wide32(U"xy")
print second("xyz")
print same("hello")
print *same("hello")
print same("hello" + 2)
print order("a", "b")
print order("b", "a")
print first("abc")
print any("abc")
print !"abc"
print "abc" && 1
print "abc" ? 1 : 2
print (char *)"abc"
print (const char *)"abc" + 1
print (long)"abc" != 0
print (unsigned char)"abc"[0]
print p == "zyx"
print a == "abc"
print $_streq(p, "zyx")
print $_memeq(a, "abc", 3)
print $s = "abc"
print $s + 1
print *$s
print $s == "abc"
print/x "abc"
print {char}"abc"
x/s "abc"
x/2dw L"abc"
print i ? "yes" : "no"
print i > 5 ? "yes" : "no"
print i ? a : buf
print i ? p : "abc"
print i ? one : two
print (i > 5 ? one : two).y
print (i ? "yes" : "no")[1]
whatis i ? "yes" : "noo"
whatis i ? one : two
print p = buf
print p = "new"
print second(p)
END
line=$(sed -n '/HERE/=' texts.c)
try() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" texts.c || return
    gdb_judges "$title" texts "texts.c:$line"
}
try gcc gcc -g -O0
try clang clang -g -O0
compiled 'u8' gcc -g texts.c || finish
batch -ex "break texts.c:$line" -ex 'run >printed' -ex 'print u8"abc"' -ex "print u8'a'" -ex 'print len(u8"abcd")' -ex 'print len("abc" + 1)' ./prog
check 'texts of UTF-8 are texts' has log '^\$1 = "abc"$'
check 'so are characters' has log "^\\\$2 = 97 'a'\$"
check 'functions take them' has log '^\$3 = 4$'
batch -ex 'print sizeof("abc")' -ex 'print *"abc"' -ex 'print "abc" + 1' ./prog
check 'without a process a text has a size' has log '^\$1 = 4$'
check 'it has no address' has log '^evaluation of this expression requires the target program to be active$'

# ---- complex numbers: what gdb has of them ---------------------------------------------------------------
cat >complex.c <<'END'
double _Complex twice(double _Complex z) { return z * 2; }
float _Complex single(float _Complex z) { return z * 2; }
long double _Complex longer(void) { return 1.5L + 2.5Li; }
long double _Complex sum(long double _Complex z, int k) { return z + k; }
double _Complex z = 1.0 + 2.0i, y = -3.5 + 0.25i, none = 0;
float _Complex f = 3.0f - 1.0if;
long double _Complex l = 1.0L + 4.0Li;
int main(void)
{
    int i = 3;
    double d = 2.5;
    float fl = 1.5f;
    long double ld = 0.5L;
    return (int)__real__ twice(z) + (int)__real__ longer() + (int)__real__ sum(l, i) + (int)__real__ single(f) + (int)d + (int)fl + (int)ld == 0; /* HERE */
}
END
cat >both <<'END'
print (_Complex double)2
print (double)z
print z + d
print z * d
print d / z
print z + f
print z * f
print z + fl
print z + l
print l * z
print f + d
print f + 0.1
print f + ld
print twice(z)
print twice(z + 1)
print twice(2)
print twice(f)
print single(z)
print longer()
print longer() + 1
print longer() * 2
print sum(l, 2)
print sum(z, 2)
print sum(2, 2)
whatis longer()
print $_creal(z)
print $_cimag(z)
print $_cimag(l)
print $_creal(f)
print $_creal(2)
print $_cimag(twice(z))
print 2i
print 2.0i
print 1 + 2i
print z + 2i
print 2i * 2i
print ~z
print !z
print !none
print z && 1
print none || 0
print z ? 1 : 2
print none ? 1 : 2
set var z = 5
print z
set var f = z
print f
set var l = f
print l
set var d = z
print d
print z += 2
END
line=$(sed -n '/HERE/=' complex.c)
numbers() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" complex.c || return
    sed 's/.*/echo \\n>> &\\n\n&/' both >questions
    asked_both ./prog "complex.c:$line"
    check "$title: $(grep -c '>>' questions) answers about complex numbers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
    batch -ex 'break longer' -ex 'run >printed' -ex finish -ex 'print $' ./prog
    check "$title: finish has the long double complex that was returned" has log '^\$2 = 1\.5 \+ 2\.5i$'
}
numbers gcc gcc -g -O0
numbers clang clang -g -O0

# What gdb does not have: the compiler says what it is.
cat >expressions <<'END'
C (double _Complex)2
C (float _Complex)d
C (long double _Complex)i
C (double _Complex)f
C (float _Complex)y
C (double _Complex)l
C (_Complex double)fl + (double _Complex)2
R (int)y
R (float)y
R (long)l
R (char)z
R (int)(_Bool)none
R (int)(_Bool)2i
R __real__ y
R __imag__ y
R __real__ f
R __imag__ l
R __real__ 3
R __imag__ 3
R __imag d
R __imag__ ld
R __real__ z + 1
R __real (z + 1)
R __imag__ z * 2
R -__imag__ y
R sizeof(__real__ f)
R sizeof(__imag__ l)
R sizeof(f + d)
R sizeof(f + ld)
R sizeof(f + i)
R sizeof(2.0fi)
R sizeof 2.0i
R z == 1
R z != 1 + 2i
R (double _Complex)2 == 2
C y * 2i
C d - 1.5fi
C twice((double _Complex)i)
R __imag__ twice(y)
R (__real__ y) * (__real__ y) + (__imag__ y) * (__imag__ y)
END
{
    sed '/^int main/,$d' complex.c
    echo '#include <stdio.h>'
    sed -n '/^int main/,/ld = /p' complex.c
    sed -n 's/^C \(.*\)/printf("%.17g + %.17gi\\n", (double)__real__ (\1), (double)__imag__ (\1));/p; s/^R \(.*\)/printf("%.17g\\n", (double)(\1));/p' expressions
    echo 'return 0; }'
} >told.c
if compiled 'told' gcc -g -O0 told.c; then
    ./prog >printed
    n=$(sed -n '/printf/{=;q;}' told.c)
    { printf '%s\n' "break told.c:$n" 'run >/dev/null'; sed 's/^. /output (/; s/$/)/' expressions | sed 's/$/\necho \\n/'; } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx ./prog <ours.ezt 2>&1 | sed -n '/printf/,$p' | sed "1d; s/ '.*'\$//" >values
    check "$(wc -l <expressions) values are those that gcc's code computes" cmp printed values
    paste -d '|' expressions printed values | awk -F'|' '$2 != $3' | head
fi
compiled 'parts' gcc -g -O0 complex.c || finish
batch -ex "break complex.c:$line" -ex 'run >printed' -ex 'set var __imag__ z = 7' -ex 'print z' -ex 'print *&__imag__ y' -ex 'print __real__ &z' ./prog
check 'a part can be assigned to' has log '^\$1 = 1 \+ 7i$'
check 'it has an address' has log '^\$2 = 0\.25$'
check 'what is no number has none' has log '^__real__ needs a number\.$'
batch -ex 'probe entry twice if __imag__ z > 1 collect __real__ z, __imag__ z' -ex 'run >printed' -ex events ./prog
check 'probes collect parts' has log 'entry twice  __real__ ?z=1 __imag__ ?z=2$'
# ---- arrays without an end, alignment, nothing ------------------------------------------------------------------------
cat >ends.c <<'END'
#include <stdlib.h>
struct fam { int n; int a[]; };
struct text { int n; char s[]; };
struct holds { char c; struct { double d; short h; } in; char b[3]; };
struct __attribute__((aligned(32))) wide { char c; };
extern int later[];
struct fam given = { 2, { 1, 2 } };
struct text text = { 3, "abc" };
struct holds holds;
struct wide wide;
int main(void)
{
    static int st = 5;
    struct fam *p = malloc(20);
    p->n = 3, p->a[0] = 7, p->a[1] = 8;
    return p->a[0] + given.n + text.n + st + later[0] + holds.c + wide.c; /* HERE */
}
int later[] = { 4, 5, 6 };
END
cat >both <<'END'
print given
print given.a
print *p
print p->a
print p->a[1]
print p->a[0]@2
print *given.a@2
print &given.a
print text
print text.s
print text.s[1]
print later
print sizeof(given)
whatis given.a
print main::st
print (void)0
print (void)st
whatis (void)0
call (void)0
print 1 + (st, 2)
print _Alignof(int)
print _Alignof(struct fam)
print _Alignof(struct text)
print _Alignof(struct holds)
print _Alignof(struct wide)
print _Alignof(double)
print _Alignof(char *)
print _Alignof(long double)
END
compiled ends gcc -g ends.c || finish
line=$(sed -n '/HERE/=' ends.c)
gdb_judges ends 'arrays without an end, alignment and void' "ends.c:$line"
# Each operand of ?: is compiled once, however deep it stands; one that is not chosen may have no meaning.
deep=$(awk 'BEGIN { for (i = 0; i < 60; i++) printf "0 ? 1 : ("; printf "7"; for (i = 0; i < 60; i++) printf ")" }')
batch -ex "print $deep" -ex 'print 0 ? nosuch : given' -ex 'print 1 ? given : nosuch' -ex 'print 1 ? 5 : given' \
    -ex 'print 0 ? 5 : given' -ex 'print 1 ? nosuch : given' ./prog
check 'nested choices: the last one' has log '^\$1 = 7$'
check 'a struct is chosen; the other operand is unknown' same 2 "$(grep -cE '^\$[23] = \{n = 2, a = ' log)"
check 'a number or a struct' has log '^\$4 = 5$'
check 'a struct or a number' has log '^\$5 = \{n = 2, a = '
check 'an unknown one is chosen' has log '^No symbol "nosuch" in current context'
finish
