# SPDX-License-Identifier: GPL-3.0-or-later
"""scribble.py PID COUNT SEED: random bytes at random places of the memory that the process shares with eztsh,
where it has pages: rings, counters, tables, and the code of conditions and items."""
import os
import random
import re
import sys
import time

pid, count, seed = (int(a) for a in sys.argv[1:])
choose = random.Random(seed)
pagemap = os.open(f"/proc/{pid}/pagemap", os.O_RDONLY)


def shared_pages():
    """Numbers of the pages that the process has in memory of eztsh."""
    found = []
    for line in open(f"/proc/{pid}/maps"):
        m = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \S+ +/memfd:eztsh", line)
        lo, hi = (int(x, 16) // 4096 for x in m.groups()) if m else (0, 0)
        for at in range(lo, hi, 4096):
            here = os.pread(pagemap, 8 * min(4096, hi - at), at * 8)
            found += [at + byte.start() for byte in re.finditer(rb"[\x80-\xff]", here[7::8])]
    return found


deadline = time.time() + 100
while len(pages := shared_pages()) <= 10 and time.time() < deadline:
    time.sleep(0.01) # its threads have not recorded yet
assert len(pages) > 10, pages
mem = os.open(f"/proc/{pid}/mem", os.O_RDWR)
done = 0
for _ in range(count):
    byte = choose.choice([0, 0xff, choose.randrange(256)])
    try:
        os.pwrite(mem, bytes([byte]) * choose.choice([1, 1, 2, 4, 8]), choose.choice(pages) * 4096 + choose.randrange(4088))
        done += 1
    except OSError:  # it died of it
        break
print(done, "places")
