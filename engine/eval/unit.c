/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.c - reads one unit of memory for gdb's command `x`: a number of 1, 2, 4 or 8 bytes, or a
 * float.
 * Tests: tests/procs/forms.sh */
#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"

static const struct ez_type *unit_type_of(char format, unsigned size)
{
    static const struct ez_type number[] = {
        { .kind = EZ_TY_INT, .size = 1, .is_signed = true, .name = "int8_t" },
        { .kind = EZ_TY_INT, .size = 2, .is_signed = true, .name = "int16_t" },
        { .kind = EZ_TY_INT, .size = 4, .is_signed = true, .name = "int32_t" },
        { .kind = EZ_TY_INT, .size = 8, .is_signed = true, .name = "int64_t" },
    };
    if (format == 'f' && size >= 4)
        return ez_type_base(size == 4 ? "float" : "double");
    return &number[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

ez_err *ez_unit_at(struct ez_history *v, uint64_t at, char format, unsigned size,
                   struct ez_value *out, char **text)
{
    uint8_t byte[8];
    EZ_TRY(ez_read(v->t, ez_addr_of(at), byte, size));
    *out = value_made(unit_type_of(format, size), byte, size);
    out->lval = EZ_L_MEMORY;
    out->addr = at;
    ez_err *e = ez_value_format(v, out, format, true, text);
    if (e)
        ez_value_clear(out);
    return e;
}

void ez_history_examined(struct ez_history *v, const struct ez_value *unit, bool bytes)
{
    const struct ez_type *of = bytes ? unit_type_of('d', 1) : unit->type;
    struct ez_value at = value_made(ez_type_pointer_to(of), &unit->addr, sizeof unit->addr), held;
    history_put(v, "_", &at);
    if (bytes)
        held = value_made(ez_type_base("void"), NULL, 0);
    else
        history_copy(unit, &held);
    history_put(v, "__", &held);
}
