/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_row.c - emits a row of an unwind table, by which the caller's registers are restored
 * (dwarf_read.h).
 *
 * The table is .eh_frame or .debug_frame. The DWARF operations in a row are emitted, not executed:
 * only the shell has the registers and the memory (engine/eval/step.c).
 * Tests: tests/procs/bt.sh */
#include "engine/dwarf/dwarf_read.h"

/* Emits whether it is a signal frame, the return address's column and the operations of the
 * canonical frame address; then for each register its rule and operations. */
void dwarfrow_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, uint64_t most,
                   bool behind_call)
{
    Dwarf_CFI *cfi[] = { f->elf ? dwarf_getcfi_elf(f->elf) : NULL,
                         f->dw ? dwarf_getcfi(f->dw) : NULL };
    Dwarf_Frame *frame = NULL;
    Dwarf_Addr from, to;
    Dwarf_Op *op, room[3];
    size_t n;
    bool signal = false;
    int ra = -1;
    for (size_t i = 0; i < EZ_ARRAY_LEN(cfi) && !frame; i++) {
        if (!cfi[i] || dwarf_cfi_addrframe(cfi[i], pc - behind_call, &frame)) {
            frame = NULL;
            continue;
        }
        ra = dwarf_frame_info(frame, &from, &to, &signal);
        if (signal && behind_call && dwarf_cfi_addrframe(cfi[i], pc, &frame))
            /* do not subtract 1 from pc: a signal handler returns to a signal frame, which made no
             * call */
            frame = NULL;
    }
    if (!frame || dwarf_frame_cfa(frame, &op, &n) || !n)
        return;
    dwarf_answer_number(a, signal);
    dwarf_answer_number(a, (uint64_t)ra);
    dwarflocal_emit_ops(a, NULL, op, n);
    for (int i = 0; (uint64_t)i <= most && i < 128; i++) {
        op = NULL;
        n = 0;
        bool known = !dwarf_frame_register(frame, i, room, &op, &n);
        dwarf_answer_number(a, known && n    ? DWARF_KEPT_AT
                               : known && op ? DWARF_KEPT_NOT
                                             : DWARF_KEPT);
        dwarflocal_emit_ops(a, NULL, op, n);
    }
}
