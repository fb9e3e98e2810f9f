/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_forged.c - how many rows of a journal are read of what a process shows as the shared
 * memory of a shell: as many as the largest has, twice, and no more, whatever the process maps. */
#include "engine/ring_abi.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"

enum {
    SEGMENTS = 4,
    IDS = 1 << 20,                             /* the most that a shell uses */
    ROW = offsetof(struct ez_row, trampoline), /* of a row, what every version has */
};

/* What each test wants forged: in each segment `ids` rows, none of which says anything but the
 * last one of segment `planted`. */
static struct {
    uint32_t ids;
    int planted;
} forged;
static unsigned long rows_read;

__attribute__((noinline, noclone)) long patched(long n);
long patched(long n)
{
    __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
    return n + 1;
}
static const uint8_t jump[5] = { 0xe9, 0, 0, 0, 0 };

static uint64_t segment(int i)
{
    return (uint64_t)s->word[i];
}

/* Rows are millions: those that say nothing are not fetched. */
ez_err *__real_ez_mem_read(struct ez_target *x, uint64_t from, void *buf, size_t n);
ez_err *__wrap_ez_mem_read(struct ez_target *x, uint64_t from, void *buf, size_t n);
ez_err *__wrap_ez_mem_read(struct ez_target *x, uint64_t from, void *buf, size_t n)
{
    for (int i = 0; i < SEGMENTS && n == ROW; i++) {
        uint64_t off = from - segment(i) - EZ_PAGE;
        if (from < segment(i) + EZ_PAGE || off / ROW >= forged.ids)
            continue;
        rows_read++;
        if (i == forged.planted && off / ROW == forged.ids - 1)
            break;
        memset(buf, 0, n);
        return NULL;
    }
    return __real_ez_mem_read(x, from, buf, n);
}

static void forge(int i)
{
    size_t size = EZ_PAGE + (size_t)forged.ids * ROW;
    EZ_CLOSE int fd = memfd_create(EZ_SEG_NAME, MFD_CLOEXEC), mem = open("/proc/self/mem", O_RDWR);
    struct ez_row row = {
        .addr = (uintptr_t)patched, .len = sizeof jump, .planted = 1, .flags = EZ_ROW_ENTRY
    };
    struct ez_hdr *h = MAP_FAILED;
    if (fd >= 0 && mem >= 0 && !ftruncate(fd, (off_t)size))
        h = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED)
        _exit(2);
    *h = (struct ez_hdr){ .magic = EZ_ABI_MAGIC,
                          .abi = 1,
                          .target_pid = (uint32_t)getpid(),
                          .shell_pid = 4711,
                          .ids_max = forged.ids,
                          .ids_used = forged.ids,
                          .off_rows = EZ_PAGE,
                          .size = size,
                          .row_bytes = ROW };
    s->word[i] = (long)h;
    if (i != forged.planted)
        return;
    memcpy(row.before, (void *)(uintptr_t)patched, sizeof jump);
    memcpy(row.after, jump, sizeof jump);
    memcpy((char *)h + EZ_PAGE + (size_t)(forged.ids - 1) * ROW, &row, ROW);
    if (pwrite(mem, jump, sizeof jump, (off_t)(uintptr_t)patched) != (ssize_t)sizeof jump)
        _exit(2);
}

/* The kernel puts a new mapping below the others, so that the last is the first that is met. */
static void forges(void)
{
    for (int i = SEGMENTS; i-- > 0;)
        forge(i);
    work(0);
}

static void teardown(void)
{
    if (t)
        close_target();
    kill(child, SIGKILL);
}

static const struct {
    uint32_t ids;
    int planted;
    unsigned long read;
    bool taken_away;
} cases[] = {
    { IDS, 0, IDS, true },
    { IDS, 1, 2ul * IDS, true },
    { IDS, 2, 2ul * IDS, false }, /* that would be more than is read of all */
    { IDS + 1, 0, 0, false },     /* no shell's                             */
    { IDS / 2 + 1, 2, 3ul * (IDS / 2 + 1), true },
    { IDS / 2 + 1, 3, 3ul * (IDS / 2 + 1), false },
};

START_TEST(rows_of_all_segments)
{
    uint8_t now[sizeof jump];
    forged.ids = cases[_i].ids;
    forged.planted = cases[_i].planted;
    rows_read = 0;
    begin(forges, 1);
    attach();
    hear(0);
    ck_assert_uint_eq(rows_read, cases[_i].read);
    must(ez_mem_read(t, (uintptr_t)patched, now, sizeof now));
    ck_assert_int_eq(memcmp(now, jump, sizeof jump) != 0, cases[_i].taken_away);
    bool told = false;
    for (size_t i = 0; i < nheard; i++)
        told |= heard[i].text && !strncmp(heard[i].text, "Removed 1 probe of an earlier eztsh", 35);
    ck_assert_int_eq(told, cases[_i].taken_away);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

int main(void)
{
    if (!proc_there("check_forged"))
        return 77;
    Suite *suite = suite_create("forged");
    TCase *c = tcase_create("forged");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, NULL, teardown);
    tcase_add_loop_test(c, rows_of_all_segments, 0, (int)EZ_ARRAY_LEN(cases));
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
