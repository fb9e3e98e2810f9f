# SPDX-License-Identifier: GPL-3.0-or-later
# eztsh-gdb.py - makes gdb's backtraces continue beyond probed functions.
#
#   (gdb) source PREFIX/share/eztsh/eztsh-gdb.py        or: gdb -x ...
#
# A probed function whose exit is followed returns to code that eztsh mapped into the program: a
# return trampoline ("slot" below) or a return thunk (engine/rt/rt.h). Unwinders inside the program
# find the unwind tables of this code. gdb reads unwind tables only from files, so this unwinder
# finds the caller of such a frame. Both kinds of code begin with `call *x(%rip)`, where x is a
# constant by which they are recognized.
import struct

import gdb
from gdb.unwinder import Unwinder

SLOT, SLOT_CALL = 32, b"\xff\x15" + struct.pack("<i", 0x2000000 + 8 - 6)
THUNK, THUNK_CALL = 16, b"\xff\x15" + struct.pack("<i", 0x200000 - 6)
ENTRY = 0x2000000  # from a slot to its shadow frame, whose first word is the return address
KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


def word(address):
    data = gdb.selected_inferior().read_memory(address, 8)
    return struct.unpack("<Q", bytes(data))[0]


def value(number):
    return gdb.Value(number).cast(gdb.lookup_type("unsigned long"))


def begins(address, code):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, len(code))) == code
    except gdb.MemoryError:
        return False


class Eztsh(Unwinder):
    def __init__(self):
        super().__init__("eztsh")

    def __call__(self, frame):
        mask = (1 << 64) - 1
        pc = int(frame.read_register("rip")) & mask
        sp = int(frame.read_register("rsp")) & mask
        if begins(pc & -SLOT, SLOT_CALL):
            caller, caller_sp = word((pc & -SLOT) + ENTRY), sp
        elif begins(pc & -THUNK, THUNK_CALL):
            caller, caller_sp = word(sp + 8), sp + 16
        else:
            return None
        info = frame.create_unwind_info(FrameId(value(sp), value(pc & -THUNK)))
        info.add_saved_register("rip", value(caller))
        info.add_saved_register("rsp", value(caller_sp))
        for name in KEPT:
            info.add_saved_register(name, frame.read_register(name))
        return info


gdb.unwinder.register_unwinder(None, Eztsh(), replace=True)
