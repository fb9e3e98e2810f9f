# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of eztsh's command line, for bash. The lists are those of `eztsh -help` and of the commands (`make
# completion`).
_eztsh_offer() { # OPTION... of compgen: a name may hold blanks
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}
_eztsh_has() { # LIST WORD: the list, separated by "|", has the word
    [[ "|$1|" == *"|$2|"* ]]
}
_eztsh_of() { # COMMAND: its options, those with a value, those with a file, and what its operands are
    # the commands: begin
    case "$1" in
    analyze) options="-top -json -wide -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-top|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    apropos) options="" valued="" files="" operands= first= ;;
    attach) options="-force -held" valued="" files="" operands=pid first= ;;
    calltree) options="-by -percent -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-by|-percent|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    convert) options="-t -o -z -columns -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-t|-o|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="-o" operands=fxt first= ;;
    diff) options="-sort -threshold -by -top -job -window -vs-window -json -wide -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-sort|-threshold|-by|-top|-window|-vs-window|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    events) options="-f -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    graph) options="-by -percent -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-by|-percent|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    help) options="" valued="" files="" operands=command first= ;;
    info) options="" valued="" files="" operands= first= ;;
    record) options="-F -A -m -stap -o -budget" valued="-F|-m|-stap|-o|-budget" files="-o" operands=file first=y ;;
    replay) options="-f -flat -time -no-args -whole -apart -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    report) options="-o -max-size -job -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-o|-max-size|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="-o" operands=fxt first= ;;
    stats) options="-by -of -sort -top -slowest -graph -job -messages -json -live -once -wide -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-by|-of|-sort|-top|-slowest|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    timeline) options="-of -rows -messages -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-of|-rows|-messages|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    top) options="-every -n -by -sort -top -json -from -to -thread -process -rank -function -not -library -caller -callee -depth -min -max -where -no-pauses" valued="-every|-n|-by|-sort|-top|-from|-to|-thread|-process|-rank|-function|-not|-library|-caller|-callee|-depth|-min|-max|-where" files="" operands=fxt first= ;;
    esac
    # the commands: end
}
_eztsh_values() { # COMMAND OPTION: the words that may be its value
    # the values: begin
    case "$1 $2" in
    "calltree -by") echo "all thread process" ;;
    "convert -t") echo "callgrind chrome csv ctf folded html otf otf2 paje perfetto pprof speedscope vite" ;;
    "diff -sort") echo "total self mean calls" ;;
    "diff -by") echo "function library rank" ;;
    "graph -by") echo "all thread process" ;;
    "record -m") echo "memory io pthread openmp mpi" ;;
    "stats -by") echo "function library thread process" ;;
    "stats -sort") echo "total self calls mean min max p50 p90 p99 name" ;;
    "top -by") echo "function thread process" ;;
    "top -sort") echo "rate calls total self mean max name" ;;
    esac
    # the values: end
}
# Completes behind a command: AT is its place in the line, PREV and CUR are the last words.
_eztsh_command() { # AT PREV CUR
    local name=${COMP_WORDS[$1]} prev=$2 cur=$3 dash= program= i word options= valued= files= operands= first=
    _eztsh_of "$name"
    for ((i = $1 + 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if _eztsh_has "$valued" "${word/#--/-}"; then
            ((i++))
        elif [[ $first && $word != -* ]]; then
            program=y
        fi
    done
    [[ $cur == --* ]] && dash=-
    [[ $COMP_CWORD -gt $(($1 + 1)) && ! $program ]] || prev=
    prev=${prev/#--/-}
    if [[ $prev ]] && _eztsh_has "$files" "$prev"; then
        _eztsh_offer -f -- "$cur"
    elif [[ $prev ]] && _eztsh_has "$valued" "$prev"; then
        _eztsh_offer -W "$(_eztsh_values "$name" "$prev")" -- "$cur"
    elif [[ $cur == -* && ! $program ]]; then
        for word in $options; do
            [[ $dash$word == "$cur"* ]] && COMPREPLY+=("$dash$word")
        done
    else
        case "$operands" in
        fxt)
            _eztsh_offer -f -X '!*.fxt' -- "$cur"
            _eztsh_offer -d -- "$cur"
            ;;
        file) _eztsh_offer -f -- "$cur" ;;
        pid) _eztsh_offer -W "$(cd /proc && echo [0-9]*)" -- "$cur" ;;
        command) _eztsh_offer -W "$commands" -- "$cur" ;;
        esac
    fi
}
_eztsh() {
    # the options: begin
    local options="-q -quiet -nx -nh -batch -x -ex -ix -iex -m -p -c -cd -interpreter -ptrace-log -check -return-child-result -version -help --args"
    local files="-x|--x|-ix|--ix|-c|--c|-ptrace-log|--ptrace-log|-check|--check" folders="-cd|--cd" processes="-p|--p"
    local modules="-m|--m" words="-ex|--ex|-iex|--iex"
    local commands="analyze apropos attach calltree convert diff events graph help info record replay report stats timeline top"
    # the options: end
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} dash= name i at= word
    COMPREPLY=()
    # the first word that is neither an option nor the value of one
    for ((i = 1; i < COMP_CWORD && !at; i++)); do
        word=${COMP_WORDS[i]}
        case "$word" in
        --args | --) at=-1 ;;
        =) ((i++)) ;;
        -*) _eztsh_has "$files|$folders|$processes|$modules|$words" "$word" && [[ ${COMP_WORDS[i + 1]} != "=" ]] && ((i++)) ;;
        *) at=$i ;;
        esac
    done
    if [[ $at -gt 0 ]] && _eztsh_has "${commands// /|}" "$word"; then
        _eztsh_command "$at" "$prev" "$cur"
        return
    fi
    if [[ $at == -1 ]]; then # a program and its arguments
        _eztsh_offer -f -- "$cur"
        return
    fi
    # bash splits words at "=", where readline's COMP_WORDBREAKS has it
    if [[ $cur == "=" ]]; then cur= prev=${COMP_WORDS[COMP_CWORD - 1]}=; fi
    if [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}=; fi
    case "$prev" in -interpreter= | --interpreter=) _eztsh_offer -W "json console" -- "$cur"; return ;; esac
    case "$cur" in
    -interpreter=* | --interpreter=*)
        _eztsh_offer -W "${cur%%=*}=json ${cur%%=*}=console" -- "$cur"
        return
        ;;
    --*) dash=- ;;
    esac
    prev=${prev%=}
    if _eztsh_has "$processes" "$prev"; then
        _eztsh_offer -W "$(cd /proc && echo [0-9]*)" -- "$cur"
    elif _eztsh_has "$folders" "$prev"; then
        _eztsh_offer -d -- "$cur"
    elif _eztsh_has "$modules" "$prev"; then
        _eztsh_offer -W "memory io pthread openmp mpi" -- "$cur"
        _eztsh_offer -f -X '!*.so' -- "$cur"
    elif _eztsh_has "$words" "$prev"; then
        :
    elif [[ $cur == -* ]] && ! _eztsh_has "$files" "$prev"; then
        for name in $options; do
            case "$name" in -ptrace-log | -interpreter) name=$name= ;; --*) dash= ;; esac
            [[ $dash$name == "$cur"* ]] && COMPREPLY+=("$dash$name")
        done
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        [[ $at ]] || _eztsh_has "$files" "$prev" || _eztsh_offer -W "$commands" -- "$cur"
        _eztsh_offer -f -- "$cur"
    fi
}
complete -o filenames -F _eztsh eztsh
