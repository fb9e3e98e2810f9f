#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_completion.sh - doc/completion/ completes the options that `eztsh -help` lists, the commands that may follow
# eztsh, and what stands behind each. With -u: write the lists into the files instead (`make completion`).
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

# The commands and their options, as --dump-completion writes them. Words for a value that is a text are those that
# the prompt offers; modules are those that eztsh may have, not those of this build.
"$eztsh" --dump-completion >"$work/dumped"
tab=$(printf '\t')
while IFS=$tab read -r line; do
    case $line in
    "option${tab}record${tab}-m$tab"*) words="memory io pthread openmp mpi" ;;
    option*"${tab}text$tab"*)
        command=$(echo "$line" | cut -f 2) option=$(echo "$line" | cut -f 3)
        words=$("$eztsh" -nx -batch -ex "complete $command $option " | sed 's/.* //' | tr '\n' ' ' | sed 's/ $//')
        ;;
    *) words= ;;
    esac
    printf '%s\n' "$line" | awk -F '\t' -v OFS='\t' -v words="$words" '{ if (words) { $4 = "words"; $5 = words } sub(/[,;]$/, ""); print }'
done <"$work/dumped" >"$work/commands"
[ "$(grep -c '^command' "$work/commands")" -ge 9 ] || { echo "eztsh has too few commands" >&2; exit 1; }

# ---- bash ----------------------------------------------------------------------------------------
awk -F '|' -v commands="$(awk -F '\t' '/^command/ { printf "%s%s", sep, $2; sep = " " }' "$work/commands")" '
    { all = all (NR > 1 ? " " : "") $1; if ($2 != "") of[$2] = of[$2] (of[$2] ? "|" : "") $1 "|-" $1 }
    END {
        print "    local options=\"" all "\""
        print "    local files=\"" of["FILE"] "\" folders=\"" of["DIR"] "\" processes=\"" of["PID"] "\""
        print "    local modules=\"" of["NAME"] "\" words=\"" of["CMD"] "\""
        print "    local commands=\"" commands "\""
    }' "$work/options" >"$work/bash.options"
awk -F '\t' '
    function put() {
        if (name) printf "    %s) options=\"%s\" valued=\"%s\" files=\"%s\" operands=%s first=%s ;;\n", name, options, valued, files, operands, first
        options = valued = files = ""
    }
    BEGIN { print "    case \"$1\" in" }
    /^command/ { put(); name = $2; operands = $3 == "-" ? "" : $3; first = $4 == "first" ? "y" : "" }
    /^option/ { options = options (options ? " " : "") $3 }
    /^option/ && $4 != "-" { valued = valued (valued ? "|" : "") $3 }
    /^option/ && $4 == "file" { files = files (files ? "|" : "") $3 }
    END { put(); print "    esac" }' "$work/commands" >"$work/bash.commands"
awk -F '\t' '
    BEGIN { print "    case \"$1 $2\" in" }
    /^option/ && $4 == "words" { printf "    \"%s %s\") echo \"%s\" ;;\n", $2, $3, $5 }
    END { print "    esac" }' "$work/commands" >"$work/bash.values"

# ---- zsh -----------------------------------------------------------------------------------------
escape='function escaped(s) {
        gsub(/\[/, "\\[", s)
        gsub(/\]/, "\\]", s)
        gsub(/:/, "\\:", s)
        gsub(q, q "\\" q q, s)
        return s
    }'
awk -F '|' -v q="'" "$escape"'
    {
        $3 = escaped($3)
        what = $2 == "" ? "" : $2 == "FILE" ? ":file:_files" : $2 == "DIR" ? ":folder:_files -/" : \
            $2 == "PID" ? ":process:{compadd -- /proc/<->(N\\:t)}" : $2 == "NAME" ? ":module:(memory io pthread openmp mpi)" : \
            $2 == "json" ? ":interpreter:(json console)" : ":command:"
        if ($1 ~ /^--/) print "    " q $1 "[" $3 "]" what q " \\"
        else print "    " q "*" q "{" $1 ",-" $1 "}" q $4 "[" $3 "]" what q " \\"
    }' "$work/options" >"$work/zsh.options"
awk -F '\t' -v q="'" "$escape"'
    BEGIN { print "commands=(" }
    /^command/ { print "    " q $2 ":" escaped($5) q }
    END { print ")" }' "$work/commands" >"$work/zsh.commands"
awk -F '\t' -v q="'" "$escape"'
    function put() { if (name) print operands " && ret=0 ;;" }
    /^command/ {
        put()
        name = $2
        operands = $4 == "first" ? q "1:program:_files" q " " q "*:argument:_files" q : \
            q $3 "" q
        operands = $4 == "first" ? "            " q "1:program:_files" q " " q "*::argument:_files" q : \
            $3 == "fxt" ? "            " q "*:trace:_files -g \"*.fxt(-.)\"" q : \
            $3 == "file" ? "            " q "*:file:_files" q : \
            $3 == "pid" ? "            " q "*:process:{compadd -- /proc/<->(N\\:t)}" q : \
            $3 == "command" ? "            " q "*:command:{_describe command commands}" q : \
            "            " q "*:word:" q
        print "    " name ")"
        print "        _arguments -S " ($4 == "first" ? "-A " q "-*" q " " : "") "\\"
    }
    /^option/ {
        what = $4 == "-" ? "" : $4 == "file" ? ":file:_files" : $4 == "words" ? ":value:(" $5 ")" : ":value:"
        print "            " q "*" q "{" $3 ",-" $3 "}" q "[" escaped($6) "]" what q " \\"
    }
    END { put() }' "$work/commands" >"$work/zsh.operands"

# ---- fish ----------------------------------------------------------------------------------------
{
    awk -F '|' '$2 != "" && $4 == "" { print $1 }' "$work/options" | tr '\n' ' ' | sed 's/^/    set -l valued /; s/ $//'
    echo
} >"$work/fish.valued"
quoted='function quoted(s) { gsub(/\\/, "\\\\", s); gsub(q, "\\" q, s); return q s q }'
{
    awk -F '|' -v q="'" "$quoted"'
        {
            name = $1
            sub(/^-+/, "", name)
            what = $2 == "" ? "" : $2 == "FILE" ? " -rF" : $2 == "DIR" ? " -xa \"(__fish_complete_directories)\"" : \
                $2 == "PID" ? " -xa \"(__fish_complete_pids)\"" : $2 == "NAME" ? " -xa " q "memory io pthread openmp mpi" q : \
                $2 == "json" ? " -xa " q "json console" q : " -x"
            print "complete -c eztsh -n __eztsh_at " ($1 ~ /^--/ ? "-l " : "-o ") name what " -d " quoted($3)
        }' "$work/options"
    awk -F '\t' -v q="'" "$quoted"'
        /^command/ {
            print "complete -c eztsh -n __eztsh_at -a " $2 " -d " quoted($5)
            at = "complete -c eztsh -n " q "__eztsh_at " $2 q
            print at ($3 == "fxt" ? " -fa \"(__fish_complete_suffix .fxt)\"" : $3 == "file" ? " -F" : \
                $3 == "pid" ? " -fa \"(__fish_complete_pids)\"" : $3 == "command" ? " -fa " q commands q : " -f")
        }
        /^option/ {
            print at " -o " substr($3, 2) ($4 == "-" ? "" : $4 == "file" ? " -rF" : $4 == "words" ? " -xa " q $5 q : " -x") \
                " -d " quoted($6)
        }' commands="$(awk -F '\t' '/^command/ { printf "%s%s", sep, $2; sep = " " }' "$work/commands")" "$work/commands"
} >"$work/fish.completions"

# ---- the files -----------------------------------------------------------------------------------
put() { # LIST NAME: standard input with the list between its two marks
    awk -v f="$1" -v name="$2" '
        index($0, "# the " name ": begin") { print; while ((getline line <f) > 0) print line; skip = 1; next }
        index($0, "# the " name ": end") { skip = 0 }
        !skip'
}
put "$work/bash.options" options <"$files/eztsh.bash" | put "$work/bash.commands" commands |
    put "$work/bash.values" values >"$work/eztsh.bash"
# in zsh the list of options is one command, which has no room for comments
awk -v f="$work/zsh.options" '
    /^_arguments / { print; while ((getline line <f) > 0) print line; skip = 1; next }
    /^    .1:program/ { skip = 0 }
    !skip' "$files/_eztsh" | put "$work/zsh.commands" commands | put "$work/zsh.operands" operands >"$work/_eztsh"
put "$work/fish.valued" valued <"$files/eztsh.fish" | put "$work/fish.completions" completions >"$work/eztsh.fish"
if [ "${1-}" = -u ]; then
    cp "$work/eztsh.bash" "$work/_eztsh" "$work/eztsh.fish" "$files"
    exit 0
fi
for f in eztsh.bash _eztsh eztsh.fish; do
    diff -u "$files/$f" "$work/$f" || {
        echo "doc/completion/$f is not what eztsh has: run \"make completion\"" >&2
        exit 1
    }
done

# ---- what they complete --------------------------------------------------------------------------
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
    : >"$work/run.fxt"
    is "-ptrace-log=" -pt
    is "--ptrace-log=" --pt
    is "-nh -nx" -n
    is "script.ezt" -x scr
    is "folder" -cd f
    is "-interpreter=console -interpreter=json" -interpreter=
    is "memory" -m mem
    is "script.ezt" --args prog scr
    is "report" repo
    is "stats" -q -x script.ezt stat
    is "folder run.fxt" stats ""
    is "run.fxt" -interpreter = console stats r
    is "-messages" stats -me
    is "--messages" stats run.fxt --me
    is "max mean min" stats -sort m
    is "callgrind chrome csv ctf" convert --t c
    is "script.ezt" record -o scr
    is "-budget" record -b
    is "script.ezt" record -F f script.ezt scr
    is "" record script.ezt -b
    is "attach" help att
    is "" --args stats -m
fi
if command -v zsh >/dev/null; then zsh -n "$files/_eztsh"; fi
if command -v fish >/dev/null; then fish --no-execute "$files/eztsh.fish"; fi

# In a shell, on a terminal, by Tab.
for shell in bash zsh; do
    if command -v "$shell" >/dev/null && command -v python3 >/dev/null; then
        timeout -k 5 600 python3 -B "${srcdir:-.}/tests/unit/shell/check_completion.py" "$shell" "$whole"
    else
        echo "skip - completion by Tab in $shell: it, or python3, is not here"
    fi
done

# fish says itself what it offers.
complete_fish() { # LINE: the words, without their descriptions
    (cd "$work" && HOME=$work fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$whole/eztsh.fish" "eztsh $1" | cut -f 1 |
        awk -v word="${1##* }" 'index($0, word) == 1' | sort | tr '\n' ' ') # fish 4 offers words that contain the letters, too
}
fish_is() { # WANTED LINE
    got=$(complete_fish "$2")
    [ "$got" = "$1 " ] || { echo "fish: completion of $2: <$got>, not <$1 >" >&2; exit 1; }
}
if command -v fish >/dev/null; then
    fish_is "-ptrace-log" "-pt"
    fish_is "script.ezt" "-x scr"
    fish_is "stats" "-q -x script.ezt stat"
    fish_is "run.fxt" "stats r"
    fish_is "-messages" "stats -me"
    fish_is "max mean min" "stats -sort m"
    fish_is "callgrind chrome csv ctf" "convert -t c"
    fish_is "script.ezt" "record -o scr"
    fish_is "script.ezt" "record scr"
    fish_is "script.ezt" "--args scr"
else
    echo "skip - completion in fish: it is not here"
fi
