#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# split.sh - debug information that is elsewhere: in .dwo files, in packages of them, in units of types, in a file that dwz
# made. What eztsh says is what gdb says; where gdb cannot read what its compiler writes, it is what eztsh says of the same
# program without such files. Files that are missing, of another build, damaged, or no files.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++ python3

# ---- the program: two units, templates, virtual functions, unnamed and inner types, what is inlined -------------------
mkdir source
cat >source/two.h <<'END'
namespace geo {
enum class kind : short { line = 3, area = 7 };
struct point { int x, y; int sum() const { return x + y; } };
class shape { public: virtual ~shape() {} virtual int size() const { return 1; } kind k = kind::area; protected: point at[2] = { { 1, 2 }, { 3, 4 } }; };
template <class T, int N> struct row { T v[N]; T total() const { T s = 0; for (T x : v) s += x; return s; } };
}
struct user : geo::shape { geo::row<int, 3> r = { { 7, 8, 9 } }; union { int i; float f; } u = { 5 }; struct in { char c; long l; } inner = { 'q', -1 }; int size() const override; geo::point *p = nullptr; };
int over(user &u, geo::point p);
END
cat >source/one.cc <<'END'
#include "two.h"
user global; geo::kind gk = geo::kind::line;
static int scale = 3;
int user::size() const { return 42 + scale; }
static inline int twice(int v) { int w = v * 2; __asm__ volatile("nop"); return w + scale; }
__attribute__((noinline)) int work(user &u, int k)
{
    int sum = 0;
    for (int i = 0; i < k; i++) {
        geo::point q = { i, i + 1 };
        sum += over(u, q) + twice(i);
    }
    return sum + u.size();
}
int main() { geo::point p = { 10, 20 }; global.p = &p; return work(global, 5) == 1; }
END
cat >source/two.cc <<'END'
#include "two.h"
struct only { char name[8]; geo::point p; } keep = { "keep", { 3, 4 } };
namespace geo { static int deep = 17; int reach() { return deep; } }
__attribute__((noinline)) int over(user &u, geo::point p) { only o = keep; o.p.x = u.r.total(); return p.sum() + o.p.x + geo::reach(); }
END
cat >plain.asks <<'END'
break two.cc:4
run
bt
info args
p u
p p
p *u.p
p global
p gk
p keep
p u.inner
p u.k
p (geo::kind)3
p geo::kind::area
ptype struct only
ptype geo::kind
whatis p
whatis u.inner
whatis u.r
p sizeof(user)
p sizeof(geo::shape)
p sizeof(geo::row<int, 3>)
p sizeof(u.inner)
p u.size()
p p.sum()
p geo::deep
p scale
p 'one.cc'::scale
next
info locals
p o
up
info locals
p q
p sum
p global.r.v[1]
END
cat >fast.asks <<'END'
break one.cc:5
info breakpoints
run
bt
info args
info locals
info frame
up
info args
p k
p u.r
info source
info line two.cc:4
tbreak over
continue
bt
p p.y
p u.inner
finish
END

# ---- asking ----------------------------------------------------------------------------------------
marked() { sed 's/.*/echo >> &\\n\n&/' "$1"; }
said_of() { # leaves out what gdb alone has, and folders
    sed "s/^\\((gdb) \\)*//; s|$PWD/[a-z0-9.]*/||g; s|\\./||g; s/^type = class/type = struct/; s/ -gsplit-dwarf//; s/ -fdebug-types-section//" |
        grep -v 'libthread_db\|^Breakpoint 1 at\|^Starting\|^Run till\|^\[Inferior\|^Using host\|^Reading symbols\|^Compilation directory\|^Located in'
}
ours() { # FOLDER ASKS: what we say of its prog
    { echo 'set disable-randomization on'; marked "$2"; } >ours.ezt
    (cd "$1" && timeout -k 5 $limit "$eztsh" -nx ./prog <../ours.ezt 2>&1) | said_of
}
theirs() {
    { gdb_quiet; printf '%s\n' 'unset env LINES' 'unset env COLUMNS'; marked "$2"; } >theirs.gdb
    (cd "$1" && timeout -k 5 $limit gdb -nx -q ./prog <../theirs.gdb 2>&1) | said_of
}
alike() { diff want got; }
as_gdb() { # TITLE FOLDER ASKS
    command -v gdb >/dev/null || { skip "$1: no gdb"; return; }
    theirs "$2" "$3" >want
    ours "$2" "$3" >got
    check "$1: says what gdb says" alike
}
major() { $1 --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p;q'; }
as_before() { # TITLE FOLDER ASKS: as the file `whole`, but for the stack, which depends on the folder's name
    sed 's/0x7ff[0-9a-f]*/STACK/g' whole >want
    ours "$2" "$3" | sed 's/0x7ff[0-9a-f]*/STACK/g' >got
    check "$1: says the same" alike
}
built() { # FOLDER COMPILER OPTION...: its prog, compiled unit by unit
    folder=$1
    shift
    command -v "$1" >/dev/null || return 1
    rm -rf "$folder"
    cp -r source "$folder"
    (cd "$folder" && "$@" -g -w -c one.cc two.cc && "$1" -o prog one.o two.o) >cc.out 2>&1 && return
    fail "$folder: it does not compile: $*" cc.out
    return 1
}

# ---- .dwo files, units of types ----------------------------------------------------------------------
for compiler in g++ 'clang++ -fstandalone-debug'; do
    command -v "${compiler%% *}" >/dev/null || { skip "no ${compiler%% *}"; continue; }
    for v in 4 5; do
        for how in -gsplit-dwarf -fdebug-types-section '-gsplit-dwarf -fdebug-types-section'; do
            title="$compiler -gdwarf-$v $how"
            built made $compiler -gdwarf-$v $how -O0 || continue
            case "$compiler$v$how" in
            g++5*split*types*) # many sections .debug_info.dwo: gdb 13 reads the last one
                built plain $compiler -gdwarf-$v -O0
                ours plain plain.asks >whole
                as_before "$title" made plain.asks ;;
            *) as_gdb "$title" made plain.asks ;;
            esac
        done
        built made $compiler -gdwarf-$v -gsplit-dwarf -O2 && built plain $compiler -gdwarf-$v -O2 || continue
        title="$compiler -gdwarf-$v -gsplit-dwarf -O2"
        ours plain fast.asks >whole
        case $compiler$v in
        clang*5) # clang 19 tells less of the callers in .dwo files, and so does gdb
            [ "$(major clang)" -lt 15 ] || { skip "$title: this clang leaves call sites out"; continue; } ;;
        esac
        as_before "$title" made fast.asks
    done
done
built made clang++ -fstandalone-debug -gdwarf-5 -gsplit-dwarf=single -O0 && as_gdb 'clang++ -gsplit-dwarf=single' made plain.asks

# ---- packages ---------------------------------------------------------------------------------------
packed() { # TITLE COMMAND...: of what is in `made`; then without .dwo files, elsewhere
    what=$1
    shift
    command -v "$1" >/dev/null || { skip "$what: no $1"; return; }
    (cd made && rm -f prog.dwp && "$@" || exit 1) >pack.out 2>&1 || { skip "$what: $1 fails"; return; }
    rm -rf far
    mkdir far hidden
    cp source/* made/prog made/prog.dwp far
    mv made/*.dwo hidden
    as_before "$what" far plain.asks
    mv hidden/* made
    rmdir hidden
}
for compiler in g++ 'clang++ -fstandalone-debug'; do
    command -v "${compiler%% *}" >/dev/null || continue
    for v in 4 5; do
        for how in '' -fdebug-types-section; do
            built made $compiler -gdwarf-$v -gsplit-dwarf $how -O0 || continue
            ours made plain.asks >whole
            packed "$compiler -gdwarf-$v $how, dwp" dwp -e prog
            packed "$compiler -gdwarf-$v $how, llvm-dwp" llvm-dwp one.dwo two.dwo -o prog.dwp
        done
    done
done

# ---- folders ------------------------------------------------------------------------------------------
built made g++ -gsplit-dwarf -O0
ours made plain.asks >whole
rm -rf moved
mv made moved
as_before 'moved' moved plain.asks
printf '%s\n' 'break over' run 'p p' >far.ezt
(cd / && timeout -k 5 $limit "$eztsh" -nx "$work/moved/prog" <"$work/far.ezt") >log 2>&1
check 'moved, from another folder: beside the program' has log '^\$1 = \{x = 0, y = 1\}$'
built made g++ -gsplit-dwarf -O0 "-fdebug-prefix-map=$PWD/made=." # a relative folder
as_before 'a relative folder' made plain.asks
rm -rf made
cp -r source made
(cd made && mkdir obj && g++ -g -w -gsplit-dwarf -c one.cc -o obj/one.o && g++ -g -w -gsplit-dwarf -c two.cc -o "$PWD/obj/two.o" && g++ -o prog obj/*.o)
as_before 'names with folders' made plain.asks

if command -v objcopy >/dev/null; then # in a debug file, whose skeletons name the .dwo files
    built made g++ -gsplit-dwarf -O0
    ours made plain.asks >whole
    (cd made && objcopy --only-keep-debug prog prog.debug && strip prog && objcopy --add-gnu-debuglink=prog.debug prog)
    as_before 'a debug file' made plain.asks
fi

# ---- probes -----------------------------------------------------------------------------------------------
built made g++ -gsplit-dwarf -O2
cat >probes.ezt <<'END'
probe over collect u.r.v[1], p.x, p.y, u.k if p.x >= 2 && u.inner.c == 'q'
probe exit work return $ret
probe twice
probe one.cc:5
run
info probes
events
END
(cd made && timeout -k 5 $limit "$eztsh" -nx ./prog <../probes.ezt) >log 2>&1
check 'a probe reads by the names' has log 'p.x=4.* p.y=5'
check 'its condition too' same "$(grep -c 'p\.x=' log)" 3
check 'what a line is of is told' has log '^Note: line 5 of ".*one\.cc" belongs to twice.*, inlined into work'
check 'what is inlined everywhere is told' has log 'twice is inlined everywhere: into work'

# ---- specifications ---------------------------------------------------------------------------------------
printf '%s\n' 'file="*" line=1 code="#include <stdio.h>"' 'entry code="puts(\"@ROUTINE@\");"' >x.spec
for folder in made plain; do
    [ $folder = made ] || built plain g++ -O2
    (cd $folder && timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load ../x.spec' -ex 'info spec' ./prog) 2>&1 | sed 's/; compiled before//' >$folder.spec
done
check 'specifications find the same routines' cmp made.spec plain.spec
check 'some' has made.spec '^Specification 1: [1-9]'

# ---- files that are not as they should be -------------------------------------------------------------
told() { grep -c "$1" log; }
looked() { # what is said of two.cc's names, then of one.cc's
    printf '%s\n' 'break over' run 'info args' up 'info args' 'p keep' | (cd "${1:-made}" && timeout -k 5 $limit "$eztsh" -nx ./prog) >log 2>&1
    rc=$?
}
ends() { [ "$rc" -lt 2 ]; } # 1: a command before failed
good() { ends && has log '^k = 5$'; }
built made g++ -gsplit-dwarf -O0
cp made/two.dwo two.good
rm made/two.dwo
looked
check 'a missing file: the rest is there' good
check 'a missing file is named' has log 'Could not find DWO file two\.dwo'
check 'once' same "$(told 'Could not find DWO')" 1
built other g++ -gsplit-dwarf -O0 -Dreach=attain
cp other/two.dwo made
looked
check 'a file of another build: the rest is there' good
check 'it is not used, and named' has log 'two\.dwo is not used: it is of another build than '
check 'nothing of it is shown' lacks log '^p = '
head -c 700 two.good >made/two.dwo
looked
check 'a file that was cut: the rest is there' good
check 'it is named' has log 'two\.dwo, which cannot be read: it is damaged'
for what in 'a FIFO' 'a folder' 'a device'; do
    rm -rf made/two.dwo
    case $what in *FIFO) mkfifo made/two.dwo ;; *folder) mkdir made/two.dwo ;; *) ln -s /dev/zero made/two.dwo ;; esac
    looked
    check "$what in its place: the rest is there" good
    check "$what is not opened" has log 'Could not find DWO file two\.dwo'
done
rm -rf made/two.dwo
cat >break.py <<'END'
import random, sys
random.seed(int(sys.argv[3]))
b = bytearray(open(sys.argv[1], "rb").read())
for _ in range(random.choice((1, 4, 64))):
    b[random.randrange(64, len(b))] = random.randrange(256)
open(sys.argv[2], "wb").write(b)
END
bad=
for seed in $(seq "${EZT_SPLIT:-12}"); do
    python3 break.py two.good made/two.dwo "$seed"
    looked
    good || bad="$bad $seed"
done
check 'damaged files harm nobody' same "$bad" ''
if command -v dwp >/dev/null && built made g++ -gdwarf-4 -gsplit-dwarf -fdebug-types-section -O0 && (cd made && dwp -e prog) >/dev/null 2>&1; then
    cp made/prog.dwp dwp.good
    rm made/*.dwo
    bad=
    for seed in $(seq "${EZT_SPLIT:-12}"); do
        python3 break.py dwp.good made/prog.dwp "$seed"
        looked
        ends && has log '^#1|^Breakpoint 1, over' || bad="$bad $seed"
    done
    check 'damaged packages harm nobody' same "$bad" ''
    echo nonsense >made/prog.dwp
    looked
    check 'what is no package is named' has log 'debug information in .*prog\.dwp, which cannot be read: '
fi

# ---- dwz -------------------------------------------------------------------------------------------------
if command -v dwz >/dev/null; then
    for v in 4 5; do
        built made g++ -gdwarf-$v -O0 && built again g++ -gdwarf-$v -O0 -DAGAIN || continue
        ours made plain.asks >whole
        (cd made && dwz -m common.alt ./prog ../again/prog) >dwz.out 2>&1 || { skip "dwz fails: $(head -n 1 dwz.out)"; continue; }
        as_before "dwz -m, DWARF $v" made plain.asks
        as_gdb "dwz -m, DWARF $v" made plain.asks
        rm made/common.alt
        looked
        check "dwz -m, DWARF $v: a missing file is named" has log 'debug information in .*common\.alt, which cannot be found'
    done
else
    skip 'dwz is not here'
fi
finish
