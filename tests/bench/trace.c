/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - a large trace for `make bench`, and how quickly a file can be read.
 *
 *   trace write FILE EVENTS   2 threads, 200 functions, as the drain thread writes them:
 *                             a run of one thread, then one of the other
 *   trace zstd FILE EVENTS    the same, compressed
 *   trace read FILE           events a second: our reader, and the same walk over the
 *                             file mapped into memory (medians of 5)
 *   trace pack FILE           compresses a trace: events a second of a writer thread's processor
 *                             time, bytes an event; then how quickly it is read */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/base/zst.h"
#include "engine/trace/fxt_in.h"
#include "engine/record/fxt_out.h"

enum { RUN = 1364, FUNCTIONS = 200, ROUNDS = 5 };

static void must(ez_err *e)
{
    if (e) {
        fprintf(stderr, "%s\n", e->msg);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void define(struct ez_fxt_out *f)
{
    const uint32_t both = EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT;
    uint64_t schema[] = { 1, 1000000000 }, pid = 42;
    must(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, 42, schema, 2, NULL, 0 }));
    must(ez_fxt_out_define(f,
                           &(struct ez_fxt_def){ EZ_DEF_PROCESS, 1, 42, &pid, 1, "app\0here", 8 }));
    for (uint64_t i = 0; i < FUNCTIONS; i++) {
        char name[32];
        uint64_t arg[] = { i, both, 0x1000 + i };
        int n = snprintf(name, sizeof name, "func_%u%capp", (unsigned)i, 0);
        must(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_PROBE, 1, 42, arg, 3, name, (size_t)n }));
    }
}

static void write_trace(const char *path, uint64_t events, bool compress)
{
    struct ez_fxt_out *f;
    static struct ez_rec r[RUN];
    uint64_t t[2] = { 1000, 1050 }, made[2] = { 0, 0 };
    must(ez_fxt_out_begin(
        &(struct ez_fxt_want){ .path = path, .traced_pid = 42, .compress = compress }, &f));
    define(f);
    for (uint64_t n = 0; n < events; n += RUN) {
        unsigned who = n / RUN & 1;
        for (unsigned i = 0; i < RUN; i++, made[who]++) {
            uint64_t code = EZ_C_PROBE + 2 * (made[who] / 2 % FUNCTIONS) + (made[who] & 1);
            r[i] = (struct ez_rec){ t[who] += 100, 42 + who, code << 8 | 1 };
        }
        must(ez_fxt_out_events(f, (const uint64_t *)r, RUN * sizeof *r / sizeof(uint64_t)));
    }
    must(ez_fxt_out_close(f));
}

static uint64_t by_reader(const char *path)
{
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    uint64_t n = 0, sum = 0;
    bool got = true;
    must(ez_fxt_in_open(path, &in));
    for (; got; n++, sum += ev.tick)
        must(ez_fxt_in_next(in, &ev, &got));
    ez_fxt_in_close(in);
    return sum ? n - 1 : 0;
}

static uint64_t by_map(const char *path)
{
    struct stat st;
    uint64_t n = 0, sum = 0, infos;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st))
        exit(1);
    const char *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    memcpy(&infos, p + 4, 8);
    for (size_t at = 4 + infos + 16; at + 24 <= (size_t)st.st_size; n++) {
        uint64_t w[3];
        memcpy(w, p + at, sizeof w);
        sum += w[0];
        at += 24 + 8 * ((w[2] & 0xff) - 1);
    }
    munmap((void *)p, (size_t)st.st_size);
    close(fd);
    return sum ? n : 0;
}

static int up(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(const char *name, uint64_t (*fn)(const char *), const char *path)
{
    double took[ROUNDS];
    uint64_t n = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double t = now();
        n = fn(path);
        took[i] = now() - t;
    }
    qsort(took, ROUNDS, sizeof *took, up);
    printf("%-22s %6.1f M events/s\n", name, (double)n / took[ROUNDS / 2] / 1e6);
}

static double cpu(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Each median's round has the writers' time alone: this thread only reads, copies and writes. */
static void pack_trace(const char *path)
{
    struct ez_fxt_in *in;
    double took[ROUNDS];
    uint64_t events = by_reader(path), packed = 0;
    static char buf[ZST_PIECE];
    char to[] = "/tmp/eztsh-pack-XXXXXX";
    int fd = mkstemp(to);
    must(ez_fxt_in_open(path, &in));
    for (int i = 0; i < ROUNDS; i++) {
        struct ez_zst_out *o;
        size_t n;
        if (fd < 0 || ftruncate(fd, 0) || ez_zst_out_begin(fd, buf, 16, &o))
            exit(1);
        double t = cpu(CLOCK_PROCESS_CPUTIME_ID) - cpu(CLOCK_THREAD_CPUTIME_ID);
        for (uint64_t at = 0; at < ez_fxt_in_size(in); at += n) {
            must(ez_fxt_in_bytes(in, buf, sizeof buf, at, &n));
            if (ez_zst_out_append(o, buf, n))
                exit(1);
        }
        if (ez_zst_out_finish(o))
            exit(1);
        took[i] = cpu(CLOCK_PROCESS_CPUTIME_ID) - cpu(CLOCK_THREAD_CPUTIME_ID) - t;
        packed = ez_zst_out_bytes(o);
        ez_zst_out_free(o);
    }
    ez_fxt_in_close(in);
    close(fd);
    unlink(to);
    qsort(took, ROUNDS, sizeof *took, up);
    printf("%.1f M events, %5.1f M events/s a writer (bound 10), %.2f bytes an event (bound 5)\n",
           (double)events / 1e6, (double)events / took[ROUNDS / 2] / 1e6,
           (double)packed / (double)events);
}

int main(int argc, char **argv)
{
    if (argc == 4 && (!strcmp(argv[1], "write") || !strcmp(argv[1], "zstd"))) {
        write_trace(argv[2], strtoull(argv[3], NULL, 0), *argv[1] == 'z');
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "pack")) {
        pack_trace(argv[2]);
        return 0;
    }
    if (argc != 3 || strcmp(argv[1], "read"))
        return 2;
    measure("reader (pread)", by_reader, argv[2]);
    measure("the same, mapped", by_map, argv[2]);
    return 0;
}
