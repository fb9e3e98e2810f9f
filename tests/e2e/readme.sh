#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# readme.sh - runs the commands of README.md, doc/TUTORIAL.md, doc/TUTORIAL_JOBS.md, the manual's own text (doc/eztsh.texi) and the man page's
# example: those behind "$ " by /bin/sh, those behind "(eztsh) " by the eztsh that was started last. All must succeed. All run in one folder, which has the example as a
# build has it; mpirun is replaced by a script that sets Open MPI's variables.
. "${top_srcdir:-.}/tests/lib.sh"
unset EZTRACE_TRACE_DIR
mkdir bin
ln -s "$top_builddir" build
ln -s "$top_srcdir/examples" examples
cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = -np ] || exit 2
n=$2 all=
shift 2
for i in $(seq 0 $((n - 1))); do
    OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=$n PMIX_NAMESPACE=1 "$@" </dev/null &
    all="$all $!"
done
for p in $all; do wait "$p" || exit; done
END
# EZTSH may be another program than the build tree's eztsh
printf '#!/bin/sh\nexec "%s" "$@"\n' "$eztsh" >bin/eztsh
printf '#!/bin/sh\nEZT_INCLUDE="%s" exec "%s" "$@"\n' "$top_srcdir/modules" "$(dirname "$eztsh")/eztsh-modc" >bin/eztsh-modc
chmod +x bin/mpirun bin/eztsh bin/eztsh-modc
PATH=$work/bin:$PATH

# The manuals' examples as the others have theirs; lines of a block that show no command stay what they are.
plain() { # DOCUMENT
    case $1 in
    *.texi) awk '/^@end example/ { inside = 0 } { print (inside ? "    " : "") $0 } /^@example/ { inside = 1 }' "$1" |
        sed 's/@\([@{}]\)/\1/g' ;;
    *.1.in) awk '/^\.fi/ { inside = 0 } { print (inside ? "    " : "") $0 } /^\.nf/ && section { inside = 1 }
        /^\.SH/ { section = $2 == "EXAMPLE" }' "$1" | sed 's/\\-/-/g' ;;
    *) cat "$1" ;;
    esac
}

# Commands that eztsh runs as words of its command line. attach goes on as a session.
words=$(eztsh --help | sed '1,/^COMMAND is one of these/d' | awk '$1 != "attach" { printf "%s ", $1 }')
# A script of each block that has commands: block1, block2, ... with a name in its first line.
# A command in the background gets the time that typing the next one would take.
split() {
    rm -f block[0-9]*
    awk -v commands=" $words" '
    function end_session() { if (session) print "END" >file; session = 0 }
    function end_block() {
        end_session()
        if (file) { print "[ -z \"$server\" ] || kill $server" >file; close(file) }
        file = ""
    }
    !/^    / { if (/./ && !inside && !/^[@.]/) last = $0; inside = /./; end_block(); next }
    { line = substr($0, 5); sub(/  +#.*$/, "", line) }
    line ~ /^\$ PATH=/ { next }
    line ~ /^\$ / {
        end_session()
        if (!file) { file = "block" ++n; print "# " last >file; print "set -e; server=" >file }
        line = substr(line, 3)
        split(line, word, / +/)
        session = word[1] == "eztsh" && line !~ /-batch/ && !index(commands, " " word[2] " ")
        print line (session ? " -nx <<\"END\"" : "") >file
        if (line ~ /&$/) {
            print "server=$!" >file
            print "until grep -q libkernel /proc/$server/maps; do sleep 0.02; done" >file
        }
    }
    line ~ /^\(eztsh\) / && session { print substr(line, 9) >file }
    line ~ /^\(eztsh\) / && !session { print "false # no eztsh: " line >file }
    END { end_block(); print n + 0 >"blocks" }'
}

run_blocks() { # DOCUMENT FEWEST
    plain "$top_srcdir/$1" | split
    n=$(cat blocks)
    if [ "$n" -ge "$2" ]; then pass "$1: $n blocks of commands"; else fail "$1: $n blocks of commands"; fi
    for i in $(seq "$n"); do
        name="$1 $i: $(sed -n '1s/^# //p' "block$i" | cut -c 1-60)"
        timeout -k 5 $limit sh "block$i" >log 2>&1 </dev/null
        rc=$?
        if [ $rc = 0 ]; then
            pass "$name"
        elif grep -qE 'built without (OTF2|libdw)|d3, which draws the report' log; then
            skip "$name: no OTF2, libdw or d3 here"
        else
            fail "$name: status $rc" "block$i" log
        fi
        [ "$1 $i" = "README.md 1" ] || continue
        if grep -q 'hits = 105600 recorded' log && grep -qE '^kernel_row +libkernel.so +51200 ' log; then
            pass "README $i: the numbers it shows"
        else
            fail "README $i: the numbers it shows" log
        fi
    done
}

run_blocks README.md 5
run_blocks doc/TUTORIAL.md 6
run_blocks doc/TUTORIAL_JOBS.md 6
run_blocks doc/eztsh.texi 20
run_blocks doc/eztsh.1.in 1
finish
