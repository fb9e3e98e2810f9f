# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of eztsh's command line, for bash. The lists are those of `eztsh -help` (`make completion`).
_eztsh_offer() { # OPTION... of compgen: a name may hold blanks
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}
_eztsh() {
    # the options: begin
    local options="-q -quiet -nx -nh -batch -x -ex -ix -iex -m -p -cd -interpreter -ptrace-log -check -return-child-result -version -help --args"
    local files="-x|--x|-ix|--ix|-ptrace-log|--ptrace-log|-check|--check" folders="-cd|--cd" processes="-p|--p"
    local modules="-m|--m" words="-ex|--ex|-iex|--iex"
    # the options: end
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} dash= name
    COMPREPLY=()
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
    if [[ "|$processes|" == *"|$prev|"* ]]; then
        _eztsh_offer -W "$(cd /proc && echo [0-9]*)" -- "$cur"
    elif [[ "|$folders|" == *"|$prev|"* ]]; then
        _eztsh_offer -d -- "$cur"
    elif [[ "|$modules|" == *"|$prev|"* ]]; then
        _eztsh_offer -W "memory io pthread openmp mpi" -- "$cur"
        _eztsh_offer -f -X '!*.so' -- "$cur"
    elif [[ "|$words|" == *"|$prev|"* ]]; then
        :
    elif [[ $cur == -* && "|$files|" != *"|$prev|"* ]]; then
        for name in $options; do
            case "$name" in -ptrace-log | -interpreter) name=$name= ;; --*) dash= ;; esac
            [[ $dash$name == "$cur"* ]] && COMPREPLY+=("$dash$name")
        done
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        _eztsh_offer -f -- "$cur"
    fi
}
complete -o filenames -F _eztsh eztsh
