/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.h - what clang's static analyser (analyze.sh) has to know of functions that it does not
 * see together with their callers, and of the attribute "cleanup", which it does not follow.
 * The files that define these functions are analysed without this header. */
#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/hash.h"
#include "shell/opt.h"

/* These never return NULL. */
#define NEVER_NULL(call)                                                                           \
    ({                                                                                             \
        __typeof__(call) never_null_ = (call);                                                     \
        EZ_ASSUME(never_null_);                                                                    \
        never_null_;                                                                               \
    })
#define ez_alloc(n) NEVER_NULL(ez_alloc(n))
#define ez_realloc(p, n) NEVER_NULL(ez_realloc(p, n))
#define ez_strdup(s) NEVER_NULL(ez_strdup(s))
#define ez_strndup(s, n) NEVER_NULL(ez_strndup(s, n))
#define ez_sprintf(...) NEVER_NULL(ez_sprintf(__VA_ARGS__))
#define ez_err_new(...) NEVER_NULL(ez_err_new(__VA_ARGS__))
#define ez_err_gdb(...) NEVER_NULL(ez_err_gdb(__VA_ARGS__))
#define ez_err_hint(...) NEVER_NULL(ez_err_hint(__VA_ARGS__))
#define ez_err_place(...) NEVER_NULL(ez_err_place(__VA_ARGS__))
#define ez_err_why(...) NEVER_NULL(ez_err_why(__VA_ARGS__))
#define opt_misuse(s) NEVER_NULL(opt_misuse(s))

/* Returns true if there is no error. */
#define ez_err_drop(e)                                                                             \
    ({                                                                                             \
        ez_err *dropped_ = (e);                                                                    \
        ez_err_free(dropped_);                                                                     \
        !dropped_;                                                                                 \
    })

/* Callers number their keys: the number of a known key is below that of the next new one. */
#define ez_hash_put(hash, key, next)                                                               \
    ({                                                                                             \
        size_t next_ = (next), found_ = ez_hash_put(hash, key, next_);                             \
        EZ_ASSUME(found_ <= next_);                                                                \
        found_;                                                                                    \
    })

/* Only the cleanup may use the variable. */
#undef EZ_FREE
#define EZ_FREE EZ_CLEANUP(ez_free_p) EZ_UNUSED
