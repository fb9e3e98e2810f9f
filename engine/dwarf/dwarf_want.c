/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_want.c - requests, in the reader, other files from the shell, which opens them
 * (dwarf_files.c).
 *
 * Tests: tests/procs/split.sh */
#include "engine/base/jail.h"
#include "engine/dwarf/dwarf_read.h"

int dwarfwant_file(struct dwarf_want *w, uint64_t *place)
{
    const uint64_t mark = DWARF_WANTS;
    if (!ez_jail_say(&mark, sizeof mark) || !ez_jail_say(w, sizeof *w))
        return -1;
    return ez_jail_receive(place);
}

void dwarfwant_note(const struct dwarf_want *of, uint64_t place, enum dwarf_trouble trouble)
{
    const uint64_t mark = DWARF_WANTS;
    struct dwarf_want w = *of;
    w.of = of->what;
    w.what = DWARF_WANT_NOTE;
    w.n = place << 8 | trouble;
    if (ez_jail_say(&mark, sizeof mark))
        (void)!ez_jail_say(&w, sizeof w);
}
