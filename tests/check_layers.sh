#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_layers.sh - does any include point the wrong way? (doc/INTERNALS.md, "Layers")
# Also: only engine/pt.c calls ptrace and wait, and only shell/ writes to the terminal.
top=${top_srcdir:-.}
cd "$top" || exit 1
bad=0

# allowed FOLDER REGEX: what files of FOLDER may include of ours
allowed() {
    if ! grep -lqE '^ *# *include +"' "$1"/*.[chS] 2>/dev/null; then
        echo "not ok - includes of $1: there are none"
        bad=1
        return
    fi
    found=$(grep -HnE '^ *# *include +"' "$1"/*.[chS] 2>/dev/null |
        grep -vE "include +\"($2)\"" | grep -vE 'include +"config.h"')
    if [ -n "$found" ]; then
        printf 'not ok - includes of %s\n%s\n' "$1" "$found"
        bad=1
    else
        echo "ok - includes of $1"
    fi
}

allowed shell 'shell/[a-z_]+\.h|cmds/[a-z_]+\.h|engine/(ezt|base|err|vec|stats|sym|text|why)\.h'
allowed cmds 'cmds/[a-z_]+\.h|engine/(ezt|base|err|vec|check|cost|stats|convert|sym|text|replay|live|fxt_in|timeline|why|progress)\.h|shell/(out|sess)\.h|modules/compile\.h'
allowed engine 'engine/[a-z0-9_/]+\.h|arch/(arch|tick)\.h'
allowed engine/rt 'engine/rt/rt(_priv)?\.h|engine/ring_abi\.h|rt_arch\.h'
allowed arch 'arch/[a-z0-9_/]+\.h|engine/(base|err|ring_abi)\.h'
allowed arch/x86_64 'arch/[a-z0-9_/]+\.(h|inc)|engine/(base|err|ring_abi|rt/rt)\.h|rt_arch\.h'
allowed engine/cost 'engine/cost/[a-z]+\.h|arch/tick\.h'
allowed engine/gtg 'engine/gtg/[a-z_]+\.h'

# What is looked for is there at all.
grep -qE '\bptrace *\(' engine/pt.c && grep -qE '\b(printf|puts|putchar|fprintf) *\(' shell/*.c ||
    { echo "not ok - no file calls ptrace, or none prints"; bad=1; }

found=$(grep -nE '\b(ptrace|waitpid|wait4) *\(' -r engine cmds shell arch --include='*.[ch]' |
    grep -vE '^engine/pt\.c:|^[^:]+:[0-9]+: *(/?\*|//)')
if [ -n "$found" ]; then
    printf 'not ok - one file calls ptrace\n%s\n' "$found"
    bad=1
else
    echo "ok - one file calls ptrace"
fi

found=$(grep -nE '\b(printf|puts|putchar|fprintf) *\(' engine/*.c arch/*/*.c cmds/*.c | grep -v 'engine/pt\.c')
if [ -n "$found" ]; then
    printf 'not ok - the engine and the commands never print\n%s\n' "$found"
    bad=1
else
    echo "ok - the engine and the commands never print"
fi
exit $bad
