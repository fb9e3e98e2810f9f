/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_sym.c - symbols, names and lines of real files: this program, libc. */
#include <check.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "engine/sym.h"
#include "tests/unit/suite.h"

#define SELF "/proc/self/exe"
/* libbfd keeps file names for ever; seen with --enable-sanitizers only. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libbfd";
}

#define HERE "tests/unit/engine/check_sym.c"

__attribute__((noinline, used)) static int a_static_function(int x)
{
    return x * 3;
}
enum { STATIC_FUNCTION_LINE = __LINE__ - 4 };

__attribute__((noinline, visibility("default"))) int plain_name(int x)
{
    return x + 7;
}
int _alias_name(int x) __attribute__((alias("plain_name"), visibility("default")));

static struct ez_object *open_ok(const char *path)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(path, NULL, &o);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return o;
}

/* The libc of this process. */
static const char *libc_path(void)
{
    Dl_info info;
    ck_assert(dladdr((void *)abort, &info));
    return info.dli_fname;
}

struct found {
    size_t n;
    struct ez_sym at[8];
};

static void note(const struct ez_sym *s, void *arg)
{
    struct found *f = arg;
    if (f->n < EZ_ARRAY_LEN(f->at))
        f->at[f->n++] = *s;
}

static struct found find(const struct ez_object *o, const char *name)
{
    struct found f = { 0 };
    size_t n = ez_object_find_name(o, name, note, &f);
    ck_assert_uint_eq(n, f.n);
    return f;
}

START_TEST(order)
{
    const char *paths[] = { SELF, libc_path() };
    for (size_t k = 0; k < 2; k++) {
        struct ez_object *o = open_ok(paths[k]);
        size_t n;
        const struct ez_sym *s = ez_object_syms(o, &n);
        ck_assert_uint_gt(n, 20);
        for (size_t i = 0; i < n; i++) {
            bool data = s[i].kind == EZ_SYM_DATA, last_data = i && s[i - 1].kind == EZ_SYM_DATA;
            ck_assert(s[i].kind <= EZ_SYM_DATA && s[i].name[0] && s[i].obj == o);
            ck_assert(!i || last_data < data ||
                      (last_data == data && s[i - 1].vaddr <= s[i].vaddr));
            ck_assert(s[i].vaddr <= ez_sym_end(&s[i]) && ez_sym_end(&s[i]) <= ez_sym_next(&s[i]));
            ck_assert(!strchr(s[i].name, '@') || s[i].kind == EZ_SYM_PLT);
            if (!data)
                ck_assert_uint_eq(ez_object_find_addr(o, s[i].vaddr)->vaddr, s[i].vaddr);
        }
        ez_object_close(o);
    }
}
END_TEST

START_TEST(own_functions)
{
    struct ez_object *o = open_ok(SELF);
    struct found f = find(o, "a_static_function");
    ck_assert(f.n == 1 && f.at[0].local && f.at[0].kind == EZ_SYM_FUNC && f.at[0].size);
    uint64_t bias = (uint64_t)a_static_function - f.at[0].vaddr;
    ck_assert_uint_eq(bias % EZ_PAGE, 0);

    struct found g = find(o, "plain_name"), a = find(o, "_alias_name");
    ck_assert(g.n == 1 && a.n == 1 && !g.at[0].local && g.at[0].vaddr == a.at[0].vaddr);
    ck_assert_str_eq(ez_object_find_addr(o, g.at[0].vaddr + 1)->name, "plain_name");

    uint8_t text[4];
    ck_assert_uint_eq(ez_object_read_text(o, g.at[0].vaddr, text, 4), 4);
    ck_assert(!memcmp(text, (const void *)plain_name, 4));
    ck_assert_uint_eq(find(o, "no_such_name").n, 0);
    ck_assert_uint_eq(find(o, "plain_nam").n, 0);
    ck_assert(ez_object_is_exec(o) && ez_object_is_64(o) && ez_object_interp(o));
    ck_assert_str_eq(ez_object_base(o), "exe");
    ez_object_close(o);
}
END_TEST

START_TEST(plt)
{
    struct ez_object *o = open_ok(SELF);
    struct found f = find(o, "mkstemp@plt"); /* no sanitizer has one of its own */
    ck_assert_uint_eq(f.n, 1);
    struct ez_sym *s = &f.at[0];
    const char *section;
    ck_assert(s->kind == EZ_SYM_PLT && ez_object_section(o, s->vaddr, &section, NULL, NULL));
    ck_assert(!strncmp(section, ".plt", 4));
    ez_object_close(o);
}
END_TEST

START_TEST(libc)
{
    struct ez_object *o = open_ok(libc_path());
    struct found f = find(o, "memcpy"), m = find(o, "malloc");
    bool ifunc = false;
    for (size_t i = 0; i < f.n; i++)
        ifunc |= f.at[i].kind == EZ_SYM_IFUNC && f.at[i].version;
    ck_assert(ifunc);
    ck_assert(m.n == 1 && m.at[0].version && !strncmp(m.at[0].version, "GLIBC_", 6));
    ck_assert_str_eq(ez_object_find_addr(o, m.at[0].vaddr + 2)->name, "malloc");
    ck_assert(!ez_object_is_exec(o));
    ck_assert_str_eq(ez_object_soname(o), "libc.so.6");
    char debug[128];
    const char *id = ez_object_build_id(o);
    snprintf(debug, sizeof debug, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
    if (!access(debug, R_OK)) { /* with it we know local functions */
        ck_assert_uint_ge(find(o, "_int_malloc").n, 1);
        ck_assert(find(o, "_int_malloc").at[0].local);
    }
    ez_object_close(o);
}
END_TEST

START_TEST(lines)
{
    struct ez_object *o = open_ok(SELF);
    struct ez_sym s = find(o, "a_static_function").at[0];
    const char *file;
    unsigned line;
    uint64_t vaddr = 0;
    ck_assert(ez_object_line(o, s.vaddr, &file, &line));
    /* optimised, the first instruction may already be the body's */
    ck_assert(line >= STATIC_FUNCTION_LINE && line <= STATIC_FUNCTION_LINE + 2);
    ck_assert(strstr(file, HERE));
    ck_assert(!ez_object_line(o, 1, &file, &line));
    /* by its first line and by its body's, by short and long file names */
    ck_assert_ptr_null(ez_object_find_line(o, "check_sym.c", STATIC_FUNCTION_LINE, &vaddr));
    ck_assert_uint_eq(vaddr, s.vaddr);
    ck_assert_ptr_null(ez_object_find_line(o, HERE, STATIC_FUNCTION_LINE + 2, &vaddr));
    ck_assert_uint_eq(vaddr, s.vaddr);
    ck_assert(!ez_err_drop(ez_object_find_line(o, "sym.c", 1000000, &vaddr)));
    ck_assert(!ez_err_drop(ez_object_find_line(o, "eck_sym.c", 1, &vaddr)));
    ez_object_close(o);
}
END_TEST

static const struct {
    const char *path;
    enum ez_code want;
} not_elf[] = {
    { "/nonexistent/file", EZ_E_NOTFOUND },
    { "/", EZ_E_FORMAT },
    { "/dev/null", EZ_E_FORMAT },
    { "/etc/passwd", EZ_E_FORMAT },
};

START_TEST(refused)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(not_elf[_i].path, NULL, &o);
    ck_assert(e && !o);
    ck_assert_msg(e->code == not_elf[_i].want, "%s: %s", not_elf[_i].path, e->msg);
    ez_err_free(e);
}
END_TEST

static uint64_t seed = 88172645463325252ull;
static uint64_t next_random(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
}

/* Whatever a file says, reading it ends and harms nobody. */
static void use_everything(struct ez_object *o)
{
    size_t n;
    const char *file;
    unsigned line;
    const struct ez_sym *s = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++) {
        ck_assert(ez_sym_end(&s[i]) >= s[i].vaddr || s[i].kind == EZ_SYM_DATA);
        ck_assert_ptr_nonnull(ez_sym_pretty(&s[i]));
        if (i < 8)
            ez_object_line(o, s[i].vaddr, &file, &line);
    }
    find(o, "main");
    ez_object_close(o);
}

START_TEST(damaged)
{
    char path[] = "/tmp/check_sym.XXXXXX";
    static uint8_t image[1 << 20];
    EZ_CLOSE int in = open("/bin/true", O_RDONLY | O_CLOEXEC);
    EZ_CLOSE int fd = mkstemp(path);
    ssize_t n = read(in, image, sizeof image);
    ck_assert(n > 4096 && fd >= 0);
    for (int round = 0; round < 400; round++) {
        struct ez_object *o;
        size_t size = round % 4 ? (size_t)n : next_random() % (size_t)n;
        ck_assert(!ftruncate(fd, 0) && pwrite(fd, image, size, 0) == (ssize_t)size);
        for (int k = 0; k < 24; k++) { /* mostly in the headers at either end */
            uint64_t r = next_random(), where = r % 3 == 0   ? r / 7 % 1024
                                                : r % 3 == 1 ? (uint64_t)n - 1 - r / 7 % 2048
                                                             : r / 7 % (uint64_t)n;
            uint8_t byte = (uint8_t)(r >> 56);
            if (where < size)
                ck_assert(pwrite(fd, &byte, 1, (off_t)where) == 1);
        }
        ez_err *e = ez_object_open(path, NULL, &o);
        if (e)
            ck_assert_int_eq(e->code, EZ_E_FORMAT);
        else
            use_everything(o);
        ez_err_free(e);
    }
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sym");
    TCase *t = tcase_create("files");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, order);
    tcase_add_test(t, own_functions);
    tcase_add_test(t, plt);
    tcase_add_test(t, libc);
    tcase_add_test(t, lines);
    tcase_add_loop_test(t, refused, 0, (int)EZ_ARRAY_LEN(not_elf));
    tcase_add_test(t, damaged);
    suite_add_tcase(s, t);
    return run_suite(s);
}
