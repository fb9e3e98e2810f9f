#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_text.sh - after `delete` and after `detach` every executable byte is the file's.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/births
rm -f stop ready
"$prog" stop ready >t.out 2>t.err </dev/null &
pid=$!
children=$pid
until [ -e ready ]; do kill -0 $pid || break; done
diff=$targets/textdiff
cat >script.ezt <<END
attach $pid
probe -count -r *:.
!"$diff" $pid >planted; echo planted \$?
delete
!"$diff" $pid >deleted; echo deleted \$?
probe -record -r *:.
continue &
probe body
interrupt
detach
!"$diff" $pid >detached; echo detached \$?
attach $pid
probe -count -r .
quit
END
timeout -k 5 $limit "$eztsh" -nx -batch -x script.ezt >log 2>&1 </dev/null
grep -q '^planted 1' log && pass "text differs while probes are planted" ||
    fail "text differs while probes are planted" log
# The hook on the loader's rendezvous stays, for probes to come: one jump in ld.so.
[ "$(grep '^differs' deleted | grep -cv '/ld-[^/]*$')" = 0 ] && grep -q ' [01] pages differ' deleted &&
    pass "text is the file's after delete" || fail "text is the file's after delete" deleted log
# fault 52
grep -q '^detached 0' log && pass "52 text is the file's after detach" ||
    fail "52 text is the file's after detach" detached log
nofail "52 text is the file's after quit" "$diff" $pid
touch stop
wait $pid
[ $? = 40 ] && pass "the target ends well" || fail "the target ends well" t.err log
children=
finish
