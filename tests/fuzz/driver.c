/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.c - runs a fuzzer without libFuzzer, with the same inputs each time.
 *
 *   fuzz_X                 seeds, mutants of seeds and random bytes
 *   fuzz_X FILE...         these inputs, as libFuzzer does
 *   EZT_FUZZ_RUNS=n        so many inputs
 *   EZT_FUZZ_FIRST=n       starting with the n-th, to repeat what failed
 *   EZT_FUZZ_SECONDS=n     not longer than that (60): a loaded machine is no failure
 *   EZT_FUZZ_SEEDS=DIR     only write the seeds there, for libFuzzer
 * An input that ends the program is left in fuzz_X.crash. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include "tests/fuzz/fuzz.h"

#define MAX_SEEDS 256

static struct {
    uint8_t *data;
    size_t n;
} seed[MAX_SEEDS];
static size_t nseeds;

static uint8_t *input; /* the one that is being run */
static size_t input_len;
static unsigned long input_nr;
static char crash_path[256];

static unsigned long number(const char *name, unsigned long otherwise)
{
    const char *s = getenv(name);
    return s && *s ? strtoul(s, NULL, 10) : otherwise;
}

static void write_file(const char *path, const uint8_t *data, size_t n)
{
    EZ_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ssize_t done = fd < 0 ? 0 : write(fd, data, n);
    (void)done; /* it is about to die anyway, or the fuzzer finds fewer seeds */
}

static void on_crash(int sig)
{
    write_file(crash_path, input, input_len);
    dprintf(2, "input %lu ended it by signal %d; it is in %s\n", input_nr, sig, crash_path);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void load_seeds(void)
{
    uint8_t *buf = ez_alloc(fuzz_max);
    size_t n;
    while (nseeds < MAX_SEEDS && (n = fuzz_seed((unsigned)nseeds, buf, fuzz_max))) {
        seed[nseeds].data = ez_alloc(n);
        seed[nseeds].n = n;
        memcpy(seed[nseeds++].data, buf, n);
    }
    free(buf);
}

static void store_seeds(const char *dir)
{
    for (size_t i = 0; i < nseeds; i++) {
        EZ_FREE char *path = ez_sprintf("%s/seed-%zu", dir, i);
        write_file(path, seed[i].data, seed[i].n);
    }
}

static size_t random_bytes(uint64_t *x, uint8_t *buf)
{
    size_t limit = (size_t)1 << fuzz_random(x) % 16;
    size_t n = (size_t)(fuzz_random(x) >> 20) % (1 + EZ_MIN(fuzz_max, limit));
    for (size_t i = 0; i < n; i++)
        buf[i] = (uint8_t)(fuzz_random(x) >> 40);
    return n;
}

static size_t mutate_once(uint64_t *x, uint8_t *buf, size_t n)
{
    static const uint64_t words[] = { 0, 1, UINT64_MAX, 1ull << 63, 1ull << 32, 0xffff, 0x201 };
    uint64_t how = fuzz_random(x) >> 32, y = fuzz_random(x) >> 16;
    size_t at = n ? (size_t)(fuzz_random(x) >> 16) % n : 0, word = at / 4 * 4;
    if (!n)
        return 0;
    switch (how % 7) {
    case 0:
        buf[at] ^= (uint8_t)(1u << y % 8);
        return n;
    case 1:
        buf[at] = (uint8_t)y;
        return n;
    case 2:
        if (word + 8 <= n)
            memcpy(buf + word, &words[y % EZ_ARRAY_LEN(words)], 8);
        return n;
    case 3: /* a piece of it, again elsewhere */
        memmove(buf + at, buf + y % n, EZ_MIN(EZ_MIN(n - at, n - y % n), (size_t)(y >> 20) % 200));
        return n;
    case 4: { /* of another seed */
        size_t s = y % nseeds, from = (size_t)(y >> 20) % seed[s].n;
        memcpy(buf + at, seed[s].data + from,
               EZ_MIN(EZ_MIN(n - at, seed[s].n - from), (size_t)(y >> 8) % 100));
        return n;
    }
    case 5: /* bytes go */
        y = EZ_MIN(n - at, y % 16);
        memmove(buf + at, buf + at + y, n - at - y);
        return n - y;
    default:
        return how % 3 ? n : at; /* it ends here */
    }
}

static size_t make_input(unsigned long nr, uint8_t *buf)
{
    uint64_t x = (nr + 1) * 0x2545f4914f6cdd1dull;
    for (int i = 0; i < 4; i++)
        fuzz_random(&x);
    if (!nseeds || fuzz_random(&x) >> 32 & 1)
        return random_bytes(&x, buf);
    size_t s = (size_t)(fuzz_random(&x) >> 32) % nseeds, n = seed[s].n;
    memcpy(buf, seed[s].data, n);
    for (uint64_t k = fuzz_random(&x) >> 32 & 7; k; k--)
        n = mutate_once(&x, buf, n);
    return n;
}

/* In a block of exactly that size: a sanitizer then sees each byte read beyond. */
static void run(const uint8_t *data, size_t n)
{
    input = ez_alloc(n);
    input_len = n;
    if (n)
        memcpy(input, data, n);
    LLVMFuzzerTestOneInput(input, n);
    free(input);
    input = NULL;
    input_len = 0;
}

static int run_file(const char *path)
{
    FILE *f = fopen(path, "re");
    if (!f) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    uint8_t *buf = ez_alloc(1 << 20);
    size_t n = fread(buf, 1, 1 << 20, f);
    fclose(f);
    run(buf, n);
    free(buf);
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run_all(const char *name)
{
    unsigned long first = number("EZT_FUZZ_FIRST", 0), n = number("EZT_FUZZ_RUNS", fuzz_runs);
    double start = now(), end = start + (double)number("EZT_FUZZ_SECONDS", 60);
    uint8_t *buf = ez_alloc(fuzz_max);
    for (size_t i = 0; i < nseeds && !first; i++)
        run(seed[i].data, seed[i].n);
    unsigned long i = first;
    for (; i < first + n && now() < end; i++) {
        input_nr = i;
        run(buf, make_input(i, buf));
    }
    free(buf);
    printf("%s: %zu seeds, %lu inputs in %.1f s%s\n", name, nseeds, i - first, now() - start,
           i - first < n ? " (time is up)" : "");
}

int main(int argc, char **argv)
{
    static const int fatal[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE };
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    const char *dir = getenv("EZT_FUZZ_SEEDS");
    int bad = 0;
    if (access("/proc/self/fd", X_OK)) {
        printf("skip - %s: /proc is not mounted\n", name);
        return 77;
    }
    snprintf(crash_path, sizeof crash_path, "%s.crash", name);
    for (size_t i = 0; i < EZ_ARRAY_LEN(fatal); i++)
        signal(fatal[i], on_crash);
    load_seeds();
    if (dir)
        store_seeds(dir);
    else if (argc > 1)
        for (int i = 1; i < argc; i++)
            bad |= run_file(argv[i]);
    else
        run_all(name);
    for (size_t i = 0; i < nseeds; i++)
        free(seed[i].data);
    return bad;
}
