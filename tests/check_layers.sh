#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_layers.sh - does a layer use one that stands above it? (doc/INTERNALS.md, "Layers")
#
# The rooms of the engine say in their README.md, in the line "Uses:", what they may include and
# call. The source shows what they include, the objects what they call. Also: only
# engine/inferior/pt.c calls ptrace and wait, and only shell/ writes to the terminal; every header
# compiles alone. No cycle of calls has 4 files in the engine; in shell/ and cmds/ there is none.
top=${top_srcdir:-.} build=${top_builddir:-.}
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$top" || exit 1
bad=0
not_ok() { # NAME LINES
    printf 'not ok - %s\n%s\n' "$1" "$2"
    bad=1
}

# allowed FOLDER REGEX [FILE]: files of FOLDER, but FILE, include no headers of ours but those that match
allowed() {
    if ! grep -lqE '^ *# *include +"' "$1"/*.[chS] 2>/dev/null; then
        not_ok "includes of $1: there are none"
        return
    fi
    found=$(grep -HnE '^ *# *include +"' "$1"/*.[chS] 2>/dev/null |
        grep -vE "include +\"($2)\"" | grep -vE 'include +"config.h"' | grep -v "^${3:-$1/}:")
    if [ -n "$found" ]; then not_ok "includes of $1" "$found"; else echo "ok - includes of $1"; fi
}

engine() { # ROOM/NAMES...: headers of the engine, as a regular expression
    expr=''
    for h; do expr="$expr${expr:+|}engine/${h%%/*}/(${h#*/})\\.h"; done
    echo "$expr"
}
allowed shell "shell/[a-z_]+\\.h|engine/ezt\\.h|$(engine 'base/base|err|json|vec|strutil|newfile|now' sym/sym dwarf/srcline trace/stats probe/why check/cost eval/eval move/move)" shell/main.c
# main() has the commands register with the shell. So it includes both.
in_main=$(grep -n '^ *# *include +"' shell/main.c | grep -vE '"(shell/[a-z_]+|cmds/(cmd|job/jobs)|engine/check/cost)\.h"')
[ -z "$in_main" ] || not_ok "includes of shell/main.c" "$in_main"
for folder in cmds cmds/*/; do
    allowed "${folder%/}" "cmds/([a-z_]+/)?[a-z_]+\\.h|cmds/commands\\.inc|modules/(compile|instrument/(spec/spec|fragment/fragment))\\.h|shell/(command|hooks|lex|opt|out|parse_word|sess|settings|screen|width)\\.h|engine/ezt\\.h|$(engine 'base/base|err|hash|json|vec|strutil|progress|now|newfile|outfile|foreign' inferior/pt_log \
        sym/sym 'dwarf/srcline|type' expr/proto 'trace/columns|stats|vars|values|samples|messages|replay|live|fxt_in|timeline|calltree|nesting|intervals|diff|slowest|locks|long_messages' analysis/analysis 'record/addup|format' format/convert 'probe/why|types|hand' 'check/check|cost|sampler' eval/eval move/move 'jobs/front|crew|node|mpir|chunk|series' base/installed)"
done
allowed engine/rt 'engine/rt/rt(_priv|_code)?\.h|engine/(ring|data)_abi\.h|modules/ezt_(probe|fragment)\.h|rt_(arch|regs)\.h'
allowed arch "arch/[a-z0-9_/]+\\.(h|inc)|engine/ring_abi\\.h|$(engine 'base/base|err')"
for cpu in arch/*/; do
    allowed "${cpu%/}" "arch/[a-z0-9_/]+\\.(h|inc)|(modules/)?ezt_fragment\\.h|engine/((ring|data)_abi|rt/rt)\\.h|rt_arch\\.h|$(engine 'base/base|err')"
done
allowed modules "modules/(compile|text|tool)\\.h|engine/ring_abi\\.h|$(engine 'base/[a-z]+')"
allowed modules/compiler "modules/compiler/[a-z_]+\\.h|modules/(compile|text|tool|ezt_probe)\\.h|engine/ring_abi\\.h|$(engine 'base/[a-z]+')"
allowed modules/instrument/spec "modules/instrument/spec/[a-z_]+\\.h|modules/text\\.h|$(engine 'base/[a-z]+')"
allowed modules/instrument/fragment "modules/instrument/fragment/[a-z_]+\\.h|modules/(compile|tool|ezt_fragment|instrument/spec/(spec|declare|ftoken))\\.h|$(engine 'base/[a-z]+')"
allowed modules/instrument/source "modules/instrument/source/[a-z_]+\\.h|modules/instrument/spec/(spec|declare|ftoken)\\.h|$(engine 'base/[a-z]+')"
allowed modules/builtin '(range|(mpi|openmp|pthread)_[a-z]+)\.h'
allowed engine/check/cost 'engine/check/cost/[a-z]+\.h|arch/tick\.h'
allowed engine/format/gtg 'engine/format/gtg/[a-z_]+\.h'

# The parts of struct ez_arch: a header each.
arch_parts='abi|clock|codegen|decode|elf|frame|jump|regs|restorer|rt|scan|step|syscalls|trap|trial'

# ---- the rooms of the engine ---------------------------------------------------------------------
rooms=$(sed -n 's|^Uses: |&|p' engine/*/README.md | wc -l)
[ "$rooms" -ge 10 ] || not_ok "rooms of the engine" "$rooms README.md say what they use"
for readme in engine/*/README.md; do
    room=${readme%/README.md}
    may="engine/(ezt|ring_abi|data_abi)\\.h|$room/[a-z0-9_/]+(\\.pb-c)?\\.h"
    for use in $(sed -n 's/^Uses: *//p' "$readme"); do
        case $use in
        arch) may="$may|arch/(arch|$arch_parts|tick)\\.h" ;;
        modules) may="$may|modules/ezt_(probe|interp|fragment)\\.h|modules/builtin/mpi_events\\.h" ;;
        target) may="$may|engine/target\\.h|engine/rt/rt\\.h" ;;
        *)
            [ -d "engine/$use" ] || not_ok "$readme" "there is no engine/$use"
            may="$may|engine/$use/[a-z0-9_]+\\.h"
            ;;
        esac
    done
    allowed "$room" "$may"
done

reach='
    function prune(a, b, i, n, to, kept, in_, changed) { # leaves what lies between circles
        do {
            changed = 0
            for (a in in_) delete in_[a]
            for (a in edge) {
                n = split(edge[a], to); kept = ""
                for (i = 1; i <= n; i++) if (to[i] in edge) { kept = kept " " to[i]; in_[to[i]] }
                if (kept == "") { delete edge[a]; changed = 1 } else edge[a] = kept
            }
            for (a in edge) if (!(a in in_)) { delete edge[a]; changed = 1 }
        } while (changed)
    }
    function reach(a, list, at, i, m, next_) { # seen[a, b]: calls lead from a to b
        m = 1; list[1] = a
        for (at = 1; at <= m; at++) {
            i = split(edge[list[at]], next_)
            for (; i > 0; i--) if (!((a, next_[i]) in seen)) { seen[a, next_[i]]; list[++m] = next_[i] }
        }
    }'
calls=$(for readme in engine/*/README.md; do
    room=${readme%/README.md}
    echo "uses ${room#engine/} $(sed -n 's/^Uses: *//p' "$readme")"
    nm -A "$build/$room"/*.o 2>/dev/null | sed "s|^[^:]*/\([^/:]*\)\.o:|${room#engine/} \1 |"
done | awk '
    $1 == "uses" { for (i = 3; i <= NF; i++) may[$2, $i] = 1; next }
    NF == 5 && $4 ~ /^[TDBRVW]$/ { home[$5] = $1; file[$5] = $1 "/" $2; n++ }
    NF == 4 && $3 == "U" { use[$1 " " $2 " " $4] }
    END {
        for (u in use) {
            split(u, p)
            if (p[3] in home && home[p[3]] != p[1] && !((p[1], home[p[3]]) in may))
                print p[1] "/" p[2] ": " p[3] " is in " home[p[3]]
            from = p[1] "/" p[2]
            if (p[3] in file && file[p[3]] != from) edge[from] = edge[from] " " file[p[3]]
        }
        prune()
        for (a in edge) reach(a)
        for (a in edge) {
            members = ""; k = 0
            for (b in edge) if ((a, b) in seen && (b, a) in seen) { k++; members = members " " b }
            if (k >= 4) print a " is in a cycle of " k " files:" members
        }
        print n + 0
    }
    '"$reach" | LC_ALL=C sort)
defined=$(echo "$calls" | grep -E '^[0-9]+$') calls=$(echo "$calls" | grep -vE '^[0-9]+$')
if [ "$defined" -lt 300 ]; then # link-time optimization leaves other objects
    echo "skip - calls between rooms: the objects name $defined functions"
elif [ -n "$calls" ]; then
    not_ok "calls between rooms" "$calls"
else
    echo "ok - calls between rooms: none of $defined functions is called from below"
fi

# ---- the shell and the commands --------------------------------------------------------------------
# What the shell calls of commands, these register (shell/hooks.h). Only main.o, which has them do so,
# takes symbols of cmds/. No files of both call each other in a circle.
taken=$(for part in shell cmds; do
    find "$build/$part" -name '*.o' -exec nm -A {} + 2>/dev/null |
        sed "s|^[^:]*/\([^/:]*\)\.o:|$part \1 |"
done | awk '
    BEGIN { main["commands_register"]; main["jobs_daemon"]; main["explain_log_open"]; main["explain_log_close"] }
    NF == 5 && $4 ~ /^[TDBRVW]$/ { home[$5] = $1; file[$5] = $1 "/" $2; n++ }
    NF == 4 && $3 == "U" { use[$1 " " $2 " " $4] }
    END {
        for (u in use) {
            split(u, p)
            from = p[1] "/" p[2]
            if (p[1] == "shell" && home[p[3]] == "cmds" && !(p[2] == "main" && p[3] in main))
                print from ": " p[3] " is in " file[p[3]]
            if (p[3] in file && file[p[3]] != from) edge[from] = edge[from] " " file[p[3]]
        }
        prune()
        for (a in edge) reach(a)
        for (a in edge) {
            members = ""; k = 0
            for (b in edge) if ((a, b) in seen && (b, a) in seen) { k++; members = members " " b }
            if (k) print a " is in a cycle of " k " files:" members
        }
        print n + 0
    }
    '"$reach" | LC_ALL=C sort)
defined=$(echo "$taken" | grep -E '^[0-9]+$') taken=$(echo "$taken" | grep -vE '^[0-9]+$')
if [ "$defined" -lt 300 ]; then
    echo "skip - the shell and the commands: the objects name $defined functions"
elif [ -n "$taken" ]; then
    not_ok "the shell takes nothing of the commands" "$taken"
else
    echo "ok - the shell takes nothing of the commands"
fi

# ---- struct ez_target ----------------------------------------------------------------------------
# Each part of it is defined in a header of one room, and all of it is in parts. Compiled with the
# parts of other rooms const, and without those of rooms that it may not use, every file still has
# to compile: so a field is written in one room, and read from below by nobody. (What pointers lead
# to is not held.)
parts=$(mktemp -d) || exit 1
trap 'rm -rf "$parts"' EXIT
mkdir "$parts/engine"
constant="-fsyntax-only -ftrack-macro-expansion=0 -Werror=discarded-qualifiers" # gcc's words
strict=''
for cc in "${CC:-cc}" gcc; do
    [ -z "$strict" ] || break
    echo 'struct a { int x; }; void g(int *); void f(const struct a *p) { g(&p->x); }' |
        $cc $constant -x c - 2>&1 | grep -q 'error: .*discards' && strict=$cc
done
others=$(sed -n '/^struct ez_target {/,/^}/p' engine/target.h | sed '1d;$d' |
    grep -vE '^    struct ez_[a-z]+ [a-z]+;$')
# Did the compiler read this file, as the build noted it, without that header?
without_target() { # FILE
    note=$build/${1%/*}/.deps/$(basename "$1" .c).Po
    grep -qF "${1##*/}" "$note" 2>/dev/null && ! grep -qF engine/target.h "$note"
}
tried=0 held=0 found=''
for readme in $(grep -lE '^Uses:.* target( |$)' engine/*/README.md); do
    [ -n "$strict" ] || break
    room=${readme%/README.md}
    room=${room#engine/}
    sed -n '/^struct ez_target {/,/^}/s/^    struct \([a-z_]*\) .*;.*/\1/p' engine/target.h |
        while read -r part; do
            home=$(grep -l "^struct $part {" engine/*.h engine/*/*.h | sed 's|^engine/||; s|/[^/]*$||')
            echo "$part ${home:-?}"
        done | awk -v room="$room" -v uses=" $(sed -n 's/^Uses://p' "$readme") " '
            NR == FNR { home[$1] = $2 == "ezt.h" ? "process" : $2; next }
            /^struct ez_target \{/ { inside = 1 }
            inside && $1 == "struct" && $3 ~ /;$/ {
                if (home[$2] != room && $2 != "ez_settings" && !index(uses, " " home[$2] " ")) next
                if (home[$2] != room) sub(/struct/, "const struct")
            }
            { print }' - engine/target.h >"$parts/engine/target.h"
    held=$((held + $(grep -c 'const struct' "$parts/engine/target.h")))
    for f in engine/"$room"/*.c; do
        tried=$((tried + 1))
        ! without_target "$f" || continue
        found="$found$($strict $constant -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DEZ_MODULEDIR='""' \
            -I"$parts" -I. -I"$build" "$f" 2>&1 | grep ' error: ' | sed 's/$/;/')"
    done
done
if [ -z "$strict" ]; then
    echo "skip - parts of struct ez_target: no compiler here tells of lost qualifiers as gcc does"
elif [ -n "$others" ]; then
    not_ok "struct ez_target is made of parts alone" "$others"
elif [ -n "$found" ]; then
    not_ok "each part of struct ez_target is one room's" "$found"
elif [ $tried -lt 60 ] || [ $held -lt 20 ]; then
    not_ok "parts of struct ez_target" "$tried files were tried, with $held parts const"
else
    echo "ok - each part of struct ez_target is written in its room alone ($tried files)"
fi

# ---- struct ez_drain -----------------------------------------------------------------------------
# The same for the drain thread: a part is written by the file whose header defines it, and by those that are
# named here. (Each file may take a lock.)
mkdir -p "$parts/drain/engine/record"
tried=0 held=0 found=''
for f in engine/record/drain*.c; do
    [ -n "$strict" ] || break
    own=$(sed -n 's/^struct \(drain_[a-z]*\) {.*/\1/p' "${f%.c}.h" 2>/dev/null | tr '\n' ' ')
    case $f in
    */drain.c) own="drain_life drain_mail drain_rounds" ;;
    */drain_order.c) own=drain_life ;;
    */drain_filter.c) own="$own drain_batch" ;;
    esac
    awk -v own=" $own " '/^struct ez_drain \{/ { inside = 1 }
        inside && $1 == "struct" && $2 ~ /^drain_/ && !index(own, " " $2 " ") { sub(/struct/, "const struct") }
        { print }' engine/record/drain_priv.h >"$parts/drain/engine/record/drain_priv.h"
    tried=$((tried + 1))
    held=$((held + $(grep -c '^    const struct drain_' "$parts/drain/engine/record/drain_priv.h")))
    found="$found$($strict $constant -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -I"$parts/drain" -I. -I"$build" "$f" 2>&1 |
        grep ' error: ' | grep -vE 'pthread_mutex_(un)?lock' | sed 's/$/;/')"
done
if [ -z "$strict" ]; then
    echo "skip - parts of struct ez_drain: no compiler here tells of lost qualifiers as gcc does"
elif [ -n "$found" ]; then
    not_ok "each part of struct ez_drain is one file's" "$found"
elif [ $tried -lt 10 ] || [ $held -lt 100 ]; then
    not_ok "parts of struct ez_drain" "$tried files were tried, with $held parts const"
else
    echo "ok - each part of struct ez_drain is written in its own file ($tried files)"
fi

# ---- headers -------------------------------------------------------------------------------------
# The first include of a source file that the build compiles is tried there.
headers=0
first=$(find shell cmds arch engine modules -name '*.c' -exec awk '
    !/^ *# *include/ || /"config\.h"/ { next }
    /"/ { split($0, part, "\""); print FILENAME, part[2] }
    { nextfile }' {} + | while read -r f h; do [ ! -e "$build/${f%.c}.o" ] || echo "$h"; done)
clang=$(sed -n 's/^LIBCLANG_CFLAGS = //p' "$build/Makefile" 2>/dev/null)
libclang=$(grep -s '^#define HAVE_LIBCLANG 1' "$build/config.h")
for h in $(find shell cmds arch/*.h engine modules -name '*.h'); do
    case $h in engine/rt/*) continue ;; esac # for the blob alone
    [ -n "$libclang" ] || case $h in modules/instrument/source/*) continue ;; esac
    headers=$((headers + 1))
    case "
$first
" in *"
$h
"*) continue ;; esac
    said=$(${CC:-cc} -fsyntax-only -x c -std=gnu11 -D_GNU_SOURCE -I. -Imodules -I"$build" $clang "$h" 2>&1) ||
        not_ok "$h compiles alone" "$(echo "$said" | head -n 3)"
done
[ $headers -ge 60 ] && echo "ok - $headers headers compile alone" || not_ok "headers: $headers"

# ---- decisions -----------------------------------------------------------------------------------
# What an error is, its code and its kind say (engine/base/err.h, engine/code/refusal.h), never its words.
found=$(grep -rnE '\b(strn?str|str(case|n|ncase)?cmp|strcasestr|regexec|fnmatch)\([^;]*(->|\.)(msg|hint)\b' shell cmds engine modules arch \
    --include='*.[ch]')
if [ -n "$found" ]; then not_ok "decisions by the text of errors" "$found"; else echo "ok - errors are told apart by their codes"; fi

# ---- tags ----------------------------------------------------------------------------------------
# A struct, union or enum is defined in one place, so that grep and gdb mean one thing.
twice=$(grep -hoE '^(struct|union|enum) [a-z0-9_]+ \{' $(find shell cmds arch engine modules -name '*.h') | sort | uniq -d)
if [ -n "$twice" ]; then not_ok "tags that are defined twice" "$twice"; else echo "ok - no tag is defined twice"; fi

# ---- paths that are named ------------------------------------------------------------------------
named=$(grep -rnoE '\b(engine|cmds|shell|arch|modules|tests|doc)/[A-Za-z0-9_./-]+\.(c|h|S|sh|py|md|mk)\b' engine cmds shell arch modules \
    doc README.md CONTRIBUTING.md | grep -vE 'NAME|:arch/(x86|arm64)/kernel/|:(cmds/poke|engine/format/conv_first)\.c|\.pb-c\.h$' | while IFS=: read -r file line path; do
    [ -e "$path" ] || echo "$file:$line: $path"
done)
if [ -n "$named" ]; then not_ok "a file is named that is not there" "$named"; else echo "ok - named files are there"; fi

# ---- doc/FAULTS.md -------------------------------------------------------------------------------
# The test that a row names has the words in quotes, and the row's number beside it. Tests name
# no number that has no row.
faults=$(awk -F' [|] ' '/^[|] [0-9]+ [|]/ {
        n = substr($1, 3)
        m = split($4, part, "`")
        if (m < 3) print n "\t-\t"
        for (i = 2; i < m; i += 2) {
            k = split(part[i + 1], words, "\"")
            if (k < 3) print n "\t-\t" part[i]
            for (j = 2; j < k; j += 2) print n "\t" part[i] "\t" words[j]
        }
    }' doc/FAULTS.md)
found=$(echo "$faults" | while IFS="$(printf '\t')" read -r n file words; do
    grep -qF -e "$words" "$file" 2>/dev/null && grep -qE "\bfault $n\b" "$file" ||
        echo "fault $n: $file \"$words\""
done
grep -rnoE '\bfault [0-9]+' tests --include='*.[chS]' --include='*.cc' --include='*.sh' --include='*.py' |
    while IFS=: read -r file line fault; do
        echo "$faults" | cut -f 1 | grep -qx "${fault#fault }" || echo "$file:$line: $fault"
    done)
rows=$(echo "$faults" | cut -f 1 | sort -u | wc -l)
if [ "$rows" -lt 50 ]; then
    not_ok "doc/FAULTS.md: $rows rows were found"
elif [ -n "$found" ]; then
    not_ok "doc/FAULTS.md and the tests say different things" "$found"
else
    echo "ok - doc/FAULTS.md: each of $rows numbers is in its test"
fi

# ---- processors ----------------------------------------------------------------------------------
# No code outside arch/ names a processor: no register, no opcode, no relocation, no system call
# that only x86-64 has, no length of an address. Comments may, as examples. Lines that must, and why:
cpu_allowed='
shell/gdb_words\.c:.*" rsi "      # the short form of reverse-stepi in gdb
engine/process/settings\.c:.*"?tsc[":]      # a value of "set trace-clock": the word of scripts and users
engine/check/cost\.c:.*"tsc"      # the same
engine/base/confine\.c:.*SYS_     # each processor has rt_sigreturn; open and readlink are left out where there is none
engine/sym/sym_fde\.c:     # DWARF has opcodes and forms of these numbers
'
cpu_words='\b(x86|amd64|i386|aarch64|arm64|x64|a64)(_[a-z0-9_]*)?\b|__(x86_64|aarch64|i386|amd64)__'
cpu_words="$cpu_words|\\b[er](ax|bx|cx|dx|si|di|bp|sp|ip|flags)\\b|\\br(8|9|1[0-5])\\b|\\bx(29|30)\\b"
cpu_words="$cpu_words|\\borig_rax\\b|\\b[fg]s_base\\b|\\buser_(pt_)?regs(_struct)?\\b|PTRACE_[GS]ETREGS\\b"
cpu_words="$cpu_words|\\b(rdtsc|cpuid|endbr(64)?|int3|xrstor|xsave|cntvct\\w*|tsc|shstk)\\b|x86_"
cpu_words="$cpu_words|\\b[RE]M?_(X86_64|AARCH64|386|ARM)\\w*|\\bNT_(X86|ARM)_\\w*|\\bSI_KERNEL\\b"
cpu_words="$cpu_words|\\b0x(e8|e9|eb|cc|c3|90|0f|2d0)\\b|\\\\x(e8|e9|eb|cc|c3|90|0f|ff)|(>>|<<) *47\\b|0x7fff+000\\b"
cpu_words="$cpu_words|\\bSYS_(open|stat|lstat|poll|pause|select|fork|vfork|epoll_wait|epoll_create|access|pipe)\\b"
cpu_words="$cpu_words|\\bSYS_(dup2|arch_prctl|rename|unlink|readlink|mkdir|rmdir|getdents|time|alarm|rt_sigreturn)\\b"
uncommented="${CC:-cc} -fpreprocessed -dD -E" # gcc's words; clang knows others
echo | $uncommented - >/dev/null 2>&1 || uncommented="gcc -fpreprocessed -dD -E"
echo | $uncommented - >/dev/null 2>&1 || uncommented="${CC:-cc} -E -P"
cpu_lines() { # FILE...: their lines of code that name a processor
    grep -lE "$cpu_words" "$@" | while read -r f; do
        $uncommented "$f" 2>/dev/null | grep -v '^# ' | grep -E "$cpu_words" | sed "s|^|$f: |"
    done
}
allow=$(echo "$cpu_allowed" | sed 's/ *#.*//; /^$/d' | tr '\n' '|')
found=$(cpu_lines $(find shell cmds modules engine -name '*.[ch]' | sort) | grep -vE "^(${allow%|})")
seen=$(cpu_lines arch/x86_64/*.[ch] arch/aarch64/*.[ch] | wc -l)
if [ "$seen" -lt 100 ]; then
    not_ok "processors are looked for" "only $seen lines of arch/ name one"
elif [ -n "$found" ]; then
    not_ok "a processor is named outside arch/" "$found"
else
    echo "ok - no processor is named outside arch/"
fi

# ---- one place for each --------------------------------------------------------------------------
pt=engine/inferior/pt.c
grep -qE '\bptrace *\(' $pt && grep -qE '\b(printf|puts|putchar|fprintf) *\(' shell/*.c ||
    not_ok "no file calls ptrace, or none prints"

found=$(grep -nE '\b(ptrace|waitpid|wait4) *\(' -r engine cmds shell arch modules --include='*.[ch]' |
    grep -vE "^$pt:|^engine/expr/known\\.c:|^[^:]+:[0-9]+: *(/?\\*|//)") # known.c: prototypes, as text
if [ -n "$found" ]; then not_ok "one file calls ptrace" "$found"; else echo "ok - one file calls ptrace"; fi

found=$(grep -nE '\b(printf|puts|putchar|fprintf) *\(' engine/*/*.c arch/*/*.c $(find cmds -name '*.c') modules/compiler/*.c modules/instrument/spec/*.c |
    grep -vE "^engine/base/fault\\.c:|^engine/expr/known\\.c:|^engine/rt/") # fault.c writes its counts, for the tests
if [ -n "$found" ]; then
    not_ok "the engine and the commands never print" "$found"
else
    echo "ok - the engine and the commands never print"
fi
# JSON has one writer. A key within a text of C is JSON that is written by hand, but for requests that are
# constant as a whole.
json_by_hand() { # FOLDER...
    key='\\"[a-z_]+\\":' value='\\"(%[a-z]|%\.\*s)\\": ?'
    grep -rnE "[{,] ?$key|\"$key|\\{$value|\"$value(%[a-z]+)?\"|\"\\\\\": ?\"" "$@" --include='*.[ch]' |
        grep -vE '^engine/base/json\.c:|\{\\"[^%]*\}(\\n)?"'
}
mkdir "$parts/json"
cat >"$parts/json/by_hand.c" <<'EOF'
printf("{\"n\":%d", n);
printf("{\"%s\": %d}", key, n);
puts(", \"n\": 1");
printf("\"%s\": %d", key, n);
EOF
found=$(json_by_hand shell cmds engine arch modules)
if [ "$(json_by_hand "$parts/json" | wc -l)" != 4 ]; then
    not_ok "JSON by hand is found" "$(json_by_hand "$parts/json")"
elif [ -n "$found" ]; then
    not_ok "JSON is written by hand" "$found"
else
    echo "ok - JSON is written by engine/base/json.h"
fi

# The prefix of a static function names its file, and no two have one name, so that a breakpoint, a
# backtrace and grep mean one place.
static_functions() { # "NAME FILE" for each
    find engine arch cmds shell modules -name '*.[ch]' | sort | xargs awk '
        /^static [^=;]*\(/ && !/^static [a-z_]+ [a-z_]+\[/ {
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            if (name ~ /^[a-z][a-z0-9_]*$/) print name, FILENAME
        }' | sort -u
}
statics=$(static_functions)
n=$(echo "$statics" | wc -l)
[ "$n" -ge 1500 ] || not_ok "static functions: $n were found" ""
found=$(echo "$statics" | awk '{ at[$1] = at[$1] " " $2; n[$1]++ } END { for (f in n) if (n[f] > 1) print f ":" at[f] }')
if [ -n "$found" ]; then not_ok "static functions of one name" "$found"; else echo "ok - $n static functions, each its own name"; fi
found=$(echo "$statics" | awk '$1 !~ /_/')
if [ -n "$found" ]; then not_ok "static functions that say no file" "$found"; else echo "ok - their names are no single words"; fi

# ---- options -------------------------------------------------------------------------------------
# A command that asks for an option that no list has would end the shell.
asked=$(grep -rhoE '\bopt_(given|number|text)\(s, "[^"]+"' cmds | sed 's/.*"\(.*\)"/\1/' | sort -u)
listed=$({
    grep -rhoE --include='*.[ch]' '\.name = "[^"]+"' cmds shell
    grep -hoE '^ *X\([a-z_]+, "[^"]+"' engine/ezt_probes.h # EZ_PROBE_FILTERS
} | sed 's/.*"\(.*\)"/\1/' | sort -u)
lost=$(echo "$asked" | grep -vxF -e "$listed")
if [ -n "$lost" ] || [ -z "$asked" ]; then
    not_ok "options that no table lists" "$lost"
else
    echo "ok - $(echo "$asked" | wc -l) options that commands ask for are in a table"
fi
exit $bad
