/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_mask.c - what `eztsh --check` takes out of a line before it compares, and what it does not. */
#include <stdlib.h>
#include <string.h>

#include "shell/mask_addresses.h"
#include "tests/unit/shell/check_shell.h"

static const struct {
    const char *line, *masked;
} lines[] = {
    { "", "" },
    { "nothing to mask, but 42 and 0x7", "nothing to mask, but 42 and 0x7" },
    /* addresses: not 1 to 3 digits, not 8, not more than 16 */
    { "0x1139", "ADDR" },
    { "at 0x555555555139 <main+4>", "at ADDR <main+4>" },
    { "0x123 0xdeadbeef 0x12345678901234567", "0x123 0xdeadbeef 0x12345678901234567" },
    { "0x7fffffffe568 (140737488348520)", "ADDR (N)" },
    { "(140)", "(140)" },
    { "x0x1139 a_0x1139", "x0x1139 a_0x1139" },
    { "0x", "0x" },
    { "0xzz", "0xzz" },
    /* numbers of ten digits or more */
    { "999999999 1000000000", "999999999 N" },
    { "v1000000000", "v1000000000" },
    /* pids */
    { "[Inferior 1 (process 123) exited normally]", "[Inferior 1 (process PID) exited normally]" },
    { "Thread 2 (LWP 77)", "Thread 2 (LWP PID)" },
    { "/proc/12/maps", "/proc/PID/maps" },
    { "attach 9", "attach PID" },
    { "p_app-312.fxt", "p_app-PID.fxt" },
    { "p_app-312.txt line-5", "p_app-312.txt line-5" },
    { "processes 123", "processes 123" },
    /* times */
    { "took 12.5 ms, 3 s, 7 us and 900 ns", "took TIME, TIME, TIME and TIME" },
    { "3 sheep, 4 msec", "3 sheep, 4 msec" },
    { "12.", "12." },
    /* folders of absolute paths: the last part stays */
    { "/usr/lib/libc.so.6", "libc.so.6" },
    { "file /tmp/a b/c.c, line 4", "file a b/c.c, line 4" },
    { "in (/home/me/t.c:12)", "in (t.c:12)" },
    { "/t.c /", "/t.c /" },
    { "/usr/lib/", "/usr/lib/" },
    { "a/b/c ./x/y ../x/y ~/x/y", "a/b/c ./x/y ../x/y ~/x/y" },
    /* blanks */
    { "a  b\tc   ", "a  b  c" },
    { "   a b", "  a b" },
    { "\t", "" },
    { "4 s\t0x1139\t/a/b", "TIME  ADDR  b" },
};

START_TEST(test_lines)
{
    struct mask_addrs addrs = { 0 };
    char *got = mask_line(lines[_i].line, strlen(lines[_i].line), &addrs);
    ck_assert_str_eq(got, lines[_i].masked);
    free(got);
    EZ_VEC_FREE(&addrs.v);
}
END_TEST

/* Only n bytes are read, and what is read never is more than what it becomes has room for. */
START_TEST(test_bounds)
{
    static const char bits[] = "0x1139/a 1 s\t9(-.fxtLWP ";
    for (unsigned seed = 1; seed < 3000; seed++) {
        char *line = malloc(12), *got;
        struct mask_addrs addrs = { 0 };
        size_t n = seed % 13 ? seed % 12 : 0;
        for (size_t i = 0; i < n; i++)
            line[i] = bits[(seed * 2654435761u >> (i + 3)) % (sizeof bits - 1)];
        got = mask_line(line, n, &addrs);
        ck_assert_uint_le(strlen(got), 4 * n);
        free(got);
        free(line);
        EZ_VEC_FREE(&addrs.v);
    }
}
END_TEST

static bool same(struct mask_pairs *p, const char *a, const char *b)
{
    return mask_same(a, strlen(a), b, strlen(b), p);
}

START_TEST(test_addresses)
{
    struct mask_pairs p = { 0 };
    ck_assert(same(&p, "f at 0x1000, g at 0x2000", "f at 0x5000, g at 0x6000"));
    ck_assert(same(&p, "again 0x1000", "again 0x5000"));
    ck_assert(!same(&p, "again 0x1000", "again 0x6000")); /* where f was, g is */
    ck_assert(!same(&p, "new 0x3000", "new 0x5000"));
    ck_assert(!same(&p, "words", "other words"));
    ck_assert(!same(&p, "one 0x1000", "one"));
    ck_assert(!same(&p, "3 hits", "4 hits"));
    ck_assert(!same(&p, "bad 0x7000", "worse 0x8000")); /* and notes nothing */
    ck_assert(same(&p, "bad 0x7000", "bad 0x9000"));
    EZ_VEC_FREE(&p.v);
}
END_TEST

TCase *mask_case(void)
{
    TCase *c = tcase_create("mask");
    tcase_add_loop_test(c, test_lines, 0, EZ_ARRAY_LEN(lines));
    tcase_add_test(c, test_bounds);
    tcase_add_test(c, test_addresses);
    return c;
}
