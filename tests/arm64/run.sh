#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh - eztsh built for AArch64, under qemu-user: all that needs no process. Files are shown with
# their own instructions; a trace of this machine is read, with the same output as by the eztsh of
# this machine; probes are refused in one line. qemu-user has no ptrace, so boot.sh tests live
# processes.
#
# This takes half a minute, most of it to build. sysroot.sh makes the libraries that it needs;
# without them it is skipped.
. "${top_srcdir:-.}/tests/env.sh"
sysroot=${EZT_ARM64_SYSROOT:-}
cc=${EZT_ARM64_CC:-aarch64-linux-gnu-gcc}
command -v "$cc" >/dev/null || { skip "arm64: no $cc (gcc-aarch64-linux-gnu)"; finish; }
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) ||
    { skip "arm64: no qemu-aarch64 (qemu-user-static)"; finish; }
[ -n "$sysroot" ] && ls "$sysroot"/usr/lib/aarch64-linux-gnu/libbfd.so >/dev/null 2>&1 ||
    { skip "arm64: no libraries: tests/arm64/sysroot.sh DIR, then EZT_ARM64_SYSROOT=DIR/sysroot"; finish; }
QEMU_LD_PREFIX=$sysroot
export QEMU_LD_PREFIX

# ---- building ------------------------------------------------------------------------------------
build=${EZT_ARM64_BUILD:-$work/build}
mkdir -p "$build"
cross() {
    cd "$build" && "$top_srcdir/configure" -q --host=aarch64-linux-gnu --enable-werror --enable-fault-injection \
        --without-otf2 CC="$cc --sysroot=$sysroot" CXX=false CFLAGS=-O0 &&
        timeout 1800 make -s -j2 eztsh ezt-gtg
}
if [ -e "$top_srcdir/config.status" ]; then # configure would refuse
    skip "arm64: the sources are configured in their own folder"
    finish
fi
if (cross) >build.log 2>&1; then pass "eztsh is built for AArch64"; else
    fail "eztsh is built for AArch64" build.log
    finish
fi
printf '#!/bin/sh\nexec "%s" "%s/ezt-gtg" "$@"\n' "$qemu" "$build" >gtg && chmod +x gtg
arm() { EZT_GTG=$work/gtg timeout $limit "$qemu" "$build/eztsh" -nx -q -batch "$@" </dev/null; }

# has NAME REGEX CMD...: these commands print a line like that
has() {
    name=$1 want=$2
    shift 2
    set -- "$@" # one command a word
    n=$#
    while [ $n -gt 0 ]; do
        set -- "$@" -ex "$1"
        shift
        n=$((n - 1))
    done
    arm "$@" >out 2>&1
    if grep -qE "$want" out; then pass "$name"; else fail "$name" out; fi
}

# ---- files ---------------------------------------------------------------------------------------
cat >prog.c <<'C'
#include <stdio.h>
int compute(int x);
__attribute__((noinline)) int compute(int x)
{
    return puts("x") + x;
}
int main(void)
{
    return compute(1) & 0;
}
C
"$cc" --sysroot="$sysroot" -g -O1 -o prog prog.c || { fail "a program for AArch64"; finish; }
has "info functions" '^0x[0-9a-f]+ +program +compute$' 'file prog' 'info functions ^compute'
has "info symbol" '^compute in section .text' 'file prog' 'info symbol compute'
has "info address" 'is a function at address 0x[0-9a-f]+' 'file prog' 'info address compute'
has "info line" '^Line 4 of ' 'file prog' 'info line compute'
has "disassemble" 'bl	0x[0-9a-f]+ <puts@plt>' 'file prog' 'disassemble compute'
has "disassemble: the end" '	ret$' 'file prog' 'disassemble compute'
has "x/i" '<main\+4>:	mov	x29, sp' 'file prog' 'x/2i main'
has "a library of the system" 'puts' "file $sysroot/lib/aarch64-linux-gnu/libc.so.6" 'info functions ^puts$'
has "a program of another processor" 'is for another|not for|aarch64' "file $eztsh"

# ---- probes --------------------------------------------------------------------------------------
no='^eztsh cannot plant probes on aarch64 yet\.$'
has "probe" "$no" 'file prog' 'probe compute'
has "probe -r" "$no" 'file prog' 'probe -r .'
has "probe without a program" "$no" 'probe compute'

# ---- traces --------------------------------------------------------------------------------------
cat >traced.c <<'C'
int inner(int x), outer(int x);
__attribute__((noinline)) int inner(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}
__attribute__((noinline)) int outer(int x)
{
    return inner(x) + inner(x + 1);
}
int main(void)
{
    int x = 0;
    for (int i = 0; i < 500; i++)
        x = outer(x) & 7;
    return x & 0;
}
C
${CC:-cc} -O1 -o traced traced.c || { fail "a program for this machine"; finish; }
if ! "$eztsh" -nx -q -batch -ex 'file traced' -ex 'trace start t.fxt' -ex 'probe inner' \
    -ex 'probe outer' -ex run </dev/null >trace.log 2>&1 || [ ! -s t.fxt ]; then
    fail "a trace of this machine" trace.log
    finish
fi
size=$(wc -c <t.fxt)
head -c $((size - 100)) t.fxt >cut.fxt

# both NAME OUT CMD: the same is printed here and there, and OUT is the same, unless it is -
both() {
    rm -f "$2"
    "$eztsh" -nx -q -batch -ex "$3" </dev/null >here 2>&1
    rc=$?
    [ "$2" = - ] || mv "$2" here.out
    arm -ex "$3" >there 2>&1
    [ "$?,$(cat there)" = "$rc,$(cat here)" ] && [ -s here ] &&
        { [ "$2" = - ] || cmp -s "$2" here.out; } && pass "$1" || fail "$1" here there
}
both "stats" - "stats t.fxt"
both "stats -json" - "stats t.fxt -json -by thread,function"
both "timeline" - "timeline t.fxt"
both "info histogram" - "info histogram . t.fxt"
for format in csv chrome paje folded speedscope callgrind; do
    both "convert: $format" "t.$format" "convert t.fxt -t $format -o t.$format"
done
both "report" t.html "report t.fxt -o t.html"
both "a trace that was cut off" - "stats cut.fxt"
cp cut.fxt mended.fxt
"$eztsh" -nx -q -batch -ex "trace repair mended.fxt" </dev/null >here 2>&1
mv mended.fxt here.fxt
cp cut.fxt mended.fxt
arm -ex "trace repair mended.fxt" >there 2>&1
if cmp -s here there && cmp -s here.fxt mended.fxt; then pass "trace repair"; else
    fail "trace repair" here there
fi
finish
