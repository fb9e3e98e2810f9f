#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_faults.sh - functions that are special in other ways than by their bytes, and
# code that users may not probe.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/faults
all='chosen one_name sizeless red_zone aligned thread_ends program_ends'

# fault 9, fault 10, fault 13, fault 14, fault 27, fault 34
native "$prog"
for mode in auto slots; do
    for how in auto island trap; do
        probed "set trace-auto off
set exit-mode $mode
set strategy $how
probe -count $all
$(exits_of chosen one_name aligned thread_ends program_ends)" "$prog"
        same "9 10 13 14 27 34 exits by $mode, strategy $how"
        sed 's/ chosen / chosen_b /; s/ other_name / one_name /' log >log2 && mv log2 log
        counts "9 10 13 14 27 34 counts, exits by $mode, strategy $how"
    done
done

# fault 9: the probe is on the implementation; the resolver, which has run, is not touched.
printf 'set trace-auto off\nstart\nprobe -count chosen\ninfo textdiff\n' >script.ezt
shell_run "$prog"
grep -q 'chosen_b' log && ! grep -qE '^0x.*choose' log && pass "9 an IFUNC's implementation is probed" ||
    fail "9 an IFUNC's implementation is probed" log

# fault 10: one probe is deleted, the other stays.
printf 'set trace-auto off\nset args >t.out 2>t.err\nstart\nprobe -count one_name\nprobe -count other_name\ndelete 1\ncontinue\ninfo probes\n' >script.ezt
shell_run "$prog"
same "10 one of two aliases deleted"
[ "$(awk '$1 == 2 { print $6 }' log)" = 2000 ] && pass "10 the other alias counts on" ||
    fail "10 the other alias counts on" log

# fault 27: probes that are not at the entry, where the red zone is in use.
for how in jump island pun trap; do
    printf 'set trace-auto off\nset strategy %s\nset args >t.out 2>t.err\nstart\nprobe entry -count *red_zone+19\nprobe entry -count *red_zone+20\ncontinue\ninfo probes\n' $how >script.ezt
    shell_feed "$prog"
    cmp -s n.out t.out && [ "$(awk '$1 == 1 { print $6 }' log)" = 1000 ] &&
        pass "27 in the red zone, strategy $how" || fail "27 in the red zone, strategy $how" log t.out
done

# fault 18: the vDSO, the vsyscall page, our own pages. Same addresses in both runs.
printf 'set trace-auto off\nset disable-randomization on\nstart\nprobe -count one_name\ninfo proc mappings\n' >script.ezt
shell_feed "$prog"
page() { awk -v n="$1" '$NF ~ n || $0 ~ n { sub(/-.*/, "", $1); print $1; exit }' log; }
where="$(page '\\[vdso\\]') $(page 'eztsh: runtime') 0xffffffffff600000"
{
    printf 'set trace-auto off\nset disable-randomization on\nset args >t.out 2>t.err\nstart\nprobe -count one_name\n'
    for a in $where; do printf 'probe entry *%s+16\n' "$a"; done
    printf 'continue\n'
} >script.ezt
shell_feed "$prog"
n=$(grep -cE '^(Cannot probe|No symbol|No function).*0x' log)
[ "$(echo "$where" | wc -w)" = 3 ] && [ "$n" = 3 ] && pass "18 refused there, each with a reason" ||
    fail "18 refused there: $n of 3 ($where)" log
cmp -s n.out t.out && pass "18 the program is untouched" || fail "18 the program is untouched" log
printf 'start\nprobe _dl_debug_state\nprobe -trap _dl_debug_state\ninfo probes\n' >script.ezt
shell_feed "$prog"
[ "$(grep -c '^Cannot probe _dl_debug_state: eztsh itself needs this function' log)" = 2 ] && grep -q '^No probes' log &&
    pass "18 the loader's rendezvous is refused" || fail "18 the loader's rendezvous is refused" log

# A handler looks up where it was interrupted: by a table, or by a label. A comparison with a
# function's own address is not known (doc/LIMITS.md): then the program ends by its own decision.
gcc -O1 -w "$top_srcdir/tests/targets/faultpc.c" -o faultpc
for how in auto island pun trap; do
    native ./faultpc
    probed "set trace-auto off
set strategy $how
probe -count -r ." ./faultpc
    same "faults are looked up by address, strategy $how"
done
native ./faultpc all
probed "set trace-auto off
probe -count compared" ./faultpc all
nofail "a fault in a probe's stub is unknown to a handler, and nothing else happens" \
    [ "$(head -n 2 n.out; echo unknown) $(cat t.rc)" = "$(cat t.out) 3" ]
finish
