/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.h - where arguments are at a function's first instruction, and its result as it returns: by
 * the types alone. What arch/arch.h's struct ez_convention cannot know of types is here: their
 * scalars. */
#ifndef EZ_ABI_H
#define EZ_ABI_H

#include "arch/arch.h"
#include "engine/data/type.h"

/* Ask for the result first: it may take a register from the arguments. */
void ez_abi_result(struct ez_abi_call *c, const struct ez_type *t, struct ez_where *out);
/* The next argument. by_address: it is passed by address whatever its type is. */
void ez_abi_argument(struct ez_abi_call *c, const struct ez_type *t, bool by_address,
                     struct ez_where *out);

/* Does Rust pass it as C does? */
bool ez_abi_of_rust(const struct ez_type *t);

#endif
