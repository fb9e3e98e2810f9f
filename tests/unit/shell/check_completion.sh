#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_completion.sh - doc/completion/ completes the options that `eztsh -help` lists, and what stands
# behind each. With -u: write the lists into the files instead (`make completion`).
set -eu
eztsh=${EZTSH:-./eztsh}
files=${srcdir:-.}/doc/completion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "-x|FILE|run the commands in FILE", a line each; the second is empty where there is no value
"$eztsh" -help | sed -n '/^  -/p' | awk '{
    line = substr($0, 3)
    match(line, /  +/)
    names = substr(line, 1, RSTART - 1)
    means = substr(line, RSTART + RLENGTH)
    n = split(names, one, /, /)
    for (i = 1; i <= n; i++) {
        equals = one[i] ~ /=/ ? "=" : ""
        gsub(/[ =]/, "|", one[i])
        m = split(one[i], part, "|")
        if (part[1] == "--args")
            part[2] = ""
        print part[1] "|" part[2] "|" means "|" equals
    }
}' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 15 ] || { echo "eztsh -help lists too few options" >&2; exit 1; }

awk -F '|' '
    { all = all (NR > 1 ? " " : "") $1; if ($2 != "") of[$2] = of[$2] (of[$2] ? "|" : "") $1 "|-" $1 }
    END {
        print "    local options=\"" all "\""
        print "    local files=\"" of["FILE"] "\" folders=\"" of["DIR"] "\" processes=\"" of["PID"] "\""
        print "    local modules=\"" of["NAME"] "\" words=\"" of["CMD"] "\""
    }' "$work/options" >"$work/bash.list"
awk -F '|' -v q="'" '
    {
        gsub(/\[/, "\\[", $3)
        gsub(/\]/, "\\]", $3)
        gsub(/:/, "\\:", $3)
        gsub(q, q "\\" q q, $3)
        what = $2 == "" ? "" : $2 == "FILE" ? ":file:_files" : $2 == "DIR" ? ":folder:_files -/" : \
            $2 == "PID" ? ":process:{compadd -- /proc/<->(N\\:t)}" : $2 == "NAME" ? ":module:(memory io pthread openmp mpi)" : \
            $2 == "json" ? ":interpreter:(json console)" : ":command:"
        if ($1 ~ /^--/) print "    " q $1 "[" $3 "]" what q " \\"
        else print "    " q "*" q "{" $1 ",-" $1 "}" q $4 "[" $3 "]" what q " \\"
    }' "$work/options" >"$work/zsh.list"

put() { # FILE LIST: FILE with the list between its two marks
    awk -v f="$2" '
        /# the options: begin/ { print; while ((getline line <f) > 0) print line; skip = 1; next }
        /# the options: end/ { skip = 0 }
        !skip' "$1"
}
put "$files/eztsh.bash" "$work/bash.list" >"$work/eztsh.bash"
# in zsh the list is one command, which has no room for comments
awk -v f="$work/zsh.list" '
    /^_arguments / { print; while ((getline line <f) > 0) print line; skip = 1; next }
    /^    .1:program/ { skip = 0 }
    !skip' "$files/_eztsh" >"$work/_eztsh"
if [ "${1-}" = -u ]; then
    cp "$work/eztsh.bash" "$work/_eztsh" "$files"
    exit 0
fi
for f in eztsh.bash _eztsh; do
    diff -u "$files/$f" "$work/$f" || {
        echo "doc/completion/$f is not what \"eztsh -help\" says: run \"make completion\"" >&2
        exit 1
    }
done

whole=$(cd "$files" && pwd)
complete_bash() { # WORD...: what the last word may become
    bash -c '
        . "$1"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _eztsh eztsh "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' - "$whole/eztsh.bash" "$@"
}
is() { # WANTED WORD...
    want=$1
    shift
    got=$(cd "$work" && complete_bash eztsh "$@" | sort | tr '\n' ' ')
    [ "$got" = "$want " ] || { echo "completion of $*: <$got>, not <$want >" >&2; exit 1; }
}
if command -v bash >/dev/null; then
    mkdir "$work/folder"
    : >"$work/script.ezt"
    is "-ptrace-log=" -pt
    is "--ptrace-log=" --pt
    is "-nh -nx" -n
    is "script.ezt" -x scr
    is "folder" -cd f
    is "-interpreter=console -interpreter=json" -interpreter=
    is "memory" -m mem
    is "script.ezt" --args prog scr
fi
if command -v zsh >/dev/null; then zsh -n "$files/_eztsh"; fi

# In a shell, on a terminal, by Tab.
for shell in bash zsh; do
    if command -v "$shell" >/dev/null && command -v python3 >/dev/null; then
        timeout -k 5 600 python3 -B "${srcdir:-.}/tests/unit/shell/check_completion.py" "$shell" "$whole"
    else
        echo "skip - completion by Tab in $shell: it, or python3, is not here"
    fi
done
