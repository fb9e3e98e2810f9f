# SPDX-License-Identifier: GPL-3.0-or-later
"""rate.py MILLIONS NAME BOUNDS COMMAND - events a second of a whole run of eztsh that
handles so many of them (median of 3), and its peak of memory; what this build cannot do
is said in a line."""
import os
import resource
import subprocess
import sys
import time

millions, name, bounds, command = sys.argv[1:]
took = []
for _ in range(3):
    start = time.monotonic()
    run = subprocess.run([os.environ["EZTSH"], "-q", "-nx", "-batch", "-ex", command],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        said = run.stderr.strip().split("\n")[-1] or f"status {run.returncode}"
        sys.exit(print(f"{name:22} cannot run: {said}"))
    took.append(time.monotonic() - start)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{name:22} {float(millions) / sorted(took)[1]:6.1f} M events/s, {peak:3.0f} MiB (bounds {bounds})")
