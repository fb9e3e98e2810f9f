# SPDX-License-Identifier: GPL-3.0-or-later
"""eztsh-gdb.py - gdb on a process that has eztsh's probes (x86-64): source eztsh-gdb.py

info eztsh       the probes of the process
info eztsh PC    is this address in eztsh's code, and of which probe
backtrace        goes on behind functions whose exits are followed: they return to eztsh's code first

gdb can attach to such a process where no eztsh traces it: after `detach -keep`, during `continue &`, or when
the shell was killed. What is read here is engine/ring_abi.h's, of version 13, and is not believed: a process
can write there what it likes."""
import struct

import gdb
import gdb.unwinder

ABI, MAGIC = 13, 0x31687374657A65
SLOTS, STATE, POOLS, NPOOLS = 0x18000, 0x10000, 72, 136  # engine/rt/rt.h
DIST, THUNK_DIST = 0x2000000, 0x1000000
FLAGS = ((1, "entry"), (2, "exit"), (12, "record"), (256, "replace"), (16, "eztsh's own"))


def mappings():
    """(lo, hi, name) of each mapping."""
    for line in open("/proc/%d/maps" % gdb.selected_inferior().pid, encoding="utf-8", errors="replace"):
        part = line.split(None, 5)
        lo, hi = (int(a, 16) for a in part[0].split("-"))
        yield lo, hi, part[5].strip() if len(part) > 5 else ""


def read(at, form):
    return struct.unpack(form, bytes(gdb.selected_inferior().read_memory(at, struct.calcsize(form))))


class Probed:
    """What eztsh has in the process."""

    def __init__(self):
        named = list(mappings())
        self.rings = [lo for lo, _, name in named if name.startswith("/memfd:eztsh-rings")]
        slots = [lo for lo, _, name in named if name.startswith("/memfd:eztsh-slots")]
        self.slots = min(slots) if slots else 0
        self.pools = []
        if self.slots:
            state = self.slots - SLOTS + STATE
            n = min(read(state + NPOOLS, "<Q")[0], 8)
            self.pools = [p for p in read(state + POOLS, "<8Q")[:n] if p]

    def rows(self):
        """(id, function, patch, length, flags, stub, back) of each probe that is planted."""
        for base in self.rings[:1]:
            magic, abi = read(base, "<QI")
            if magic != MAGIC or abi != ABI:
                raise gdb.GdbError("These probes are of another version of eztsh (ABI %d)." % abi)
            used, size = read(base + 84, "<I")[0], read(base + 132, "<I")[0]
            at = base + read(base + 40, "<Q")[0]
            if size < 104 or used > 1 << 20:
                raise gdb.GdbError("The table of probes is damaged.")
            for i in range(used):
                addr, length, planted, flags = read(at + i * size, "<QBBH")
                stub, func = read(at + i * size + 48, "<QQ")
                relocated, back = read(at + i * size + 80, "<I")[0], read(at + i * size + 92, "<I")[0]
                if addr and planted:
                    yield i, func, addr, length, flags, stub, max(relocated, back) + 16

    def where(self, pc):
        """Which code of eztsh's an address is in; None: in none of it."""
        if self.slots and self.slots <= pc < self.slots + DIST:
            return "a return trampoline"
        if self.slots and self.slots - SLOTS <= pc < self.slots + 2 * DIST:
            return "the runtime"
        if self.thunk(pc):
            return "a return thunk"
        for i, func, _, _, _, stub, size in self.rows():
            if stub <= pc < stub + size:
                return "the trampoline of probe id %d, %s" % (i, symbol(func))
        return None

    def thunk(self, pc):
        return any(p + 4096 <= pc < p + 4096 + THUNK_DIST for p in self.pools)


def symbol(addr):
    name = gdb.execute("info symbol 0x%x" % addr, to_string=True)
    return name.split(" in section")[0] if " in section" in name else "0x%x" % addr


class InfoEztsh(gdb.Command):
    """The probes of eztsh in this process; with an address, whether it is in eztsh's code."""

    def __init__(self):
        super().__init__("info eztsh", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if not gdb.selected_inferior().pid:
            raise gdb.GdbError("The program is not being run.")
        probed = Probed()
        if argument:
            pc = int(gdb.parse_and_eval(argument).cast(gdb.lookup_type("unsigned long")))
            print("0x%x is in %s." % (pc, probed.where(pc) or "no code of eztsh's"))
            return
        rows = [r for r in probed.rows() if not r[4] & 16]
        if not rows:
            print("No probes of eztsh." if not probed.rings else "Probes of eztsh were here; none is planted.")
            return
        print("Id   Patch              Bytes  Trampoline         What          Function")
        for i, func, addr, length, flags, stub, _ in rows:
            what = ",".join(name for bits, name in FLAGS if flags & bits)
            print("%-4d 0x%016x %5d  0x%016x %-13s %s" % (i, addr, length, stub, what, symbol(func)))


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Unwinder(gdb.unwinder.Unwinder):
    """The frame of a slot or a return thunk, to which a probed function returns. Slots: the true return address
    is in the slot's entry. Return thunks: it is behind a word that the stub stepped over."""

    def __init__(self):
        super().__init__("eztsh")
        self.probed, self.pid = None, 0

    def __call__(self, frame):
        pid = gdb.selected_inferior().pid
        if not pid:
            return None
        if self.probed is None or self.pid != pid or not self.probed.slots:
            self.probed, self.pid = Probed(), pid
        if not self.probed.slots:
            return None
        pc, sp = (int(frame.read_register(r)) & (1 << 64) - 1 for r in ("rip", "rsp"))
        if self.probed.slots <= pc < self.probed.slots + DIST:
            true, up = read((pc & -32) + DIST, "<Q")[0], sp
        elif self.probed.thunk(pc):
            true, up = read(sp + 8, "<Q")[0], sp + 16
        else:
            return None
        info = frame.create_unwind_info(FrameId(gdb.Value(sp), gdb.Value(pc)))
        for name in ("rbx", "rbp", "r12", "r13", "r14", "r15"):
            info.add_saved_register(name, frame.read_register(name))
        data, code = gdb.lookup_type("long"), gdb.lookup_type("unsigned long")
        info.add_saved_register("rip", gdb.Value(true).cast(code))
        info.add_saved_register("rsp", gdb.Value(up).cast(data))
        return info


gdb.unwinder.register_unwinder(None, Unwinder(), replace=True)
InfoEztsh()
