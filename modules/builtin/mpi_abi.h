/* SPDX-License-Identifier: MIT */
/* mpi_abi.h - the memory layouts of the two MPIs, for mpi_probes.h.
 *
 * The module is built without mpi.h, so that one file serves Open MPI and MPICH (and libraries with
 * MPICH's ABI). Their arguments differ in width only: a handle is a pointer in Open MPI and an int
 * in MPICH. Each argument is a word here. The upper half of an int's register or stack slot is
 * passed on unchanged, and masked where the module reads it.
 *
 * The library is identified at the first call of MPI, when it certainly is loaded. */
#ifndef MPI_ABI_H
#define MPI_ABI_H

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

typedef uintptr_t mpi_word;

enum { MPI_ANY = -1, MPI_NONE = -2 }; /* values in events for "any" and "no" peer or tag */

struct mpi_lib {
    uint64_t mask;   /* bits of a word that are the handle */
    unsigned handle; /* size of a handle in an array */
    unsigned status; /* size of an MPI_Status, and offsets of its members, in bytes */
    unsigned source_at, tag_at;
    int any_source, proc_null;
    int root; /* MPI_ROOT: this process is the root of a collective call of an intercommunicator */
    mpi_word ignore; /* MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE */
    mpi_word in_place;
    int truncated; /* error class of a message longer than the receive's buffer */
    uint64_t world, comm_null, request_null, message_null, message_no_proc, type_null;
    int (*initialized)(int *), (*finalized)(int *);
    int (*comm_rank)(mpi_word, int *), (*comm_size)(mpi_word, int *);
    int (*comm_test_inter)(mpi_word, int *);
    int (*comm_group)(mpi_word, uint64_t *), (*comm_remote_group)(mpi_word, uint64_t *);
    int (*group_size)(mpi_word, int *), (*group_free)(uint64_t *);
    int (*group_translate_ranks)(mpi_word, int, const int *, mpi_word, int *);
    int (*type_size)(mpi_word, int *);
    int (*test_cancelled)(const void *, int *);
    int (*request_get_status)(mpi_word, int *, void *);
    int (*error_class)(int, int *);
};
static struct mpi_lib mpi_lib;

/* ---- a spin lock, held for a few instructions ------------------------------------------------ */

static inline void mpi_lock(int *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(lock, __ATOMIC_RELAXED))
            ;
}
static inline void mpi_unlock(int *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* ---- memory for the module's tables, never freed --------------------------------------------- */

static inline void *mpi_pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Returns zeroed memory, or NULL. */
static inline void *mpi_room(size_t n)
{
    enum { CHUNK = 1 << 16 };
    static int lock;
    static char *next;
    static size_t left;
    n = (n + 15) & ~(size_t)15;
    if (n > CHUNK / 4)
        return mpi_pages(n);
    mpi_lock(&lock);
    if (left < n) {
        next = (char *)mpi_pages(CHUNK);
        left = next ? CHUNK : 0;
    }
    void *p = NULL;
    if (left >= n) {
        p = next;
        next += n;
        left -= n;
    }
    mpi_unlock(&lock);
    return p;
}

/* ---- the library --------------------------------------------------------------------------------- */

static inline int mpi_is_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *base = strrchr(info->dlpi_name, '/');
    base = base ? base + 1 : info->dlpi_name;
    (void)size;
    if (strncmp(base, "libmpi.so", 9) && strncmp(base, "libmpich.so", 11))
        return 0;
    *(const char **)arg = info->dlpi_name;
    return 1;
}

/* Returns the address of a variable of the library. If the program has a copy of the variable
 * (R_X86_64_COPY), returns the copy's address, because only the copy is used then. */
static inline uint64_t mpi_object(void *from, const char *name)
{
    uint64_t at = (uint64_t)dlsym(RTLD_DEFAULT, name);
    return at ? at : (uint64_t)dlsym(from, name);
}

static inline void mpi_of_open_mpi(struct mpi_lib *l, void *from)
{
    l->mask = UINT64_MAX;
    l->handle = sizeof(void *);
    l->status = 24;
    l->source_at = 0;
    l->tag_at = 4;
    l->any_source = -1;
    l->proc_null = -2;
    l->root = -4;
    l->ignore = 0;
    l->in_place = 1;
    l->truncated = 15;
    l->world = mpi_object(from, "ompi_mpi_comm_world");
    l->comm_null = mpi_object(from, "ompi_mpi_comm_null");
    l->request_null = mpi_object(from, "ompi_request_null");
    l->message_null = mpi_object(from, "ompi_message_null");
    l->message_no_proc = mpi_object(from, "ompi_message_no_proc");
    l->type_null = mpi_object(from, "ompi_mpi_datatype_null");
}

static inline void mpi_of_mpich(struct mpi_lib *l)
{
    l->mask = UINT32_MAX;
    l->handle = 4;
    l->status = 20;
    l->source_at = 8;
    l->tag_at = 12;
    l->any_source = -2;
    l->proc_null = -1;
    l->root = -3;
    l->ignore = 1;
    l->in_place = (mpi_word)-1;
    l->truncated = 14;
    l->world = 0x44000000;
    l->comm_null = 0x04000000;
    l->request_null = 0x2c000000;
    l->message_null = 0x2c000000;
    l->message_no_proc = 0x6c000000;
    l->type_null = 0x0c000000;
}

/* Finds the functions that the module needs. Returns 1 if all exist. */
static inline int mpi_functions(struct mpi_lib *l, void *from)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {
        { &l->initialized, "PMPI_Initialized" },
        { &l->finalized, "PMPI_Finalized" },
        { &l->comm_rank, "PMPI_Comm_rank" },
        { &l->comm_size, "PMPI_Comm_size" },
        { &l->comm_test_inter, "PMPI_Comm_test_inter" },
        { &l->comm_group, "PMPI_Comm_group" },
        { &l->comm_remote_group, "PMPI_Comm_remote_group" },
        { &l->group_size, "PMPI_Group_size" },
        { &l->group_free, "PMPI_Group_free" },
        { &l->group_translate_ranks, "PMPI_Group_translate_ranks" },
        { &l->type_size, "PMPI_Type_size" },
        { &l->test_cancelled, "PMPI_Test_cancelled" },
        { &l->request_get_status, "PMPI_Request_get_status" },
        { &l->error_class, "PMPI_Error_class" },
    };
    int all = 1;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *at = dlsym(from, wanted[i].name);
        memcpy(wanted[i].to, &at, sizeof at);
        all &= at != NULL;
    }
    return all;
}

/* Finds the MPI library. If it was loaded by dlopen, it is in no global scope, so it is found by
 * its path. */
static inline int mpi_find_library(struct mpi_lib *l)
{
    const char *path = NULL;
    void *from = RTLD_DEFAULT;
    dl_iterate_phdr(mpi_is_library, &path);
    if (path)
        from = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (path && !from)
        return 0;
    if (mpi_object(from, "ompi_mpi_comm_world"))
        mpi_of_open_mpi(l, from);
    else
        mpi_of_mpich(l);
    return mpi_functions(l, from);
}

/* ---- arguments ------------------------------------------------------------------------------------ */

static inline uint64_t mpi_handle(mpi_word handle)
{
    return handle & mpi_lib.mask;
}

/* Returns element i of an array of handles. For a pointer to a single handle, i is 0. */
static inline uint64_t mpi_handle_at(mpi_word array, size_t i)
{
    return mpi_lib.handle == 4 ? ((const uint32_t *)array)[i] : ((const uint64_t *)array)[i];
}

static inline int mpi_status_int(const char *status, unsigned at)
{
    int value;
    memcpy(&value, status + at, sizeof value);
    return value;
}

/* Returns the bytes of `count` elements; 0 if the type is invalid, because MPI would abort the
 * program for it. */
static inline uint64_t mpi_bytes(int64_t count, mpi_word type)
{
    int size = 0;
    if (count <= 0 || !mpi_handle(type) || mpi_handle(type) == mpi_lib.type_null)
        return 0;
    mpi_lib.type_size(type, &size);
    return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

static inline int64_t mpi_tag(mpi_word tag)
{
    return (int)tag; /* MPI_ANY_TAG is -1 in both libraries */
}

#endif
