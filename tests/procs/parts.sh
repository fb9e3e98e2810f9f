#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parts.sh - names given in part: C++ without namespace, class, template arguments or parameters,
# Fortran's m::work, clones that the compiler made; the same functions as gdb takes.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc} cxx=${CXX:-c++}
functions() { awk '$2 == "both" { print $5 }' log | sort; }

cat >parts.cc <<'END'
#define NOINLINE __attribute__((noipa))
namespace ns {
NOINLINE int f(int x) { return x + 1; }
NOINLINE int f(double x) { return x + 2; }
struct S {
    NOINLINE int twice(int x) { return 2 * x; }
    template <class T> NOINLINE T tt(T x) { return x; }
    NOINLINE int operator<<(int x) { return x; }
    NOINLINE int operator()(int x) { return x; }
};
namespace { NOINLINE int anon(int x) { return x - 1; } }
namespace inner { NOINLINE int f(int x) { return x; } }
}
template <class T> NOINLINE T twice(T x) { return x * 2; }
int main(int c, char **v)
{
    ns::S s;
    return ns::f(c) + ns::f(1.0 * c) + s.twice(c) + twice<int>(c) + twice<long>(c) + ns::anon(c) +
           ns::inner::f(c) + s.tt<int>(3) + (s << 1) + s(2) - 29 + 5;
}
END
cat >gdb.py <<'END'
for l in gdb.breakpoints()[0].locations:
    b = gdb.block_for_pc(l.address)
    while not b.function:
        b = b.superblock
    print('begins at 0x%016x' % b.start)
END
if $cxx -O1 -g -no-pie -o parts parts.cc 2>cc.err; then
    command -v gdb >/dev/null || skip "C++, as gdb: there is none here"
    for asked in twice f ns::f 'f(int)' 'ns::f(int)' S::twice ns::S::twice anon tt 'twice<int>' \
        'twice(int)' 'S::operator<<' 'operator()' 'inner::f'; do
        batch -ex 'set trace-auto off' -ex "probe -count '$asked'" -ex 'info probes' ./parts
        functions >ours
        n=$(wc -l <ours)
        check "$asked: found" test "$n" -gt 0
        [ "$n" -lt 2 ] || check "$asked: how many is said" has log "names $n functions; each has a probe\\.\$"
        gdb -nx -batch -ex 'set breakpoint pending off' -ex "break $asked" -x gdb.py ./parts 2>/dev/null |
            sed -n 's/^begins at //p' | sort -u >gdbs
        [ -s gdbs ] && check "$asked: as gdb" cmp ours gdbs
    done
    batch -ex 'set trace-auto off' -ex 'probe -count f' -ex run -ex 'info probes' ./parts
    check "f: each counts" same "$(awk '$2 == "both" { printf "%s ", $6 }' log)" "1 1 1 "
    batch -ex 'x/i f' ./parts
    check "an address of several: an error" has log '^"f" is ambiguous: ns::f\(int\), ns::'
    batch -ex 'x/i inner::f' ./parts
    check "an address of one" has log '<ns::inner::f'
else
    skip "C++: $(head -n 1 cc.err)"
fi

cat >parts.f90 <<'END'
module m
contains
subroutine work(n)
  integer, intent(in) :: n
  if (n > 100) stop 1
end subroutine
end module
program p
  use m
  integer :: i
  do i = 1, 4
    call work(i)
  end do
end program
END
if gfortran -g -o fortran parts.f90 2>cc.err; then
    for asked in m::work work; do
        batch -ex 'set trace-auto off' -ex "probe -count $asked" -ex run -ex 'info probes' ./fortran
        check "Fortran $asked" same "$(awk '$2 == "both" { print $7, $6 }' log)" "m::work 4"
    done
else
    skip "Fortran: $(head -n 1 cc.err)"
fi

cat >clone.s <<'END'
    .globl main
    .type main, @function
main:
    call same.constprop.0
    call same.constprop.0
    xorl %eax, %eax
    ret
    .size main, .-main
    .type same.constprop.0, @function
same.constprop.0:
    leal 3(%rdi), %eax
    nop
    nop
    nop
    ret
    .size same.constprop.0, .-same.constprop.0
    .section .note.GNU-stack,"",@progbits
END
$cc -o clone clone.s || exit 99
batch -ex 'set trace-auto off' -ex 'probe -count same' -ex run -ex 'info probes' ./clone
check "a clone" same "$(awk '$2 == "both" { print $7, $6 }' log)" "same.constprop.0 2"

# Functions with an ABI tag: gcc gives one to all that return std::string or std::list by value.
if command -v g++ >/dev/null; then
    cat >tags.cc <<'END'
#include <list>
#include <string>
struct conf { std::string name(int k) const { return std::string(k, 'n'); } std::list<int> ids() const; };
std::list<int> conf::ids() const { return { 1, 2 }; }
std::string join(int n) { return std::to_string(n); }
int join(const char *) { return 1; }
int main() { conf c; return c.name(3).size() + c.ids().size() + join(2).size() + join(3).size() + join("a") - 8; }
END
    g++ -O0 -w -o tags tags.cc || exit 99
    counted() { # LOCATION: functions and how often each was called
        batch -ex 'set trace-auto off' -ex "probe -count $1" -ex run -ex 'info probes -json' ./tags
        sed -n 's/.*"calls": \([0-9]*\), .*"function": "\([^"]*\)".*/\2 \1/p' log | sort
    }
    both='join(char const*) 1
join[abi:cxx11](int) 2'
    check 'ABI tags: a name without them' same "$(counted join)" "$both"
    check 'ABI tags: with parameters' same "$(counted "'join(int)'")" 'join[abi:cxx11](int) 2'
    check 'ABI tags: with them' same "$(counted 'join[abi:cxx11]')" 'join[abi:cxx11](int) 2'
    check 'ABI tags: in quotes' same "$(counted "'join[abi:cxx11]'")" 'join[abi:cxx11](int) 2'
    check 'ABI tags: of a class' same "$(counted conf::name)" 'conf::name[abi:cxx11](int) const 1'
    check 'ABI tags: in part' same "$(counted ids)" 'conf::ids[abi:cxx11]() const 1'
    check 'ABI tags: in a library' same "$(counted 'tags:join[abi:cxx11]')" 'join[abi:cxx11](int) 2'
fi
finish
