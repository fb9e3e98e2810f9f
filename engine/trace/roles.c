/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roles.c - determines what kind of work a function or a state does (roles.h). */
#include "engine/trace/roles.h"

#include <string.h>

char *ez_mpi_function(const char *text)
{
    text += *text == 'P';
    if (strncmp(text, "MPI_", 4))
        return NULL;
    size_t n = strlen(text + 4);
    return ez_strndup(text + 4, n > 2 && !strcmp(text + 4 + n - 2, "_c") ? n - 2 : n);
}

enum ez_paradigm ez_paradigm_of(const struct ez_name *n)
{
    static const struct {
        const char *module;
        enum ez_paradigm paradigm;
    } modules[] = {
        { "mpi", EZ_PARADIGM_MPI },         { "openmp", EZ_PARADIGM_OPENMP },
        { "pthread", EZ_PARADIGM_PTHREAD }, { "io", EZ_PARADIGM_IO },
        { "memory", EZ_PARADIGM_MEMORY },
    };
    if (n->pause)
        return EZ_PARADIGM_PAUSE;
    if (n->addr) {
        EZ_FREE char *mpi = ez_mpi_function(n->text);
        return mpi && !strncmp(n->group, "libmpi", 6) ? EZ_PARADIGM_MPI : EZ_PARADIGM_USER;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(modules); i++)
        if (!strcmp(n->group, modules[i].module))
            return modules[i].paradigm;
    return EZ_PARADIGM_USER;
}

static bool roles_begins(const char *text, const char *begin)
{
    return !strncmp(text, begin, strlen(begin));
}

/* names of functions with this role; a name that ends in '*' stands for all names with this
 * beginning */
struct role_names {
    enum ez_role role;
    const char *names[40];
};

static const struct role_names libc_roles[] = {
    { EZ_ROLE_IO,
      { "read",      "write",   "pread*",     "pwrite*", "readv",    "writev",  "open",
        "open64",    "openat*", "close",      "fopen*",  "fclose",   "fread*",  "fwrite*",
        "fflush",    "fgets",   "fputs",      "fprintf", "fsync",    "lseek*",  "fdatasync",
        "sendfile*", "send",    "recv",       "sendto",  "recvfrom", "sendmsg", "recvmsg",
        "poll",      "select",  "epoll_wait", "accept*", "connect",  NULL } },
    { EZ_ROLE_MEMORY,
      { "malloc", "calloc", "realloc*", "free", "posix_memalign", "aligned_alloc", "memalign",
        "valloc", "mmap*", "munmap", "mremap", "brk", "sbrk", NULL } },
    { EZ_ROLE_LOCKS,
      { "pthread_mutex_*", "pthread_rwlock_*", "pthread_spin_*", "pthread_cond_*",
        "pthread_barrier_*", "pthread_join", "sem_*", "futex*", NULL } },
};

static enum ez_role roles_of_libc(const char *text)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(libc_roles); i++)
        for (const char *const *name = libc_roles[i].names; *name; name++) {
            size_t n = strlen(*name) - 1;
            if ((*name)[n] == '*' ? !strncmp(*name, text, n) : !strcmp(*name, text))
                return libc_roles[i].role;
        }
    return EZ_ROLE_USER;
}

/* Returns the role of a probed function, by its library and name. */
static enum ez_role roles_of_function(const struct ez_name *n)
{
    if (roles_begins(n->group, "libgomp.") || roles_begins(n->group, "libomp.") ||
        roles_begins(n->group, "libiomp5."))
        return EZ_ROLE_OPENMP;
    if (roles_begins(n->group, "libc.so") || roles_begins(n->group, "libc-") ||
        roles_begins(n->group, "libpthread"))
        return roles_of_libc(n->text);
    return EZ_ROLE_USER;
}

/* Returns true if a state of the module pthread or openmp is a held lock, a wait for a lock, or a
 * wait for threads. */
static bool roles_is_lock(const char *text)
{
    return !strcmp(text, "Critical Section") || roles_begins(text, "Blocked on a ") ||
           roles_begins(text, "Waiting");
}

enum ez_role ez_role_of(const struct ez_name *n)
{
    switch (ez_paradigm_of(n)) {
    case EZ_PARADIGM_MPI:
        return EZ_ROLE_MPI;
    case EZ_PARADIGM_OPENMP:
        return roles_is_lock(n->text) && !roles_begins(n->text, "Waiting") ? EZ_ROLE_LOCKS
                                                                           : EZ_ROLE_OPENMP;
    case EZ_PARADIGM_PTHREAD:
        return roles_is_lock(n->text) ? EZ_ROLE_LOCKS : EZ_ROLE_USER;
    case EZ_PARADIGM_IO:
        return EZ_ROLE_IO;
    case EZ_PARADIGM_MEMORY:
        return EZ_ROLE_MEMORY;
    case EZ_PARADIGM_PAUSE:
        return EZ_ROLE_PAUSE;
    case EZ_PARADIGM_USER:
        break;
    }
    return roles_of_function(n);
}

const char *ez_role_name(enum ez_role role)
{
    static const char *const names[EZ_ROLES] = {
        [EZ_ROLE_USER] = "user code",    [EZ_ROLE_MPI] = "MPI",
        [EZ_ROLE_OPENMP] = "OpenMP",     [EZ_ROLE_IO] = "I/O",
        [EZ_ROLE_MEMORY] = "memory",     [EZ_ROLE_LOCKS] = "locks",
        [EZ_ROLE_PAUSE] = "not running",
    };
    return names[role];
}

const char *ez_variable_unit(const struct ez_name *n)
{
    static const struct {
        const char *module, *variable, *unit;
    } units[] = {
        { "mpi", "Late sender", "s" },        { "mpi", "Late receiver", "s" },
        { "io", "Bytes read", "bytes" },      { "io", "Bytes written", "bytes" },
        { "memory", "Memory used", "bytes" }, { "memory", "Memory mapped", "bytes" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(units); i++)
        if (!strcmp(n->group, units[i].module) && !strcmp(n->text, units[i].variable))
            return units[i].unit;
    return "";
}
