#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# operands.sh - texts in expressions: where an address is needed they get memory in the program, functions of the program
# take them, and `?:` chooses one. gdb judges, for the same stop.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc gdb python3
need_libdw
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
# The program's memory is got by mmap, and gdb's by malloc, so addresses differ.
try() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" texts.c || return
    sed 's/.*/echo \\n>> &\\n\n&/' both >questions
    asked_both ./prog "texts.c:$line"
    sed -E -i 's/0x[0-9a-f]{9,}/0xADDRESS/g' ours theirs
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said
    check "$title: $(grep -c '>>' questions) answers about texts are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
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
finish
