#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# peers.sh - what other tracers cost per call of the same function, beside eztsh. If a tool is
# not installed, or cannot run here, a line says so. Prints; asserts nothing.
# Environment: EZTSH, CC, top_srcdir (made by make); PEERS_KEEP=FOLDER keeps the logs.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT PIPE TERM
compile() { ${CC:-cc} -O2 -D_GNU_SOURCE "-I$top_srcdir" "$@"; }
EZTRACE_TRACE_DIR=$dir; export EZTRACE_TRACE_DIR
# shellcheck disable=SC2086
compile "$top_srcdir/tests/bench/peer.c" -o "$dir/peer" &&
    compile -no-pie "$top_srcdir/tests/bench/peer.c" -o "$dir/peer_nopie" &&
    compile -pg "$top_srcdir/tests/bench/peer.c" -o "$dir/peer_pg" &&
    compile -DPEER_LIBRARY -shared -fPIC "$top_srcdir/tests/bench/peer.c" -o "$dir/libpeer.so" &&
    compile -DPEER_PROGRAM "$top_srcdir/tests/bench/peer.c" -o "$dir/peer_lib" "$dir/libpeer.so" \
        -Wl,-rpath,"$dir" || exit 1
cd "$dir" || exit 1

ns() { sed -n 's/.*peer: \([0-9.]*\)$/\1/p' log | tail -n 1; }
native() { "$1" 10000000 2>log >/dev/null && ns; }
bare=$(native ./peer) bare_nopie=$(native ./peer_nopie) bare_pg=$(native ./peer_pg)
bare_lib=$(native ./peer_lib)
echo "a call alone: $bare ns"

# row NAME BARE TOOL COMMAND...: nanoseconds over the bare call
row() {
    name=$1 base=$2 tool=$3
    shift 3
    if ! command -v "$tool" >/dev/null; then
        printf '%-46s %12s\n' "$name" "not installed"
        return
    fi
    timeout -k 5 60 "$@" >log 2>&1 </dev/null
    rc=$? got=$(ns)
    if [ -n "$got" ]; then
        awk -v n="$name" -v a="$got" -v b="$base" 'BEGIN {
            if (a - b > 0.2) printf "%-46s %12.1f ns\n", n, a - b
            else printf "%-46s %12s\n", n, "traced nothing" }'
    else
        printf '%-46s %12s (status %d: %s)\n' "$name" "cannot run" $rc "$(grep . log | tail -n 1 | cut -c 1-90)"
    fi
    [ -z "${PEERS_KEEP-}" ] || cp log "$PEERS_KEEP/$(echo "$name" | tr " /" __)"
    rm -rf uftrace.data ./*.fxt
}
eztsh_row() { name=$1; shift; row "$name" "$bare" "$EZTSH" "$EZTSH" -q -nx -batch -ex 'set ring-size 1024' -ex "$1" -ex 'run 90000' ./peer; }

eztsh_row "eztsh, count the entry" 'probe entry -count compute'
eztsh_row "eztsh, count entry and exit" 'probe -count compute'
eztsh_row "eztsh, record the entry" 'probe entry compute'
eztsh_row "eztsh, record entry and exit" 'probe compute'

row "uftrace, program built with -pg" "$bare_pg" uftrace uftrace record --no-pager -d uftrace.data -F compute ./peer_pg 90000
row "uftrace, full dynamic (-P) on a plain program" "$bare" uftrace uftrace record --no-pager -d uftrace.data -P compute ./peer 90000
# EZTrace traces functions of shared libraries, by a module made for them.
if command -v eztrace_create_plugin >/dev/null; then
    printf 'BEGIN_MODULE\nNAME peer\nDESC "compute"\nint compute(int x)\nEND_MODULE\n' >peer.tpl
    { eztrace_create_plugin peer.tpl && make -C output; } >plugin.log 2>&1 || cat plugin.log
fi
row "eztrace, a function of a library" "$bare_lib" eztrace_create_plugin \
    eztrace -l output -t peer ./peer_lib 90000
row "bpftrace, uprobe" "$bare" bpftrace bpftrace -e "uprobe:$dir/peer:compute { @c = count(); }" -c "$dir/peer 90000"
row "bpftrace, uprobe and uretprobe" "$bare" bpftrace bpftrace \
    -e "uprobe:$dir/peer:compute { @c = count(); } uretprobe:$dir/peer:compute { @d = count(); }" -c "$dir/peer 90000"

# gdb: a breakpoint with commands; tracepoints need gdbserver, fast ones its library too.
printf 'set pagination off\nset confirm off\nbreak compute\ncommands\nsilent\ncontinue\nend\nrun 900\n' >break.gdb
row "gdb, breakpoint that goes on" "$bare" gdb gdb -q -nx -batch -x break.gdb ./peer
agent=$(find /usr/lib /usr/local/lib -name libinproctrace.so 2>/dev/null | head -n 1)
cat >server.sh <<'END'
# KIND CALLS COLLECT PRELOAD: gdb drives gdbserver through its standard input
printf 'set pagination off\nset confirm off\nset circular-trace-buffer on\ntarget remote | gdbserver %s - ./peer_nopie %s\nbreak main\ncontinue\n%s *compute\nactions\n%s\nend\nbreak _exit\ntstart\ncontinue\ntstatus\ninfo tracepoints\n' \
    "$4" "$2" "$1" "$3" >trace.gdb
exec gdb -q -nx -batch -x trace.gdb ./peer_nopie
END
row "gdb tracepoint, registers collected" "$bare_nopie" gdbserver sh server.sh trace 900 'collect $regs' ''
if [ -n "$agent" ]; then
    wrap="--wrapper env LD_PRELOAD=$agent --"
    row "gdb fast tracepoint, nothing collected" "$bare_nopie" gdbserver \
        sh server.sh ftrace 9000 '' "$wrap"
    row "gdb fast tracepoint, registers collected" "$bare_nopie" gdbserver \
        sh server.sh ftrace 9000 'collect $regs' "$wrap"
else
    printf '%-46s %12s\n' "gdb fast tracepoint (libinproctrace.so)" "not installed"
fi
