/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disas.c - prints an instruction as text, with the symbols of addresses, for `x/i` and `disas`.
 *
 * The output has gdb's format: "call   0x401136 <foo+4>", "mov    0x2ef5(%rip),%rax        #
 * 0x404010 <count>". A byte that begins no instruction is printed as "(bad)".
 * Invariant: the text in buf ends with a null byte, and never overflows buf.
 * Tests: tests/unit/arch/check_decode.c */
#include "config.h"

#include <dis-asm.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/disas.h"

/* The state of ez_disas(), for the callbacks of libopcodes. The callbacks for text receive it as
 * `stream`, the callback for addresses as `application_data` of struct disassemble_info. */
struct text {
    char *buf;
    size_t size, used;
    const char *(*sym)(uint64_t addr, void *arg);
    void *arg;
};

static void disas_append_va(struct text *t, const char *fmt, va_list ap)
{
    int n = vsnprintf(t->buf + t->used, t->size - t->used, fmt, ap);
    if (n > 0)
        t->used = EZ_MIN(t->used + (size_t)n, t->size - 1);
}

static int EZ_PRINTF(2, 3) disas_append(void *text, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    disas_append_va(text, fmt, ap);
    va_end(ap);
    return 0;
}

static int EZ_PRINTF(3, 4)
    append_styled(void *text, enum disassembler_style style, const char *fmt, ...)
{
    va_list ap;
    (void)style;
    va_start(ap, fmt);
    disas_append_va(text, fmt, ap);
    va_end(ap);
    return 0;
}

static void disas_append_address(bfd_vma addr, struct disassemble_info *info)
{
    struct text *t = info->application_data;
    const char *name = t->sym ? t->sym(addr, t->arg) : NULL;
    disas_append(t, "0x%lx", (unsigned long)addr);
    if (name)
        disas_append(t, " <%s>", name);
}

static void disas_ignore_error(int status, bfd_vma addr, struct disassemble_info *info)
{
    (void)status, (void)addr, (void)info;
}

static disassembler_ftype disas_begin(struct disassemble_info *info, struct text *t,
                                      const struct ez_disas *by)
{
    init_disassemble_info(info, t, disas_append, append_styled);
    info->arch = (enum bfd_architecture)by->arch;
    info->mach = by->mach;
    info->application_data = t;
    info->read_memory_func = buffer_read_memory;
    info->memory_error_func = disas_ignore_error;
    info->print_address_func = disas_append_address;
    info->disassembler_options = by->options;
    disassemble_init_for_target(info);
    return disassembler((enum bfd_architecture)by->arch, false, by->mach, NULL);
}

ez_err *ez_disas(const struct ez_disas *by, const struct ez_print *p, char *buf, size_t bufsize,
                 size_t *len)
{
    struct disassemble_info info;
    if (!bufsize)
        return ez_err_new(EZ_E_ARG, 0, "No room for the text of an instruction");
    struct text t = { .buf = buf, .size = bufsize, .sym = p->sym, .arg = p->arg };
    buf[0] = '\0';
    disassembler_ftype disassemble = disas_begin(&info, &t, by);
    info.buffer = (bfd_byte *)p->code;
    info.buffer_vma = p->va;
    info.buffer_length = EZ_MIN(p->n, (size_t)EZ_MAX_INSN);
    int used = disassemble(p->va, &info);
    disassemble_free_target(&info);
    if (used <= 0 || (size_t)used > p->n)
        return ez_err_place(ez_err_new(EZ_E_DECODE, 0, "no whole instruction"), " at 0x%lx",
                            (unsigned long)p->va);
    while (t.used && buf[t.used - 1] == ' ')
        buf[--t.used] = '\0';
    if (len)
        *len = used;
    return NULL;
}
