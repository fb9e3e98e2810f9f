/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_text.c - what engine/base does with text from outside, with keys, with records that are set
 * aside, and engine/trace with events that come out of order: each character there is, files of all
 * sizes near a limit, and long random histories that a plain array also keeps. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/base/spool.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "engine/trace/order.h"
#include "tests/unit/many.h"
#include "tests/unit/suite.h"

/* ---- characters -------------------------------------------------------------------------------- */

/* cp in n bytes, which may be more than it needs. */
static void encode(uint32_t cp, size_t n, char to[8])
{
    static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8 };
    memset(to, 0, 8);
    for (size_t i = n; i-- > 1; cp >>= 6)
        to[i] = (char)(0x80 | (cp & 0x3f));
    to[0] = (char)(n == 1 ? cp : lead[n] | cp);
}

static size_t bytes_of(uint32_t cp)
{
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

START_TEST(every_character)
{
    for (uint32_t cp = 0; cp < 0x200000; cp++)
        for (size_t n = bytes_of(cp); n <= 4; n++) {
            char text[8];
            uint32_t got;
            bool is = n == bytes_of(cp) && cp < 0x110000 && !(cp >= 0xd800 && cp < 0xe000);
            encode(cp, n, text);
            size_t bytes = ez_utf8_decode((const unsigned char *)text, &got);
            SURE(bytes == (is ? n : 0));
            SURE(!is || got == cp);
        }
}
END_TEST

START_TEST(what_is_no_character)
{
    uint32_t cp;
    for (unsigned lead = 0x80; lead < 0x100; lead++)
        for (unsigned second = 0; second < 0x100; second++) {
            const unsigned char text[8] = { (unsigned char)lead, (unsigned char)second, 0x80,
                                            0x80 };
            size_t n = ez_utf8_decode(text, &cp);
            size_t want = lead >= 0xc2 && lead < 0xe0   ? 2
                          : lead >= 0xe0 && lead < 0xf0 ? 3
                          : lead >= 0xf0 && lead < 0xf5 ? 4
                                                        : 0;
            bool follows = second >= 0x80 && second < 0xc0;
            bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
            bool none = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
            SURE(n == (follows && !overlong && !none ? want : 0));
            unsigned char cut[8]; /* the last byte is missing */
            memcpy(cut, text, sizeof cut);
            if (n > 1) {
                cut[n - 1] = 'a';
                SURE(ez_utf8_decode(cut, &cp) == 0);
                cut[n - 1] = 0xc0;
                SURE(ez_utf8_decode(cut, &cp) == 0);
            }
        }
}
END_TEST

/* A JSON string of one character between two others. */
static void json_of(uint32_t cp, char *to)
{
    if (cp == '"' || cp == '\\')
        sprintf(to, "\"a\\%cb\"", (char)cp);
    else if (cp >= ' ' && cp < 0x7f && cp != '<')
        sprintf(to, "\"a%cb\"", (char)cp);
    else if (cp < 0x10000)
        sprintf(to, "\"a\\u%04xb\"", cp);
    else
        sprintf(to, "\"a\\u%04x\\u%04xb\"", 0xd800 + ((cp - 0x10000) >> 10),
                0xdc00 + ((cp - 0x10000) & 0x3ff));
}

static bool hides(uint32_t cp)
{
    return cp < ' ' || (cp >= 0x7f && cp < 0xa0) || cp == 0xad || cp == 0x61c || cp == 0x180e ||
           (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
           (cp >= 0x2060 && cp <= 0x206f) || (cp >= 0xfe00 && cp <= 0xfe0f) || cp == 0xfeff ||
           (cp >= 0xfff9 && cp <= 0xfffb) || (cp >= 0xe000 && cp <= 0xf8ff) || cp >= 0xe0000;
}

static void octal(const char *text, char *to)
{
    for (; *text; text++)
        to += sprintf(to, "\\%03o", (unsigned char)*text);
}

START_TEST(characters_are_escaped)
{
    for (uint32_t cp = 1; cp < 0x110000; cp += cp < 0x10100 || cp >= 0xdfff0 ? 1 : 61) {
        char text[16] = "a", want[64], one[8], shown[32];
        if (cp >= 0xd800 && cp < 0xe000)
            continue;
        encode(cp, bytes_of(cp), one);
        strcat(strcat(text, one), "b");
        json_of(cp, want);
        struct ez_json json = { .text = NULL };
        ez_json_add_text(&json, NULL, text);
        SURE(!strcmp(json.text, want));
        ez_json_free(&json);
        octal(one, shown);
        sprintf(want, "a%sb", hides(cp) ? shown : one);
        EZ_FREE char *plain = ez_str_plain(text, "", 'x');
        SURE(!strcmp(plain, want));
        sprintf(want, "a%sb", hides(cp) && cp != '\t' ? shown : one);
        EZ_FREE char *ours = ez_str_ours(text);
        SURE(!strcmp(ours, want));
        if (cp == '\\')
            strcpy(want, "a\\\\b");
        EZ_FREE char *escaped = ez_str_escape(text);
        SURE(!strcmp(escaped, want));
        sprintf(want, "a%sb", cp == ';' || cp == '"' ? "_" : hides(cp) ? shown : one);
        EZ_FREE char *instead = ez_str_plain(text, ";\"", '_');
        SURE(!strcmp(instead, want));
    }
}
END_TEST

START_TEST(bytes_that_are_no_text)
{
    struct ez_json json = { .text = NULL };
    ez_json_add_text(&json, NULL, "\xff\xc3(\xe2\x82");
    ez_json_add_text(&json, NULL, "");
    ck_assert_str_eq(json.text, "\"\\ufffd\\ufffd(\\ufffd\\ufffd\", \"\"");
    ez_json_free(&json);
    EZ_FREE char *shown = ez_str_escape("\xff\xc3(\xe2\x82");
    ck_assert_str_eq(shown, "\\377\\303(\\342\\202");
}
END_TEST

/* ---- JSON -------------------------------------------------------------------------------------- */

static void add_numbers(struct ez_json *j)
{
    ez_json_begin(j, "list", '[');
    ez_json_add_int(j, NULL, INT64_MIN);
    ez_json_add_uint(j, NULL, UINT64_MAX);
    ez_json_add_hex(j, NULL, UINT64_MAX);
    ez_json_add_hex(j, NULL, 0);
    ez_json_add_us(j, NULL, 0);
    ez_json_add_us(j, NULL, 10099);
    ez_json_add_us(j, NULL, UINT64_MAX);
    ez_json_add_real(j, NULL, 0.5);
    ez_json_add_real(j, NULL, -3);
    ez_json_add_real(j, NULL, 999999999999999);
    ez_json_add_real(j, NULL, 1e300);
    ez_json_add_real(j, NULL, -(double)INFINITY);
    ez_json_add_real(j, NULL, (double)NAN);
    ez_json_end(j, ']');
}

START_TEST(json_values)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "a", "<\n>");
    ez_json_add_text(&j, "b\"", NULL);
    add_numbers(&j);
    ez_json_next_line(&j, 2);
    ez_json_add_bool(&j, "c", true);
    ez_json_next_line(&j, 0);
    ez_json_end(&j, '}');
    ck_assert_str_eq(j.text, "{\"a\": \"\\u003c\\u000a>\", \"b\\\"\": null, \"list\": "
                             "[-9223372036854775808, 18446744073709551615, "
                             "\"0xffffffffffffffff\", \"0x0\", 0.000, 10.099, "
                             "18446744073709551.615, 0.5, -3, 999999999999999, "
                             "1.0000000000000001e+300, null, null],\n  \"c\": true\n}");
    ez_json_free(&j);
}
END_TEST

START_TEST(json_in_pieces)
{
    struct ez_json j = { .compact = true }, begun = j, part = j, none = j;
    ez_json_add_uint(&part, "x", 1);
    ez_json_add_key(&part, "y");
    ez_json_begin(&begun, NULL, '{');
    ez_json_add_bool(&begun, "z", false);
    ez_json_begin(&j, NULL, '[');
    for (int i = 0; i < 2; i++) {
        ez_json_next_line(&j, 0);
        ez_json_add_part(&j, &begun);
        ez_json_add_part(&j, &none);
        ez_json_add_part(&j, &part);
        ez_json_add_us(&j, NULL, 2);
        ez_json_end(&j, '}');
        ck_assert_str_eq(j.text, i ? ",\n{\"z\":false,\"x\":1,\"y\":0.002}"
                                   : "[\n{\"z\":false,\"x\":1,\"y\":0.002}");
        ez_json_used(&j);
    }
    ez_json_end(&j, ']');
    ck_assert_str_eq(j.text, "]");
    ez_json_free(&begun);
    ez_json_free(&part);
    ez_json_free(&j);
}
END_TEST

/* ---- escapes ----------------------------------------------------------------------------------- */

START_TEST(escapes)
{
    static const struct {
        const char *text;
        unsigned char byte;
        const char *rest;
    } known[] = { { "n", '\n', "" },     { "ab", '\a', "b" },         { "e", 033, "" },
                  { "1018", 0101, "8" }, { "777", 0377, "" },         { "08", 0, "8" },
                  { "x41g", 'A', "g" },  { "xFFf", 0xff, "" },        { "xg", 'x', "g" },
                  { "x", 'x', "" },      { "\\n", '\\', "n" },        { "\"", '"', "" },
                  { "8", '8', "" },      { "\xc3\xa9", 0xc3, "\xa9" } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++) {
        const char *next;
        ck_assert_uint_eq(ez_str_unescape(known[i].text, &next), known[i].byte);
        ck_assert_str_eq(next, known[i].rest);
    }
}
END_TEST

START_TEST(base_names)
{
    static const char *const c[][2] = { { "a", "a" },   { "/a", "a" }, { "a/", "" },   { "", "" },
                                        { "a/b", "b" }, { "/", "" },   { "a//b", "b" } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(c); i++)
        ck_assert_str_eq(ez_base_name(c[i][0]), c[i][1]);
}
END_TEST

START_TEST(files_are_read_up_to_a_limit)
{
    const size_t size[] = { 0, 1, 65535, 65536, 65537, 131071, 131072, 131073, 300000 };
    char name[] = "/tmp/check_text-XXXXXX";
    EZ_CLOSE int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    EZ_FREE char *bytes = ez_alloc(300000);
    for (size_t i = 0; i < 300000; i++)
        bytes[i] = (char)(i % 251 + 1);
    for (size_t i = 0; i < EZ_ARRAY_LEN(size); i++) {
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, bytes, size[i], 0), (ssize_t)size[i]);
        for (size_t k = 0; k < EZ_ARRAY_LEN(size); k++) {
            size_t n, want = EZ_MIN(size[i], size[k]);
            EZ_FREE char *got = ez_str_load(name, size[k], &n);
            ck_assert_uint_eq(n, want);
            ck_assert(!memcmp(got, bytes, n) && !got[n]);
        }
    }
    unlink(name);
    size_t n;
    ck_assert_ptr_null(ez_str_load(name, 10, &n));
}
END_TEST

/* ---- keys -------------------------------------------------------------------------------------- */

/* Keys that are put, asked for and taken in any order; many have the same home. */
START_TEST(keys_come_and_go)
{
    enum { KEYS = 600 };
    static size_t value[KEYS]; /* + 1 */
    struct ez_hash h = { 0 };
    size_t n = 0, got;
    ck_assert(!ez_hash_get(&h, 1, &got) && !ez_hash_remove(&h, 1, &got));
    for (size_t step = 0; step < 300000; step++) {
        uint32_t k = roll(step / 50000 % 2 ? KEYS : 40);
        uint64_t key = k % 2 ? k : (uint64_t)k << 44;
        switch (roll(3)) {
        case 0:
            SURE(ez_hash_put(&h, key, step) == (value[k] ? value[k] - 1 : step));
            n += !value[k];
            value[k] = value[k] ? value[k] : step + 1;
            break;
        case 1:
            got = SIZE_MAX;
            SURE(ez_hash_get(&h, key, &got) == (value[k] != 0));
            SURE(got == value[k] - 1);
            break;
        default:
            got = SIZE_MAX;
            SURE(ez_hash_remove(&h, key, &got) == (value[k] != 0));
            SURE(got == value[k] - 1);
            n -= value[k] != 0;
            value[k] = 0;
        }
        SURE(h.n == n && h.n * 2 <= EZ_MAX(h.cap, 1u));
    }
    ez_hash_free(&h);
    ck_assert(!h.n && !h.slot && !ez_hash_get(&h, 0, &got));
}
END_TEST

START_TEST(keys_of_texts)
{
    const char *const text[][2] = { { "a", "b" }, { "ab", "" }, { "", "ab" }, { "b", "a" } };
    uint64_t key[EZ_ARRAY_LEN(text)];
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++) {
        key[i] = ez_hash_key(ez_hash_key(EZ_HASH_SEED, text[i][0]), text[i][1]);
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(key[k], key[i]);
    }
    ck_assert_uint_eq(ez_hash_key(EZ_HASH_SEED, ""), (EZ_HASH_SEED ^ 0xff) * 0x100000001b3u);
}
END_TEST

/* ---- records ----------------------------------------------------------------------------------- */

enum { STREAMS = 3 };
static struct {
    EZ_VEC(char) all;
    size_t read, calls, most;
} kept[STREAMS];

static ez_err *compare(void *arg, const char *records, size_t n)
{
    size_t stream = *(size_t *)arg;
    SURE(n <= kept[stream].all.n - kept[stream].read);
    SURE(!memcmp(kept[stream].all.at + kept[stream].read, records, n));
    kept[stream].read += n;
    kept[stream].calls++;
    kept[stream].most = EZ_MAX(kept[stream].most, n);
    return NULL;
}

START_TEST(records_set_aside)
{
    static char rec[EZ_SPOOL_BLOCK];
    struct ez_spool *s;
    ez_err *e = ez_spool_open("/tmp", "records", &s);
    ck_assert_ptr_null(e);
    for (int i = 0; i < 3000; i++) { /* stream 1 stays empty; blocks are filled to the last byte */
        size_t stream = roll(2) * 2, n = roll(40) ? roll(300) : EZ_SPOOL_BLOCK / (1 + roll(3));
        memset(rec, (int)roll(256), n);
        SURE(!ez_spool_put(s, stream, rec, n));
        for (size_t k = 0; k < n; k++)
            EZ_PUSH(&kept[stream].all, rec[k]);
    }
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < STREAMS + 2; i++) {
            if (i < STREAMS)
                kept[i].read = kept[i].calls = 0;
            SURE(!ez_spool_each(s, i, compare, &i));
            if (i < STREAMS)
                ck_assert_uint_eq(kept[i].read, kept[i].all.n);
        }
    ck_assert_uint_eq(kept[1].calls, 0);
    ck_assert_uint_eq(kept[0].most, EZ_SPOOL_BLOCK);
    ez_spool_close(s);
    ez_spool_close(NULL);
}
END_TEST

/* ---- events by time ---------------------------------------------------------------------------- */

static struct {
    uint64_t tick;
    size_t narg;
    bool taken;
} event[30000]; /* by the order in which they were put */

/* The next one below the bound: the earliest, of equal ones the first that was put. */
static size_t next_event(size_t from, size_t n, uint64_t bound)
{
    size_t best = SIZE_MAX;
    for (size_t i = from; i < n; i++)
        if (!event[i].taken && (event[i].tick < bound || bound == UINT64_MAX) &&
            (best == SIZE_MAX || event[i].tick < event[best].tick))
            best = i;
    return best;
}

/* Events that come nearly in order or not at all, more than the window holds, too; some are at the bound
 * itself. */
START_TEST(events_by_time)
{
    for (unsigned way = 0; way < 6; way++) {
        struct ez_order *o = ez_order_create(64);
        uint64_t bound = 0, arg[240], spread = way % 3 == 0 ? 3 : way % 3 == 1 ? 200 : 100000;
        size_t n = 0, first = 0, all = way < 3 ? 2000 : 4000;
        for (bool ends = false; !ends;) {
            for (uint32_t k = roll(way < 3 ? 60 : 900); k && n < all; k--, n++) {
                event[n].tick = bound + roll((uint32_t)spread);
                event[n].narg = roll(3) ? 0 : roll(10) ? roll(4) : roll(240);
                event[n].taken = false;
                for (size_t i = 0; i < event[n].narg; i++)
                    arg[i] = n * 1000 + i;
                struct ez_ordered ev = { event[n].tick, n, ~(uint64_t)n, event[n].narg, arg };
                SURE(!ez_order_put(o, &ev));
            }
            ends = n == all;
            bound = ends ? UINT64_MAX : bound + roll((uint32_t)spread);
            ez_order_bound(o, bound);
            for (bool got = true; got;) {
                struct ez_ordered ev;
                while (first < n && event[first].taken)
                    first++;
                size_t want = next_event(first, n, bound);
                SURE(!ez_order_next(o, &ev, &got));
                SURE(got == (want != SIZE_MAX));
                if (!got)
                    break;
                SURE(ev.tid == want && ev.code == ~(uint64_t)want && ev.tick == event[want].tick);
                SURE(ev.narg == event[want].narg);
                for (size_t i = 0; i < ev.narg; i++)
                    SURE(ev.arg[i] == want * 1000 + i);
                event[want].taken = true;
                if (!ends && !roll(40))
                    break; /* the rest is taken later */
            }
        }
        ez_order_destroy(o);
    }
    ez_order_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text");
    TCase *c = tcase_create("text");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, every_character);
    tcase_add_test(c, what_is_no_character);
    tcase_add_test(c, characters_are_escaped);
    tcase_add_test(c, bytes_that_are_no_text);
    tcase_add_test(c, json_values);
    tcase_add_test(c, json_in_pieces);
    tcase_add_test(c, escapes);
    tcase_add_test(c, base_names);
    tcase_add_test(c, files_are_read_up_to_a_limit);
    tcase_add_test(c, keys_come_and_go);
    tcase_add_test(c, keys_of_texts);
    tcase_add_test(c, records_set_aside);
    tcase_add_test(c, events_by_time);
    suite_add_tcase(s, c);
    return run_suite(s);
}
