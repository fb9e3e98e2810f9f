/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.h - places of arguments at a function's first instruction, and of its result at the return,
 * computed from their types. Types are split into scalars here, because struct ez_convention
 * (arch/arch.h) knows only scalars. */
#ifndef EZ_ABI_H
#define EZ_ABI_H

#include "arch/abi.h"
#include "engine/dwarf/type.h"

/* Finds the place of the result. Must be called before ez_abi_argument(), because the address of a
 * result in memory may use a register of the arguments. */
void ez_abi_result(struct ez_abi_call *c, const struct ez_type *t, struct ez_where *out);
/* Finds the place of the next argument. by_address: the argument is passed by address, whatever its
 * type. */
void ez_abi_argument(struct ez_abi_call *c, const struct ez_type *t, bool by_address,
                     struct ez_where *out);

/* Returns whether it is known how Rust passes the type: as C does or, for &str and &[T], as two
 * words. */
bool ez_abi_of_rust(const struct ez_type *t);

#endif
