#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sharers.sh - another process lives in the target's memory (clone with CLONE_VM): no probe is
# planted, or the other process stands still while text changes; nothing waits for ever.
. "${top_srcdir:-.}/tests/procs/lib.sh"
end_all() { # the other process, if it is still there
    other=$(sed -n 's/^ready //p' t.out 2>/dev/null)
    [ -z "$other" ] || kill -KILL "$other" 2>/dev/null
    ended
}
trap end_all EXIT

target "$targets/p_vm" first
until_ok 30 has t.out '^ready'
other=$(sed -n 's/^ready //p' t.out)
batch -p "$pid" -ex 'probe -record work'
check "refused, with the reason" has log "^process $other shares the memory of process $pid\. It is not a thread of that process, but would execute its probes: end it first\.$"
check "nothing was written" text_intact "$pid" "$targets/p_vm"
touch go
reap "$pid"
check "both go on" has t.out '^both$'

# The other process comes while a probe stands.
rm go
target "$targets/p_vm" later
shell_start -p "$pid"
say 'probe entry -count work'
say 'continue &'
touch come
until_ok 30 has t.out '^ready'
say 'disable 1'
check "a probe is taken away" text_intact "$pid" "$targets/p_vm"
say 'enable 1'
check "and not planted again" has log "^process [0-9]* shares the memory of process $pid"
say 'detach'
shell_end
check "detached" text_intact "$pid" "$targets/p_vm"
touch go
reap "$pid"
check "both come to their end" has t.out '^both$'

# Recorded hits: two writers spoil a ring, but neither waits for ever.
rm come go
target "$targets/p_vm" later
shell_start -p "$pid"
say 'probe entry -record work'
say 'continue &'
touch come
until_ok 30 has t.out '^ready'
touch go
until_ok 100 gone "$pid"
reap "$pid"
check "recorded, both come to their end" has t.out '^both$'
shell_end
finish
