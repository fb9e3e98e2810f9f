#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# types.sh - a specification's declarations of what the program defines: on its source the compiler refuses another type; so
# it is on the binary, in one line with the specification's place. What both take has the program's values.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc
spec() { # DECLARATIONS FORMAT ARGUMENTS
    printf '%s\n' "file=\"*\" line=1 code=\"#include <stdio.h>\\n$1\"" \
        "entry routine=\"main\" code=\"fprintf(stderr, \\\"$2\\\\n\\\", $3);\"" >x.spec
}
on_source() { # FILE
    rm -f probed source.lines
    check "$1: it is compiled" "$program" -spec x.spec -- $cc -w -g -O0 "$1" -o probed
    cp check.out source.said
    ./probed >source.out 2>source.lines </dev/null
}
on_binary() { # COMMAND: the program is ./plain
    rm -f binary.lines
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'run >binary.out 2>binary.lines </dev/null' ./plain >log 2>&1 </dev/null
}
taken() { # FILE DECLARATIONS FORMAT ARGUMENTS VALUES
    spec "$2" "$3" "$4"
    on_source "$1"
    on_binary
    check "$1, $2: the source's values" same "$(cat source.lines)" "$5"
    check "$1, $2: the binary's values" same "$(cat binary.lines)" "$5"
}
refused() { # FILE DECLARATION NAME [WORDS]: an error in the first line of x.spec
    spec "$2" "%d" "($3) != 0"
    on_source "$1"
    check "$1, $2: refused in the source" [ "$(grep -c 'rror:' source.said)" -ge 1 ]
    check "$1, $2: ... and compiled as it is" [ ! -s source.lines ]
    on_binary
    check "$1, $2: refused on the binary, in one line" same "$(grep -c '^x\.spec:1:[0-9]*: error: ' log) $(grep -c 'rror: ' log)" "1 1"
    check "$1, $2: ... in these words" has log "^x\\.spec:1:[0-9]+: error: ${4:-conflicting (types|declaration|type qualifiers)}"
    check "$1, $2: ... and nothing is planted" [ ! -s binary.lines ]
}
left() { # FILE DECLARATION NAME WORDS: the routine is left alone
    spec "$2" "%d" "($3) != 0"
    on_binary
    check "$1, $2: left alone" has log "left alone: $4"
    check "$1, $2: ... and nothing ran" [ ! -s binary.lines ]
}

# ---- C ---------------------------------------------------------------------------------------------------
cat >own.c <<'EOT'
static int level = 42;
int before = 0x11111111, total = 7, behind = 0x22222222;
int table[3] = { 1, 2, 3 };
unsigned big = 4000000000u;
short narrow = -2;
volatile int often = 5;
const int fixed = 6;
__thread int each = 9;
enum color { RED, GREEN } shade = GREEN;
struct pair { int a, b; } both = { 1, 2 };
typedef struct { int x; } T;
T unnamed = { 3 };
typedef unsigned long word_t;
word_t words[2] = { 8, 9 };
int (*way)(int);
static int twice(int n) { return 2 * n; }
int thrice(int n) { return 3 * n; }
static int gone(int n) { return n / 5; }
int main(void)
{
    way = twice;
    each += gone(each);
    each++;
    return twice(level) + thrice(total) + table[0] + narrow + (int)words[0] + unnamed.x + both.a == 0;
}
EOT
if can own.c; then
    gcc -w -g -O0 own.c -o plain
    taken own.c 'static int level; extern int total, table[], thrice(int); static int twice();' '%d %d %d %d %d' \
        'level, total, table[2], twice(4), thrice(4)' '42 7 3 8 12'
    taken own.c 'extern unsigned big; extern short int narrow; extern int volatile often; extern const int fixed;' \
        '%u %d %d %d' 'big, narrow, often, fixed' '4000000000 -2 5 6'
    taken own.c 'struct pair; extern enum color shade; extern struct pair both; extern unsigned long words[2]; extern int (*way)(int);' \
        '%d %lu %d' '&both != 0, words[1], way != 0' '1 9 0'
    taken own.c 'extern unsigned shade; typedef int mine; extern mine table[3];' '%d %d' 'shade, table[1]' '1 2'
    refused own.c 'static long level;' level
    refused own.c 'extern double total;' total
    refused own.c 'extern unsigned total;' total
    refused own.c 'extern int table[5];' 'table[4]'
    refused own.c 'extern long table[];' 'table[0]'
    refused own.c 'extern int *table;' table
    refused own.c 'extern int narrow;' narrow
    refused own.c 'extern int often;' often
    refused own.c 'extern int fixed;' fixed
    refused own.c 'extern int shade;' shade
    refused own.c 'extern int both;' both
    refused own.c 'extern int (*way)(long);' way
    refused own.c 'typedef long mine;\nextern mine total;' total
    refused own.c 'static long twice(int);' 'twice(1)'
    refused own.c 'extern int thrice(long);' 'thrice(1)'
    refused own.c 'extern int thrice;' thrice ".*(redeclared|kind of symbol)"
    refused own.c 'extern int total(void);' 'total()' ".*(redeclared|kind of symbol)"
    left own.c 'extern int each;' each ".*each"
    left own.c 'extern __thread int each;' each ".*each"
    # a struct of the program that the specification defines anew: the source's compiler has it twice
    spec 'struct pair { long a, b; }; extern struct pair both;' '%ld' both.b
    on_binary
    check "own.c: a struct of another size" has log "^x\\.spec:1:[0-9]+: error: the program's both has 8 bytes"
    # in code of a routine
    for point in decl entry exit; do
        printf '%s\n' 'file="*" line=1 code="#include <stdio.h>"' \
            "$point routine=\"main\" code=\"extern long total; fprintf(stderr, \\\"%ld\\\\n\\\", total);\"" >x.spec
        on_source own.c
        check "own.c, $point: refused in the source" same "$(grep -c 'x\.spec:2:.*rror:\|own\.c:.*rror:' source.said)$(cat source.lines)" 1
        on_binary
        check "own.c, $point: refused on the binary" has log "^x\\.spec:2:[0-9]+: error: conflicting types for 'total'"
        sed -i 's/long total/int total/' x.spec
        on_source own.c
        on_binary
        check "own.c, $point: the program's own" same "$(cat source.lines) $(cat binary.lines)" '7 7'
    done
    gcc -w -g -O2 own.c -o plain
    left own.c 'static int gone(int);' 'gone(1)' "the program has no code of gone"
    taken own.c 'extern int total, thrice(int);' '%d %d' 'total, thrice(4)' '7 12'
    refused own.c 'extern long thrice(int);' 'thrice(4)'
fi

# ---- what pointers lead to ------------------------------------------------------------------------------------
cat >points.c <<'EOT'
struct pair { int a, b; };
struct node { struct node *next; int v; };
static struct node last = { 0, 5 }, *head = &last;
int f(struct pair *p)
{
    return p->a + p->b + head->v;
}
int main(void)
{
    struct pair x = { 1, 2 };
    return f(&x) == 0;
}
EOT
cp points.c points.cc
pointed() { # FILE DECLARATIONS EXPRESSION VALUE|WORDS: what code in f has
    printf '%s\n' "file=\"*\" line=1 code=\"#include <stdio.h>\\n$2\"" \
        "entry routine=\"f\" code=\"fprintf(stderr, \\\"%ld\\\\n\\\", (long)($3));\"" >x.spec
    on_binary
    case $4 in
    *has*) check "$1, $2: refused" has log "^x\\.spec:[12]:[0-9]+: error: $4" && check "$1, $2: ... nothing ran" [ ! -s binary.lines ] ;;
    *) check "$1, $2: the program's" same "$(cat binary.lines)" "$4" ;;
    esac
}
for file in points.c points.cc; do
    case $file in *.cc) cc=g++ ;; *) cc=gcc ;; esac
    have $cc || { skip "$file: no $cc"; continue; }
    $cc -w -g -O0 $file -o plain
    pointed $file 'struct node { long v; }; extern struct node *head;' 'head->v' "the program's (struct )?node has 16 bytes"
    pointed $file 'struct node { struct node *n; int v; }; static struct node *head;' 'head->v' 5
    pointed $file 'struct node; extern struct node *head;' 'head != 0' 1
done
gcc -w -g -O0 points.c -o plain
pointed points.c 'struct pair { long a, b; };' 'p->b' "the program's struct pair has 8 bytes"
pointed points.c 'struct pair { int a, b; };' 'p->b' 2
pointed points.c '' 'p != 0' 1

# ---- several files, with debug information and without ---------------------------------------------------------
cat >main.c <<'EOT'
int other(int);
int main(void)
{
    return other(1) == 0;
}
EOT
cat >other.c <<'EOT'
int level = 5, table[4] = { 1, 2, 3, 4 };
static int hidden = 6;
struct pair { int a, b; } both = { 1, 2 };
int other(int n)
{
    return n + hidden + level;
}
EOT
elsewhere() { # DECLARATION NAME WORDS
    spec "$1" "%d" "($2) != 0"
    on_binary
    check "$how, another file, $1: refused" has log "^x\\.spec:1:[0-9]+: error: $3"
    check "$how, another file, $1: ... and nothing is planted" [ ! -s binary.lines ]
}
for how in -g -g0; do
    gcc -w $how -O0 main.c other.c -o plain
    spec 'struct pair { int a, b; }; extern struct pair both; extern int level, hidden, table[], other(int);' '%d %d %d %d %d' \
        'level, hidden, table[3], both.b, other(1)'
    on_binary
    check "$how, another file: its values" same "$(cat binary.lines)" '5 6 4 2 12'
    [ $how = -g ] && words='conflicting types' || words="the program's .* has"
    elsewhere 'extern long level;' level "$words"
    elsewhere 'extern short level;' level "$words"
    elsewhere 'extern long hidden;' hidden "$words"
    elsewhere 'extern int table[9];' 'table[0]' "$words"
    elsewhere 'struct pair { int a, b, c; }; extern struct pair both;' both.a "the program's both has 8 bytes"
    elsewhere 'extern int other;' other "(the program's|'other' redeclared)"
    elsewhere 'extern int level(int);' 'level(1)' "(the program's|'level' redeclared)"
done
# Files are judged one by one.
printf 'int level = 1, f(void);\nint main(void) { return f() + level == 0; }\n' >a.c
printf 'static long level = 77;\nint f(void) { return level; }\n' >b.c
if can a.c; then
    printf '%s\n' 'file="*" line=1 code="#include <stdio.h>\nextern long level;"' \
        'entry code="fprintf(stderr, \"@ROUTINE@ %ld\\n\", level);"' >x.spec
    "$program" -spec x.spec -- gcc -g -c a.c >source.said 2>&1 && "$program" -spec x.spec -- gcc -g -c b.c && gcc a.o b.o -o probed
    ./probed 2>source.lines
    gcc -w -g a.c b.c -o plain
    on_binary
    check "two files: one is left alone" same "$(cat binary.lines)" "$(cat source.lines)"
    check "two files: ... the other is not" same "$(cat binary.lines)" 'int f() 77'
    check "two files: why" has log "^a\\.c:2: int main\\(\\) is left alone: conflicting types for 'level'"
fi

# ---- C++ ---------------------------------------------------------------------------------------------------
cat >own.cc <<'EOT'
static int level = 42;
int total = 7, table[3] = { 1, 2, 3 };
extern const int fixed = 6;
enum class kind : short { A, B } sort = kind::B;
struct pair { int a, b; } both = { 1, 2 };
namespace {
int hidden = 11;
int under(int n) { return n + 1; }
}
namespace ns {
int inner = 12;
struct C { static int count; };
int C::count = 13;
}
int &refers = total;
const char *word = "w";
extern "C" { int plain_c = 14; }
static int twice(int n) noexcept { return 2 * n; }
int thrice(int n) { return 3 * n; }
int main()
{
    return twice(level) + thrice(total) + table[0] + hidden + under(1) + ns::inner + ns::C::count + both.a + *word == 0;
}
EOT
if can own.cc; then
    g++ -w -g -O0 own.cc -o plain
    taken own.cc 'static int level; extern int total, table[]; extern int &refers; static int twice(int) noexcept; extern int thrice(int);' \
        '%d %d %d %d %d %d' 'level, total, table[2], refers, twice(4), thrice(4)' '42 7 3 7 8 12'
    taken own.cc 'extern int level; extern const char *word; extern const int fixed; enum class kind : short; extern kind sort;' \
        '%d %s %d %d' 'level, word, fixed, (int)sort' '42 w 6 1'
    for how in 'extern int hidden, under(int);' 'static int hidden, under(int);' 'namespace { extern int hidden; int under(int); }'; do
        case $how in *{*) what=hidden values=11 ;; *) what='hidden + under(1)' values=13 ;; esac
        taken own.cc "$how" '%d' "$what" $values
    done
    taken own.cc 'namespace ns { extern int inner; } extern \"C\" int plain_c;' '%d %d' 'ns::inner, plain_c' '12 14'
    taken own.cc 'namespace { namespace { } } extern \"C\" { extern int plain_c; }' '%d' 'plain_c' '14'
    refused own.cc 'static long level;' level
    refused own.cc 'extern long level;' level
    refused own.cc 'extern long total;' total
    refused own.cc 'extern int table[5];' 'table[0]'
    refused own.cc 'extern int fixed;' fixed
    refused own.cc 'extern long &refers;' refers
    refused own.cc 'extern char *word;' '*word'
    refused own.cc 'extern long hidden;' hidden
    refused own.cc 'namespace { extern long hidden; }' hidden
    refused own.cc 'namespace ns { extern long inner; }' ns::inner
    refused own.cc 'extern \"C\" long plain_c;' plain_c
    refused own.cc 'extern \"C\" { extern long plain_c; }' plain_c
    refused own.cc 'enum class kind : int; extern kind sort;' '(int)sort' "the program's sort has 2 bytes"
    refused own.cc 'static long twice(int) noexcept;' 'twice(1)' 'the program has: int twice\(int\)'
    refused own.cc 'extern long thrice(int);' 'thrice(1)' 'the program has: int thrice\(int\)'
fi
finish
