/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_rust.c - shows Rust values like gdb: "demo::Point {x: 1, y: 2}", "Some(5)", "&[i32] [1,
 * 2]".
 *
 * Tests: tests/procs/rust.sh */
#include <string.h>

#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/record/items.h"
#include "engine/target.h"

/* Shows members in parentheses or braces. loose: members of a struct, each of which may have its
 * own line. */
static void show_rust_members(struct show *s, const struct ez_type *t, const uint8_t *byte,
                              bool loose)
{
    bool tuple = ez_rust_is_tuple(t), numbered = tuple || ez_rust_is_numbered(t);
    const bool lines = loose && s->pretty;
    show_add(s, "%s%s", loose && !tuple ? " " : "", numbered ? "(" : "{");
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        uint64_t from = EZ_MIN(f->offset, t->size);
        show_add(s, !i ? "" : lines ? "," : ", ");
        if (lines)
            show_line(s, 1);
        if (!numbered && f->name)
            show_add(s, "%s: ", f->name);
        show_any(s, f->type, byte + from, t->size - from);
    }
    if (lines && t->nfields)
        show_line(s, 0);
    show_add(s, numbered ? ")" : "}");
}

/* Shows n elements at an address, as a string or an array. */
static void show_rust_pointed(struct show *s, const struct ez_type *to, uint64_t at, uint64_t n,
                              bool text)
{
    uint64_t size = EZ_MAX(ez_type_load(ez_type_strip(to))->size, (uint64_t)1);
    uint64_t most = text ? s->most : EZ_MAX(EVAL_LARGEST / size, 1ul), shown = EZ_MIN(n, most);
    if (size > EVAL_LARGEST) {
        show_add(s, "<error: its elements are larger than 1 MiB>");
        return;
    }
    EZ_FREE uint8_t *byte = ez_alloc(shown * size + 1);
    if (shown && !ez_err_drop(ez_read(s->v->t, ez_addr_of(at), byte, shown * size))) {
        show_add(s, "<error: Cannot access memory at address 0x%llx>", (unsigned long long)at);
        return;
    }
    if (text) {
        show_string(s, byte, shown, shown < n);
        return;
    }
    const struct ez_type array = {
        .kind = EZ_TY_ARRAY, .is_rust = true, .size = shown * size, .to = to, .count = shown
    };
    show_any(s, &array, byte, shown * size);
}

static void show_rust_fat(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    uint64_t at = value_word(byte + t->field[0].offset, 8),
             n = value_word(byte + t->field[1].offset, 8);
    bool text = ez_rust_is_text(t);
    if (!text)
        show_add(s, "%s ", t->name);
    show_rust_pointed(s, ez_type_strip(t->field[0].type)->to, at, n, text);
}

static void show_rust_enum(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    uint64_t discr = 0;
    if (t->discr && t->discr->offset < t->size)
        discr = value_word(byte + t->discr->offset,
                           EZ_MIN(ez_type_strip(t->discr->type)->size, t->size - t->discr->offset));
    const struct ez_field *f = ez_rust_variant(t, discr);
    const struct ez_type *its = f ? ez_type_load(ez_type_strip(f->type)) : NULL;
    if (!its || f->offset > t->size || its->size > t->size - f->offset) {
        show_add(s, "%s <unknown variant>", t->name ? t->name : "?");
        return;
    }
    show_add(s, "%s", its->name ? its->name : f->name ? f->name : "?");
    if (its->nfields)
        show_rust_members(s, its, byte + f->offset, false);
}

void show_rust_struct(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    if (t->variant) {
        show_rust_enum(s, t, byte);
        return;
    }
    if (ez_rust_is_text(t) || ez_rust_is_slice(t)) {
        show_rust_fat(s, t, byte);
        return;
    }
    if (!ez_rust_is_tuple(t))
        show_add(s, "%s", t->name ? t->name : "?");
    if (t->nfields || ez_rust_is_tuple(t))
        show_rust_members(s, t, byte, true);
}

bool show_rust_char(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    static const char from[] = "\n\r\t\\\'", to[] = "nrt\\'";
    if (!ez_rust_is_char(t))
        return false;
    uint32_t c = (uint32_t)value_word(byte, 4);
    const char *k = c && c < 0x80 ? strchr(from, (int)c) : NULL;
    show_add(s, "%u '", c);
    if (k)
        show_add(s, "\\%c", to[k - from]);
    else if (c >= 0x20 && c < 0x7f)
        show_add(s, "%c", (char)c);
    else
        show_add(s, c <= 0xff ? "\\x%02x" : "\\u{%06x}", c);
    show_add(s, "'");
    return true;
}

/* After a pointer to an array of u8, shows the bytes at the address as a string. Shows nothing
 * after other pointers. */
void show_rust_bytes(struct show *s, const struct ez_type *t, uint64_t at)
{
    const struct ez_type *array = t->to ? ez_type_strip(t->to) : NULL;
    const struct ez_type *to =
        array && array->kind == EZ_TY_ARRAY ? ez_type_strip(array->to) : NULL;
    if (!to || !to->is_rust || to->size != 1 || to->kind != EZ_TY_INT || to->is_signed || !at ||
        array->count == UINT64_MAX)
        return;
    show_add(s, " b");
    show_rust_pointed(s, to, at, array->count, true);
}
