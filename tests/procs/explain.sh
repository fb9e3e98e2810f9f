#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# explain.sh - what is asked of the kernel, told as it happens: the same calls as strace sees, one by one.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_data

# ---- a narration ----------------------------------------------------------------------------------------
batch -ex 'explain' -ex 'explain on patch' -ex 'explain' -ex 'probe work' -ex 'start' -ex 'explain off' -ex 'explain' \
    -ex 'explain on step wait' -ex 'stepi' -ex 'explain on nosuch' -ex 'continue' "$prog" 1 2
cp log told
check 'at first: nothing' has told '^No topic is explained\.$'
check 'a topic' has told '^Explained: patch\.$'
check 'patch: the jump, before and after' \
    grep -qE '^pwrite 5 bytes at 0x[0-9a-f]+: ([0-9a-f]{2} ){4}[0-9a-f]{2} -> e9 ([0-9a-f]{2} ){3}[0-9a-f]{2}  [0-9.]+ us: .* \(plant or remove probes\)$' told
sed '/^Explained: patch/,/^No topic/!d' told >patch
check 'patch: nothing else' lacks patch '^PTRACE|^wait'
sed '1,/^Explained: patch/d' told | sed '1,/^No topic/d' >step
check 'step: an instruction' has step '^PTRACE_SINGLESTEP thread [0-9]*  [0-9.]* us: let it execute one instruction \(.*\)$'
check 'wait: what came' has step '^waitid .* = (thread [0-9]* )?stopped by SIGTRAP'
check 'step and wait: nothing else' lacks step '^pwrite|GETREGSET'
check 'a wrong topic' has told '"nosuch" is not a topic of explain\. The topics are patch, inject, step, wait and all\.'
batch -ex 'explain perhaps'
check 'a wrong word' has log '^Usage: explain '

# ---- sums, and the last calls -----------------------------------------------------------------------------
batch -ex 'info ptrace' -ex start -ex 'info ptrace -last 3' -ex 'info ptrace' -ex 'info ptrace -json' -ex kill "$prog" 1 2
check 'nothing yet' has log '^There were no ptrace calls yet\.$'
check 'the last calls' same "$(grep -cE '^[0-9]+ (PTRACE_|wait|pwrite)' log)" 3
check 'a sum for each kind' has log '^PTRACE_SEIZE  *1  *0  '
cat >sum.py <<'END'
import json, sys
lines = open("log").read().split("\n")
rows = [l.split() for l in lines if l.startswith(("PTRACE_", "wait", "pwrite", "All"))]
told = json.loads("".join(lines[next(i for i, l in enumerate(lines) if l.startswith("{")):]).split("]}")[0] + "]}")["rows"]
assert [r[0] for r in rows[:-1]] == [t["request"] for t in told], rows
polls = 0
for r, t in zip(rows, told):  # between the two, the shell looks whether something came
    assert int(r[2]) == t["failed"], (r, t)
    if r[0] == "waitid":
        polls = t["calls"] - int(r[1])
        assert polls >= 0, (r, t)
    else:
        assert int(r[1]) == t["calls"], (r, t)
assert rows[-1][0] == "All" and int(rows[-1][1]) + polls == sum(t["calls"] for t in told)
END
check 'the table, as JSON' python3 sum.py

# ---- a call that fails ----------------------------------------------------------------------------------------
if faults; then
    EZ_FAULT=getregset:1:EIO; export EZ_FAULT
    batch -ex start -ex 'call jumps(1)' -ex kill "$prog" 1 2
    unset EZ_FAULT
    check 'a failure: what led there' has log '^What led there, of what `info ptrace -last` tells:$'
    check 'a failure: the call itself comes last' same \
        "$(sed -n '/^What led/,$p' log | grep -E '^  [0-9]+ ' | tail -n 1 | grep -cE 'PTRACE_GETREGSET thread [0-9]+ = EIO ')" 1
    check 'a failure: eight calls' same "$(sed -n '/^What led/,$p' log | grep -cE '^  [0-9]+ ')" 8
else
    skip 'a call that fails: not configured with --enable-fault-injection'
fi

# ---- the log -------------------------------------------------------------------------------------------------
cat >session.ezt <<'END'
probe work collect $arg0:d
start
stepi
info registers pc
probe -count pthread_create
continue &
wait
END
cat >compare.py <<'END'
"""What strace saw of the shell's own thread, and what the shell says of itself."""
import json, re
log = [json.loads(l) for l in open("calls.jsonl")]
assert log[0] == {"schema": "eztsh-ptrace", "version": 1}
calls = log[1:]
assert [c["n"] for c in calls] == list(range(1, len(calls) + 1))
times = [c["ns"] for c in calls]
assert times == sorted(times)
E = {v: k for k, v in __import__("errno").errorcode.items()}
mine = []
for c in calls:
    if c["request"] == "pwrite":
        continue
    result = -c["errno"] if c["errno"] else c["got"] if c["request"] == "wait4" else 0
    pid = 0 if c["request"] == "waitid" and c["tid"] <= 0 else c["tid"]
    mine.append((c["request"], pid, result, c.get("got", 0) if c["request"] == "waitid" else 0))
theirs = []
for line in open("strace.out"):
    m = re.match(r"ptrace\((\w+)(?: /\*.*?\*/)?, (\d+).*\) += (-?\w+)(?: (E\w+))?", line)
    if m:
        name = {"0x420f": "PTRACE_GET_RSEQ_CONFIGURATION",
                "0x4211": "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG"}.get(m[1], m[1])
        theirs.append((name, int(m[2]), -E[m[4]] if m[4] else 0, 0))
        continue
    if "__WALL" not in line:
        continue  # of a process that is no target: a helper of the shell's
    m = re.match(r"waitid\(P_(\w+), (\d+), (\{.*?\}|NULL|0x\w+), .*\) += (\S+)(?: (E\w+))?", line)
    if m:
        got = re.search(r"si_pid=(\d+)", m[3])
        theirs.append(("waitid", int(m[2]) if m[1] != "ALL" else 0, -E[m[5]] if m[5] and m[5] in E else 0,
                       int(got[1]) if got else 0))
        continue
    m = re.match(r"wait4\((-?\d+), .*\) += (-?\w+)(?: (E\w+))?", line)
    assert m, line
    theirs.append(("wait4", int(m[1]), -E[m[3]] if m[3] else int(m[2]), 0))
assert len(mine) > 100, len(mine)
for i, (a, b) in enumerate(zip(mine, theirs)):
    assert a == b, (i, a, b)
assert len(mine) == len(theirs), (len(mine), len(theirs))
END
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    timeout -k 5 $limit strace -o strace.out -e trace=ptrace,wait4,waitid -e signal=none -qqq \
        "$eztsh" -nx -batch -ptrace-log=calls.jsonl -x session.ezt --args "$prog" 1 2 >log 2>&1
    check 'strace: the same calls, in the same order' python3 compare.py
else
    skip 'the same calls as strace: there is no strace that works'
fi
echo precious >victim
ln -f victim calls.jsonl
batch -ptrace-log calls.jsonl -ex start "$prog"
check 'a file that is there is replaced' has calls.jsonl '"request": "PTRACE_'
check 'and not written to' same "$(cat victim)" precious
batch -ptrace-log /nosuch/file -ex 'echo on\n'
check 'a log that cannot be written' has log 'Cannot write /nosuch/file'
check 'a log that cannot be written: status' same $rc 1
finish
