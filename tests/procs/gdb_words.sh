#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb_words.sh - every command that gdb has, and every topic and setting of it, is one of eztsh's too, or its error
# says in the same line what there is instead. gdb itself is asked for its words.
. "${top_srcdir:-.}/tests/lib.sh"
command -v gdb >/dev/null || { skip "gdb_words: no gdb here"; exit 77; }

# The names in gdb's lists, its aliases too, of what follows the words before.
names() { # LIST PREFIX
    gdb -nx -batch -ex "help $1" 2>/dev/null |
        sed -n "s/^$2\\([a-z][a-z0-9-]*\\(, [a-z0-9 -]*\\)*\\) -- .*/\\1/p" | tr ',' '\n' | sed "s/^ *$2//; s/^ *//" | grep -v ' '
}
asked() { # TITLE PREFIX FEWEST
    sort -u -o words words
    if [ "$(wc -l <words)" -lt "$3" ]; then fail "$1: gdb has told its words" words; fi
    # those that eztsh completes are its own; the others are typed, and do nothing
    sed "s/^/complete $2/" words >script.ezt
    shell_feed -q
    sed -n "s/^$2\\([a-z0-9-]*\\)\$/\\1/p" log | sort -u >own
    comm -23 words own >others
    sed "s/^/$2/" others >script.ezt
    shell_feed -q
    grep -E '^Undefined.*Try "help[^"]*"\.$' log >bare # with no sentence behind
    if [ -s own ] && [ -s others ] && [ "$(wc -l <log)" -ge "$(wc -l <others)" ] && [ ! -s bare ]; then
        pass "$1: $(wc -l <own) are here, $(wc -l <others) others say what there is instead"
    else
        fail "$1: each answers, or says what there is instead" bare
    fi
}
# what would run, or begin a block, where it is an alias of something that eztsh has
names all '' | grep -vxE 'python|py|python-interactive|pi|guile|gu|guile-repl|gr|[a-z]' >words
asked commands '' 150
names info 'info ' >words
asked 'info' 'info ' 50
names set 'set ' >words
asked 'set' 'set ' 80
names show 'show ' >words
asked 'show' 'show ' 80
finish
