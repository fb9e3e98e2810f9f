/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_otf2.c - each call of libotf2 fails once, up to the very last of an archive. The error is told,
 * and no half-written archive stays. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/format/conv_otf2.h"
#include "engine/trace/roles.h"
#include "engine/format/convert.h"
#include "tests/unit/deny.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

#ifdef HAVE_OTF2

#include <otf2/otf2.h>

/* What cannot be closed is left (conv_otf2.c); seen with --enable-sanitizers only. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:OTF2_Archive_Open";
}

#define ARCHIVE OTF2_Archive *a
#define SAYS(call) EZ_DENIED(OTF2_ErrorCode, call, (ARCHIVE), (a), OTF2_ERROR_FILE_INTERACTION)
#define SAYS_OF(call, type)                                                                        \
    EZ_DENIED(OTF2_ErrorCode, call, (ARCHIVE, type x), (a, x), OTF2_ERROR_FILE_INTERACTION)
#define GIVES(call, type) EZ_DENIED(type *, call, (ARCHIVE, OTF2_LocationRef x), (a, x), NULL)

EZ_DENIED(OTF2_AttributeList *, OTF2_AttributeList_New, (void), (), NULL)
EZ_DENIED(OTF2_Archive *, OTF2_Archive_Open,
          (const char *at, const char *name, OTF2_FileMode mode, uint64_t ev, uint64_t def,
           OTF2_FileSubstrate sub, OTF2_Compression z),
          (at, name, mode, ev, def, sub, z), NULL)
/* The library asks before each write. */
static OTF2_FlushCallbacks asked, counting;
static unsigned may_write;

static OTF2_FlushType count_writes(void *arg, OTF2_FileType type, OTF2_LocationRef place,
                                   void *caller, bool final)
{
    OTF2_FlushType answer = asked.otf2_pre_flush(arg, type, place, caller, final);
    may_write += answer == OTF2_FLUSH;
    return answer;
}

OTF2_ErrorCode __real_OTF2_Archive_SetFlushCallbacks(ARCHIVE, const OTF2_FlushCallbacks *fns,
                                                     void *arg);
OTF2_ErrorCode __wrap_OTF2_Archive_SetFlushCallbacks(ARCHIVE, const OTF2_FlushCallbacks *fns,
                                                     void *arg);
OTF2_ErrorCode __wrap_OTF2_Archive_SetFlushCallbacks(ARCHIVE, const OTF2_FlushCallbacks *fns,
                                                     void *arg)
{
    if (is_denied("OTF2_Archive_SetFlushCallbacks"))
        return OTF2_ERROR_FILE_INTERACTION;
    asked = counting = *fns;
    counting.otf2_pre_flush = count_writes;
    return __real_OTF2_Archive_SetFlushCallbacks(a, &counting, arg);
}
EZ_DENIED(OTF2_ErrorCode, OTF2_Archive_SetMemoryCallbacks,
          (ARCHIVE, const OTF2_MemoryCallbacks *fns, void *arg), (a, fns, arg),
          OTF2_ERROR_FILE_INTERACTION)
SAYS(OTF2_Archive_SetSerialCollectiveCallbacks)
SAYS_OF(OTF2_Archive_SetCreator, const char *)
SAYS(OTF2_Archive_OpenEvtFiles)
GIVES(OTF2_Archive_GetEvtWriter, OTF2_EvtWriter)
SAYS_OF(OTF2_Archive_CloseEvtWriter, OTF2_EvtWriter *)
SAYS(OTF2_Archive_CloseEvtFiles)
SAYS(OTF2_Archive_OpenDefFiles)
GIVES(OTF2_Archive_GetDefWriter, OTF2_DefWriter)
SAYS_OF(OTF2_Archive_CloseDefWriter, OTF2_DefWriter *)
SAYS(OTF2_Archive_CloseDefFiles)
EZ_DENIED(OTF2_GlobalDefWriter *, OTF2_Archive_GetGlobalDefWriter, (ARCHIVE), (a), NULL)
EZ_DENIED(OTF2_ErrorCode, OTF2_GlobalDefWriter_WriteString,
          (OTF2_GlobalDefWriter * w, OTF2_StringRef id, const char *text), (w, id, text),
          OTF2_ERROR_FILE_INTERACTION)
SAYS_OF(OTF2_Archive_CloseGlobalDefWriter, OTF2_GlobalDefWriter *)
SAYS(OTF2_Archive_Close)

static off_t reserved[16];
static size_t nreserved;

int __wrap_fallocate(int fd, int mode, off_t from, off_t size);
int __wrap_fallocate(int fd, int mode, off_t from, off_t size)
{
    ck_assert(fd >= 0 && mode == FALLOC_FL_KEEP_SIZE && !from);
    ck_assert_uint_lt(nreserved, EZ_ARRAY_LEN(reserved));
    reserved[nreserved++] = size;
    return is_denied("fallocate") ? -1 : 0;
}

static const struct {
    const char *call;
    int nth; /* as many as there are at least */
} step[] = {
    { "OTF2_AttributeList_New", 1 },
    { "OTF2_Archive_Open", 1 },
    { "OTF2_Archive_SetFlushCallbacks", 1 },
    { "OTF2_Archive_SetMemoryCallbacks", 1 },
    { "OTF2_Archive_SetSerialCollectiveCallbacks", 1 },
    { "OTF2_Archive_SetCreator", 1 },
    { "OTF2_Archive_OpenEvtFiles", 1 },
    { "OTF2_Archive_GetEvtWriter", 2 },
    { "OTF2_Archive_CloseEvtWriter", 2 },
    { "OTF2_Archive_CloseEvtFiles", 1 },
    { "OTF2_Archive_OpenDefFiles", 1 },
    { "OTF2_Archive_GetDefWriter", 2 },
    { "OTF2_Archive_CloseDefWriter", 2 },
    { "OTF2_Archive_CloseDefFiles", 1 },
    { "OTF2_Archive_GetGlobalDefWriter", 1 },
    { "OTF2_GlobalDefWriter_WriteString", 12 },
    { "OTF2_Archive_CloseGlobalDefWriter", 1 },
    { "OTF2_Archive_Close", 1 },
};

static char folder[64];

static void setup(void)
{
    snprintf(folder, sizeof folder, "check_otf2-%d", getpid());
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    EZ_FREE char *path = ez_sprintf("%s/t.fxt", folder);
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (uint64_t tid = 42; tid < 45; tid++)
        for (unsigned i = 0; i < 20; i++)
            tf_put(f, 1000 + i, tid, 0, i % 2);
    tf_ok(ez_fxt_out_close(f));
}

static void teardown(void)
{
    char cmd[128];
    deny_nothing();
    snprintf(cmd, sizeof cmd, "rm -rf %s", folder);
    ck_assert_int_eq(system(cmd), 0);
}

START_TEST(each_step)
{
    EZ_FREE char *in = ez_sprintf("%s/t.fxt", folder), *out = ez_sprintf("%s/o", folder);
    struct ez_convert w = { .in = &in, .n = 1, .format = "otf2", .out = out };
    const size_t before = files_in(folder);
    for (int nth = 1; nth <= step[_i].nth; nth++) {
        struct ez_converted done = { .out = NULL };
        deny(step[_i].call, nth, EIO);
        ez_err *e = ez_convert(&w, &done);
        ck_assert_int_ge(denied.seen, nth);
        deny_nothing();
        ck_assert_msg(e != NULL, "%s %d: not told", step[_i].call, nth);
        EZ_FREE char *says = ez_sprintf("Cannot write %s: ", out);
        ck_assert_msg(!strncmp(e->msg, says, strlen(says)), "%s", e->msg);
        ez_err_free(e);
        ck_assert_msg(files_in(folder) == before, "%s %d: something stayed", step[_i].call, nth);
    }
    struct ez_converted done = { .out = NULL };
    tf_ok(ez_convert(&w, &done));
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
}
END_TEST

static ez_err *written(const char *in)
{
    EZ_FREE char *out = ez_sprintf("%s/o", folder);
    struct ez_convert w = { .in = (char **)&in, .n = 1, .format = "otf2", .out = out };
    struct ez_converted done = { .out = NULL };
    nreserved = 0;
    EZ_TRY(ez_convert(&w, &done));
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
    return NULL;
}

START_TEST(regions_have_paradigms_and_roles)
{
    static const struct {
        const char *text, *group;
        uint64_t addr; /* 0: a module's state */
        OTF2_Paradigm paradigm;
        OTF2_RegionRole role;
    } c[] = {
#define IS(text, group, addr, paradigm, role)                                                      \
    { text, group, addr, OTF2_PARADIGM_##paradigm, OTF2_REGION_ROLE_##role }
        IS("MPI_Send", "mpi", 0, MPI, POINT2POINT),
        IS("MPI_Irecv_c", "mpi", 0, MPI, POINT2POINT),
        IS("MPI_Improbe", "mpi", 0, MPI, POINT2POINT),
        IS("MPI_Sendrecv_replace", "mpi", 0, MPI, POINT2POINT),
        IS("MPI_Waitall", "mpi", 0, MPI, POINT2POINT),
        IS("MPI_Barrier", "mpi", 0, MPI, BARRIER),
        IS("MPI_Ibarrier", "mpi", 0, MPI, BARRIER),
        IS("MPI_Bcast", "mpi", 0, MPI, COLL_ONE2ALL),
        IS("MPI_Iscatterv_c", "mpi", 0, MPI, COLL_ONE2ALL),
        IS("MPI_Reduce", "mpi", 0, MPI, COLL_ALL2ONE),
        IS("MPI_Reduce_c", "mpi", 0, MPI, COLL_ALL2ONE),
        IS("MPI_Reduce_scatter_block", "mpi", 0, MPI, COLL_ALL2ALL),
        IS("MPI_Reduce_local", "mpi", 0, MPI, FUNCTION),
        IS("MPI_Igather", "mpi", 0, MPI, COLL_ALL2ONE),
        IS("MPI_Iallreduce", "mpi", 0, MPI, COLL_ALL2ALL),
        IS("MPI_Alltoallw", "mpi", 0, MPI, COLL_ALL2ALL),
        IS("MPI_Exscan", "mpi", 0, MPI, COLL_OTHER),
        IS("MPI_Ineighbor_alltoall", "mpi", 0, MPI, COLL_OTHER),
        IS("MPI_Put", "mpi", 0, MPI, RMA),
        IS("MPI_Get", "mpi", 0, MPI, RMA),
        IS("MPI_Get_count", "libmpi.so.40", 1, MPI, FUNCTION),
        IS("MPI_Win_fence", "mpi", 0, MPI, RMA),
        IS("MPI_File_iwrite_at_all", "mpi", 0, MPI, FILE_IO),
        IS("MPI_File_open", "mpi", 0, MPI, FILE_IO_METADATA),
        IS("MPI_Init", "mpi", 0, MPI, FUNCTION),
        IS("MPI_Is_thread_main", "libmpich.so.12", 1, MPI, FUNCTION),
        IS("PMPI_Allreduce", "libmpi.so.40", 1, MPI, COLL_ALL2ALL),
        IS("MPI_Send", "app", 1, USER, FUNCTION),
        IS("Reading", "app", 0, USER, FUNCTION),
        IS("mpi_send", "libmpi.so.40", 1, USER, FUNCTION),
        IS("Parallel region", "openmp", 0, OPENMP, PARALLEL),
        IS("Working", "openmp", 0, OPENMP, CODE),
        IS("Blocked on a lock", "openmp", 0, OPENMP, CRITICAL),
        IS("Waiting at a barrier", "openmp", 0, OPENMP, BARRIER),
        IS("Single", "openmp", 0, OPENMP, SINGLE_SBLOCK),
        IS("Task", "openmp", 0, OPENMP, TASK),
        IS("Yielding to tasks", "openmp", 0, OPENMP, FUNCTION),
        IS("Working", "openmp", 1, USER, FUNCTION), /* of a program with that name */
        IS("Critical Section", "pthread", 0, PTHREAD, CRITICAL_SBLOCK),
        IS("Blocked on a read lock", "pthread", 0, PTHREAD, CRITICAL),
        IS("Blocked on a semaphore", "pthread", 0, PTHREAD, FUNCTION),
        IS("Waiting for a thread", "pthread", 0, PTHREAD, THREAD_WAIT),
        IS("Writing", "io", 0, NONE, FILE_IO),
        IS("Closing", "io", 0, NONE, FILE_IO_METADATA),
        IS("Waiting for I/O", "io", 0, NONE, FUNCTION),
        IS("mmap", "memory", 0, NONE, FUNCTION),
        IS("kernel", "libgpu.so", 1, USER, FUNCTION),
        IS("Copying", "gpu", 0, USER, FUNCTION),
#undef IS
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(c); i++) {
        struct ez_name n = { .kind = EZ_N_STATE,
                             .text = (char *)c[i].text,
                             .group = (char *)c[i].group,
                             .addr = c[i].addr };
        struct otf2_kind k = otf2_kind_of(&n);
        ck_assert_msg(k.paradigm == c[i].paradigm, "%s of %s: %d", c[i].text, c[i].group,
                      k.paradigm);
        ck_assert_msg(k.role == c[i].role, "%s of %s: role %d", c[i].text, c[i].group, k.role);
        n.kind = EZ_N_EVENT;
        ck_assert_int_eq(otf2_kind_of(&n).role, OTF2_REGION_ROLE_ARTIFICIAL);
    }
    struct ez_name pause = {
        .kind = EZ_N_STATE, .text = (char *)"[slept]", .group = (char *)"", .pause = EZ_P_WITHIN
    };
    ck_assert_int_eq(otf2_kind_of(&pause).paradigm, OTF2_PARADIGM_MEASUREMENT_SYSTEM);
    ck_assert_int_eq(otf2_kind_of(&pause).role, OTF2_REGION_ROLE_ARTIFICIAL);
    struct ez_name variable = { .kind = EZ_N_VAR,
                                .text = (char *)"Late sender",
                                .group = (char *)"mpi" };
    ck_assert_str_eq(ez_variable_unit(&variable), "s");
    variable.group = (char *)"other";
    ck_assert_str_eq(ez_variable_unit(&variable), "");
}
END_TEST

static char *long_trace(void)
{
    char *path = ez_sprintf("%s/long.fxt", folder);
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (unsigned i = 0; i < 100000; i++)
        tf_put(f, 1000 + i, 42, 0, i % 2);
    tf_ok(ez_fxt_out_close(f));
    return path;
}

/* Of each thread's file before it grows, by as much as the library writes at once; only a file
 * system that has none refuses. */
START_TEST(room_is_reserved)
{
    static const int none[] = { ENOSPC, EDQUOT, EIO };
    EZ_FREE char *path = long_trace();
    tf_ok(written(path));
    ck_assert_uint_ge(nreserved, 3);
    for (size_t i = 0; i < nreserved; i++)
        ck_assert_int_eq(reserved[i],
                         (off_t)(i + 2) * OTF2_EVENT_CHUNK); /* the first makes the file */
    const size_t before = files_in(folder), all = nreserved;
    for (size_t i = 0; i < EZ_ARRAY_LEN(none); i++) {
        deny("fallocate", 2, none[i]);
        ez_err *e = written(path);
        ck_assert_ptr_nonnull(e);
        ck_assert_ptr_nonnull(strstr(e->msg, strerror(none[i])));
        ez_err_free(e);
        ck_assert_uint_eq(nreserved, 2);
        ck_assert_uint_eq(files_in(folder), before);
    }
    deny("fallocate", 0, EOPNOTSUPP);
    tf_ok(written(path));
    ck_assert_uint_eq(nreserved, all);
}
END_TEST

static bool until_it_writes(void *arg, uint64_t done, uint64_t all)
{
    (void)done, (void)all;
    *(unsigned *)arg = may_write;
    return !may_write;
}

/* Of an archive that the user cancels, what the library still holds is not written. */
START_TEST(a_cancelled_archive_is_not_written)
{
    EZ_FREE char *in = long_trace(), *out = ez_sprintf("%s/o", folder);
    unsigned written_then = 0;
    struct ez_convert w = { .in = &in, .n = 1, .format = "otf2", .out = out };
    struct ez_converted done = { .out = NULL };
    const size_t before = files_in(folder);
    w.progress = (struct ez_progress){ .fn = until_it_writes, .arg = &written_then };
    ez_err *e = ez_convert(&w, &done);
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    ck_assert_uint_ge(written_then, 1);
    ck_assert_uint_eq(may_write, written_then);
    ck_assert_uint_eq(files_in(folder), before);
}
END_TEST

#endif

int main(void)
{
#ifdef HAVE_OTF2
    Suite *s = suite_create("otf2");
    TCase *c = tcase_create("otf2");
    tcase_set_timeout(c, 30);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, each_step, 0, EZ_ARRAY_LEN(step));
    tcase_add_test(c, room_is_reserved);
    tcase_add_test(c, a_cancelled_archive_is_not_written);
    tcase_add_test(c, regions_have_paradigms_and_roles);
    suite_add_tcase(s, c);
    return run_suite(s);
#else
    printf("skip - check_otf2: eztsh was built without OTF2\n");
    return 77;
#endif
}
