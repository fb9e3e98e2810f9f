#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh - whole sessions: each NAME.ezt is fed to eztsh, and the output on both streams must be
# NAME.out. One line "ok - ", "not ok - " or "skip - " per session.
#
#   tests/e2e/run.sh [-u] [NAME...]     -u: write what was printed to NAME.out instead
#
# The commands arrive on standard input, so an error does not end the session and a
# question answers itself. Comments at the head of a script:
#   # target: PROG ARG...       a program of tests/targets (the usual first line)
#   # background: PROG ARG...   started before; @PID@ in the script is its number
#   # threads: N                the session begins when it has so many threads
#   # unprivileged              not as root; as "nobody" then, if that can be had
# A session runs in a folder of its own, which has a link to each program of
# tests/targets, and ends with the line [status N]. "$EZTSH" is the eztsh that runs it, for `shell`.
#
#   # columns                 runs of spaces are compared too
#
# In NAME.out: ADDR1, ADDR2... (0x and not 1 to 3 or 8 digits: the same one is the same address,
# and others are others; ADDR is any), PID, TIME, N for a line of source, two spaces for more;
# "~ lines ~" for any lines, none too, and ~any~ for any text inside a line. ~heads~ and ~figures~ are
# the columns of `stats` behind Calls, ~formats~ and ~suffixes~ those of `convert`: tests/unit/shell/read.out has them. "~ words.out: LINE ~" is what
# tests/unit/shell/words.out has behind that line, up to the next command; a line "~ but ~ NAME: TEXT" below takes the
# place of that with NAME.
. "${top_srcdir:-.}/tests/env.sh"
scripts=$top_srcdir/tests/e2e
built=$(cd "$top_builddir" && pwd -P)
theirs=$work/theirs
background=
update=
ended() {
    [ -z "$background" ] || kill -KILL "$background" 2>/dev/null
    cd /
    rm -rf "$work"
}
trap ended EXIT

# Each address is ADDR and its number, as wide as it was where columns are kept.
name_addresses() {
    awk -v wide="$columns" '
        {
            out = ""
            while (match($0, /0x[0-9a-f]+/)) {
                addr = substr($0, RSTART, RLENGTH)
                digits = RLENGTH - 2
                out = out substr($0, 1, RSTART - 1)
                $0 = substr($0, RSTART + RLENGTH)
                if (digits < 4 || digits == 8 || $0 ~ /^[A-Za-z0-9_]/) {
                    out = out addr
                    continue
                }
                key = addr
                sub(/^0x0*/, "", key)
                if (!(key in number))
                    number[key] = ++n
                out = out sprintf("ADDR%0" (wide ? digits - 2 : 1) "d", number[key])
            }
            print out $0
        }'
}

# Whether the kernel tells when threads run depends on the machine (procs/switches.sh), and so does the
# clock of a trace (procs/clock.sh).
mask() {
    name_addresses | sed -E -e '/^The trace does not show when threads did not run: /d' \
        -e '/^The time stamp counter is not reliable on this machine: /d' -e '/^Clock: CLOCK_MONOTONIC\.$/d' -e "s|$folder|DIR|g" -e "s|$theirs/||g" \
        -e "s|$built/([^ \"'(]*tests/targets/)?||g" -e "s|[^ \"'(]*tests/targets/||g" \
        -e 's/process [0-9]+/process PID/g' -e 's/  Threads waited [0-9.]+ [a-z]+ for room \([0-9]+ times?\)\.//' \
        -e 's|/proc/[0-9]+|/proc/PID|g' -e 's/LWP [0-9]+/LWP PID/g' \
        -e 's/-[0-9]+\.fxt/-PID.fxt/g' \
        -e 's/\b[0-9.]+ (ns|us|ms|s)\b/TIME/g' \
        -e 's/(\.[ch], line |\.[ch]:)[0-9]+/\1N/g' -e 's/Line [0-9]+ of /Line N of /' \
        -e 's/^ *TIME +[0-9]+ +(entry|exit)/TIME  PID  \1/' -e 's/attach [0-9]{3,8}$/attach PID/' \
        -e "$spaces" -e 's/ +$//'
}

# Does `actual` look like `expected`? Each run of plain lines is sought where the one
# before it ended; the last one must end the text. Then addresses: one name, one address.
matches() {
    awk -v wide="$columns" '
        function unnumbered(s,    out) {
            for (; match(s, /ADDR[0-9]+/); s = substr(s, RSTART + RLENGTH))
                out = out substr(s, 1, RSTART + 3) (wide ? substr("0000000000000000", 1, RLENGTH - 4) : "")
            return out s
        }
        function like(pat, text,    part, n, i, at) {
            pat = unnumbered(pat)
            text = unnumbered(text)
            n = split(pat, part, /~any~/)
            if (n < 2)
                return pat == text
            if (index(text, part[1]) != 1)
                return 0
            text = substr(text, length(part[1]) + 1)
            for (i = 2; i < n; i++) {
                if (!(at = index(text, part[i])))
                    return 0
                text = substr(text, at + length(part[i]))
            }
            at = length(text) - length(part[n])
            return at >= 0 && substr(text, at + 1) == part[n]
        }
        function run(from, to, at,    i) { # lines from..to of what is wanted stand at `at`?
            for (i = from; i <= to; i++)
                if (at + i - from > got || !like(want[i], line[at + i - from]))
                    return 0
            return 1
        }
        function same(e, a) {
            if ((e in is && is[e] != a) || (a in was && was[a] != e)) {
                print "  line " at ": ADDR" e " of what is wanted is ADDR" a
                return 0
            }
            is[e] = a
            was[a] = e
            return 1
        }
        function addresses(pat, text,    e, a) {
            while (match(pat, /ADDR[0-9]*/)) {
                e = substr(pat, RSTART + 4, RLENGTH - 4)
                pat = substr(pat, RSTART + RLENGTH)
                match(text, /ADDR[0-9]*/)
                a = substr(text, RSTART + 4, RLENGTH - 4)
                text = substr(text, RSTART + RLENGTH)
                if (e != "" && !same(e + 0, a + 0))
                    return 0
            }
            return 1
        }
        FILENAME == ARGV[1] { want[++wanted] = $0; next }
        { line[++got] = $0 }
        END {
            want[++wanted] = "~ lines ~"
            for (i = 1; i <= wanted; i = to + 2) {
                for (to = i - 1; want[to + 1] != "~ lines ~"; to++)
                    ;
                last = to + 1 == wanted && i > 1
                at = pos + 1
                if (last)
                    at = got - (to - i)
                else if (i > 1)
                    while (at <= got && !run(i, to, at))
                        at++
                if (at <= pos || !run(i, to, at))
                    exit 1
                pos = at + to - i
                for (k = i; k <= to; k++)
                    place[k] = at + k - i
            }
            if (pos != got && want[wanted - 1] != "~ lines ~")
                exit 1
            for (i = 1; i <= wanted; i++) {
                at = place[i]
                if (at && want[i] !~ /~any~/ && !addresses(want[i], line[at]))
                    exit 1
            }
        }' "$1" "$2"
}

# ~formats~ and ~suffixes~, as read.out has them in an error.
name_formats() {
    table=$top_srcdir/tests/unit/shell/read.out
    formats=$(sed -n '/ is not a format\. The formats are /{s/.* are //;s/\.$//p;q}' "$table")
    suffixes=$(sed -n '/ the known suffixes are /{s/.* are //;s/\.$//p;q}' "$table")
    sed -e "s/~formats~/$formats/" -e "s/~suffixes~/$suffixes/"
}

# Lists that words.out has: of settings, for one.
take_words() {
    awk -v words="$top_srcdir/tests/unit/shell/words.out" '
        function load(from,    text, inside) {
            while ((getline text <words) > 0) {
                if (inside && text ~ /^\+/)
                    break
                if (inside)
                    line[++n] = text
                inside = inside || text == from
            }
            close(words)
        }
        function name(text) {
            sub(/:.*/, "", text)
            return text
        }
        function put(    i) {
            for (i = 1; i <= n; i++)
                print name(line[i]) in but ? but[name(line[i])] : line[i]
            n = 0
            split("", but)
        }
        /^~ but ~ / { but[name(substr($0, 9))] = substr($0, 9); next }
        { put() }
        /^~ words\.out: / { load(substr($0, 14, length($0) - 15)); next }
        { print }
        END { put() }' "$1"
}

# ~heads~ and ~figures~ of what is wanted, by a table of read.out that has no pauses, and the row below its heads.
name_columns() {
    table=$top_srcdir/tests/unit/shell/read.out
    heads=$(sed -n '/^+stats rank10/,/ events in /{s/^Function  *Library  *Calls  *//p}' "$table" | head -n 1 | sed 's/  */  /g')
    figures=$(sed -n '/^+stats rank10/,/ events in /{/^Function/{n;p}}' "$table" | head -n 1 | sed -E \
        -e 's/^[^ ]+ +[^ ]+ +[0-9]+ +//' -e 's/[0-9.]+ (ns|us|ms|s)\b/TIME/g' -e 's/\b[0-9.]+\b/~any~/g' -e 's/  */  /g')
    sed -e "s/~heads~/$heads/" -e "s/~figures~/$figures/"
}

has_threads() { [ "$(ls "/proc/$background/task" | wc -l)" -ge "${1-1}" ]; }

head_line() { sed -n "s/^# $2: *//p" "$1" | head -n 1; }

session() {
    name=$1
    script=$scripts/$name.ezt
    folder=$work/$name
    as= shell=$eztsh columns= spaces='s/  +/  /g'
    ! grep -q '^# columns' "$script" || columns=1 spaces='s/^//'
    mkdir "$folder" && chmod 777 "$folder" && cd "$folder" || exit 99
    for made in "$top_builddir"/tests/targets/*; do
        case $made in *.fxt*) ;; *) ln -s "$made" . 2>/dev/null ;; esac # a trace that was left there is no program
    done
    if grep -q '^# unprivileged' "$script" && [ "$(id -u)" = 0 ]; then
        if ! other_user $(head_line "$script" target | sed 's/ .*//') libp.so; then
            skip "$name: $why_not"
            return
        fi
        shell=$theirs/eztsh
        ln -sf "$theirs"/* .
        cp -p "$top_srcdir/tests/targets/$(head_line "$script" target | sed 's/ .*//').c" . # it may not read ours
    fi
    set -- $(head_line "$script" background)
    if [ $# -gt 0 ]; then
        prog=$1
        shift
        "./$prog" "$@" >background.out 2>&1 </dev/null &
        background=$!
        until_ok 10 has_threads $(head_line "$script" threads)
    fi
    set -- $(head_line "$script" target)
    [ $# = 0 ] || { prog=./$1; shift; set -- --args "$prog" "$@"; }
    sed "s/@PID@/$background/g" "$script" >commands
    HOME=$folder EZTSH=$shell $as timeout -k 5 $limit "$shell" -q -nx "$@" <commands >printed 2>&1
    echo "[status $?]" >>printed
    if [ -n "$background" ]; then
        kill -KILL "$background" 2>/dev/null
        wait "$background" 2>/dev/null
        background=
    fi
    mask <printed >actual
    if [ "$update" ]; then
        cp actual "$scripts/$name.out"
        return
    fi
    take_words "$scripts/$name.out" | name_columns | name_formats >wanted
    if matches wanted actual; then
        pass "$name"
    else
        fail "$name"
        diff -u wanted actual | sed 1,2d | head -n 120
    fi
    cd "$work" || exit 99
}

if [ "${1-}" = -u ]; then
    update=y
    shift
fi
if [ $# = 0 ]; then
    set -- $(cd "$scripts" && ls ./*.ezt | sed 's|^\./||; s|\.ezt$||')
fi
for one in "$@"; do session "$one"; done
finish
