/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disas.h - prints an instruction as text by libopcodes, for `print` in struct ez_arch_decode. */
#ifndef EZ_DISAS_H
#define EZ_DISAS_H

#include "arch/decode.h"

struct ez_disas {
    int arch; /* enum bfd_architecture */
    unsigned long mach;
    const char *options; /* options for libopcodes, or NULL */
};

ez_err *ez_disas(const struct ez_disas *by, const struct ez_print *p, char *buf, size_t bufsize,
                 size_t *len) EZ_WUR;

#endif
