# SPDX-License-Identifier: GPL-3.0-or-later
"""fxt.py - the events of a trace that eztsh wrote, read by nothing of eztsh."""
import struct

PROBE, THREAD, DEF = 0x1000000, 0x300000, 0x200000


def events(path):
    """(tick, tid, code, arguments) of each event."""
    data = open(path, "rb").read()
    at = 4
    while at + 16 <= len(data):
        size, kind = struct.unpack_from("<QI", data, at)
        if kind == 0x201:
            break
        at += size
    end = at + size if size else len(data)
    at += 16
    while at + 24 <= end:
        tick, tid, word = struct.unpack_from("<3Q", data, at)
        n = (word & 0xff) - 1
        yield tick, tid, word >> 8, struct.unpack_from(f"<{n}Q", data, at + 24)
        at += 24 + 8 * n


def text(args):
    return b"".join(struct.pack("<Q", a) for a in args).rstrip(b"\0")
