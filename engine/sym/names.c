/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - names of functions that cannot have a probe or an exit probe, and names of symbols
 * whose file cannot have exit probes at all: see names.h.
 *
 * A trailing '*' matches any rest of the name.
 *
 * Tests: tests/unit/code/check_analyze.c */
#include "engine/sym/names.h"

#include <string.h>

#include "engine/base/base.h"

struct denied {
    const char *reason;
    const char *const *names; /* NULL ends the list */
};

#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const struct denied no_exit[] = {
    { "it returns twice",
      NAMES("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__libc_sigsetjmp", "getcontext",
            "__getcontext", "vfork", "__vfork", "__libc_vfork", "fpc_setjmp", "FPC_SETJMP") },
    { "its child returns on another stack",
      NAMES("clone", "__clone", "clone3", "__clone3", "__clone_internal*", "__clone2") },
    { "it returns to another context",
      NAMES("setcontext", "__setcontext", "swapcontext", "__swapcontext", "makecontext",
            "__makecontext", "__start_context", "__push___start_context") },
    { "it never returns",
      NAMES("_start", "__libc_start_main*", "__libc_start_call_main", "_dl_start_user", "_dl_start",
            "start_thread", "__restore_rt", "__restore") },
    { "it looks at its return address",
      NAMES("dlopen", "dlsym", "dlvsym", "dlmopen", "__dlopen", "__dlsym", "__dlvsym", "__dlmopen",
            "__libc_dlopen*", "__libc_dlsym*", "_dl_open", "_dl_sym", "_dl_vsym", "__morestack",
            "__morestack_non_split", "__morestack_large_model", "mcount", "_mcount", "__mcount*",
            "__fentry__", "__cyg_profile_func_*") },
    { "it walks the stack from its own frame",
      NAMES("_Unwind_RaiseException*", "_Unwind_Resume*", "_Unwind_ForcedUnwind*",
            "_Unwind_Backtrace", "uw_init_context*", "backtrace", "__backtrace") },
    /* LeakSanitizer makes such a thread, which stops all others */
    { "its threads share a thread control block",
      NAMES("_ZN11__sanitizer*", "_ZNK11__sanitizer*", "_ZN6__lsan*", "_ZN6__asan*", "_ZNK6__asan*",
            "_ZN7__hwasan*") },
    { "it ends with a jump instead of a return",
      NAMES("_dl_runtime_resolve*", "_dl_runtime_profile*", "_dl_tlsdesc_*") },
};

static const struct denied hooked[] = {
    { "eztsh itself needs this function", NAMES("_Unwind_Find_FDE") },
};

static const struct denied no_probe[] = {
    { "the kernel recognises its bytes", NAMES("__restore_rt", "__restore") },
    { "goroutines return to its second byte", NAMES("runtime.goexit", "runtime.goexit.abi0") },
};

/* Symbols that only files with a runtime of Go, OCaml, V8 or HotSpot define. */
static const struct denied walkers[] = {
    { "its runtime walks stacks by return addresses: entry probes only",
      NAMES("runtime.goexit", "runtime.goexit.abi0", "caml_frametable", "caml_plugin_header",
            "Builtins_*", "v8dbg_*", "gHotSpotVMStructs") },
};

static bool names_matches(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    if (n && pattern[n - 1] == '*')
        return !strncmp(pattern, name, n - 1);
    return !strcmp(pattern, name);
}

static const char *names_look_up(const struct denied *list, size_t n, const char *name)
{
    for (size_t i = 0; name && i < n; i++)
        for (const char *const *p = list[i].names; *p; p++)
            if (**p == *name && names_matches(*p, name))
                return list[i].reason;
    return NULL;
}

/* Returns the name without glibc's internal prefixes: __GI_f is f, and ___f is __f (glibc defines
 * ___f where __f is the name of a symbol version). */
static const char *names_plain(const char *name)
{
    name += name && !strncmp(name, "__GI_", 5) ? 5 : 0;
    return name && !strncmp(name, "___", 3) ? name + 1 : name;
}

const char *ez_exit_denied(const char *name)
{
    const char *why = ez_hook_wanted(name);
    return why ? why : names_look_up(no_exit, EZ_ARRAY_LEN(no_exit), names_plain(name));
}

const char *ez_hook_wanted(const char *name)
{
    return names_look_up(hooked, EZ_ARRAY_LEN(hooked), names_plain(name));
}

const char *ez_walker_sign(const char *name)
{
    return names_look_up(walkers, EZ_ARRAY_LEN(walkers), name);
}

const char *ez_probe_denied(const char *name)
{
    return names_look_up(no_probe, EZ_ARRAY_LEN(no_probe), names_plain(name));
}
