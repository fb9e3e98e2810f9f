/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refusal.c - advice for the user by the kind of a refusal (refusal.h).
 * Tests: tests/procs/why.sh */
#include "engine/code/refusal.h"

#include <stddef.h>

const char *ez_refusal_help(int why)
{
    static const char *const help[EZ_NREFUSALS] = {
        [EZ_REFUSE_SHORT] = "a longer function, or padding behind it (-falign-functions=16)",
        [EZ_REFUSE_TABLE] = "a probe on the caller",
        [EZ_REFUSE_FAULTS] = "a probe on the caller",
        [EZ_REFUSE_ADDRESS] = "a probe on the caller, or a build without computed goto",
        [EZ_REFUSE_BRANCH] =
            "a probe on the caller, or a build without the loop at the entry (-O1)",
        [EZ_REFUSE_CALL] = "a build that saves a register first (-O1, -fno-omit-frame-pointer)",
        [EZ_REFUSE_SYSCALL] = "a probe on the caller",
        [EZ_REFUSE_MEMORY] = "a process with free addresses within 2 GiB of its code",
        [EZ_REFUSE_LOADER] = "`info sharedlibrary` and the notices of loaded libraries",
        [EZ_REFUSE_HOOK] = "a probe on the functions that call it (_Unwind_RaiseException)",
        [EZ_REFUSE_IFUNC] = "the implementation by its name (info functions)",
    };
    return why >= 0 && why < EZ_NREFUSALS ? help[why] : NULL;
}
