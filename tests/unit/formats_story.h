/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats_story.h - one story for every sink, and what tests of them share. */
#ifndef FORMATS_STORY_H
#define FORMATS_STORY_H

#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/format/formats.h"
#include "tests/unit/tool.h"

#define END 7200123456789ull /* two hours: more than a float of microseconds holds */
#define HOSTILE "a\"b;c,d\n\033[31m\xff\\x"

static char dir[64], out[128];

static const struct ez_format *const formats[] = {
    &ez_conv_chrome, &ez_conv_csv,      &ez_conv_folded, &ez_conv_speedscope, &ez_conv_callgrind,
#ifdef HAVE_OTF2
    &ez_conv_otf2,
#endif
#ifdef HAVE_PROTOBUF_C
    &ez_conv_pprof,  &ez_conv_perfetto,
#endif
};
enum { FORMATS = (int)EZ_ARRAY_LEN(formats) };

static inline void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

/* Assert that e is an error of this code, in one line. */
static inline void fails(ez_err *e, enum ez_code code)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(e->code == code, "%s: %s", ez_code_name(e->code), e->msg);
    ck_assert_ptr_null(strchr(e->msg, '\n'));
    ez_err_free(e);
}

static inline int run(const char *fmt, ...) EZ_PRINTF(1, 2);
static inline int run(const char *fmt, ...)
{
    char cmd[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cmd, sizeof cmd, fmt, ap);
    va_end(ap);
    return system(cmd);
}

/* What a command of /bin/sh prints; the caller frees. */
static inline char *printed(const char *fmt, ...) EZ_PRINTF(1, 2);
static inline char *printed(const char *fmt, ...)
{
    char cmd[1000], *text = ez_alloc(1 << 20);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cmd, sizeof cmd, fmt, ap);
    va_end(ap);
    FILE *p = popen(cmd, "r");
    size_t n = fread(text, 1, (1 << 20) - 1, p);
    ck_assert_msg(!pclose(p), "%s", cmd);
    text[n] = 0;
    return text;
}

static inline void setup(void)
{
    snprintf(dir, sizeof dir, "check_formats-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    snprintf(out, sizeof out, "%s/a b;touch c'", dir);
}

static inline void teardown(void)
{
    /* what is left is the output alone */
    run("rm -rf '%s'/a*", dir);
    ck_assert_int_eq(rmdir(dir), 0);
}

/* ---- the story ----------------------------------------------------------------------- */

struct story {
    struct ez_model m;
    struct ez_sink *sink;
    const struct ez_format *f;
};

static inline void begin(struct story *s, const struct ez_format *f, const char *to, bool gzip)
{
    *s = (struct story){ .f = f };
    ez_model_init(&s->m, "program", f->item, NULL);
    ok(f->open(f, &s->m, &(struct ez_conv_out){ .path = to, .gzip = gzip }, &s->sink));
    s->m.fn_arg = s->sink;
}

static inline void end(struct story *s)
{
    s->f->destroy(s->sink);
    ez_model_deinit(&s->m);
}

static inline uint32_t state(struct ez_model *m, const char *text)
{
    return ez_model_name(m, EZ_N_STATE, text, "libm \"1\".so", 0x1000);
}

static inline void tell_beginning(struct ez_model *m, const uint32_t t[3], uint32_t p0)
{
    const uint64_t arg[] = { 1, 1ull << 63 };
    uint32_t outer = state(m, "outer"), inner = state(m, "inner");
    uint32_t mem = ez_model_name(m, EZ_N_VAR, "mem", "", 0);
    uint32_t message = ez_model_name(m, EZ_N_LINK, "message", "mpi", 0);
    ez_model_push(m, t[0], outer, EZ_ABOUT_NOTHING);
    ez_model_at(m, 10);
    ez_model_push(m, t[0], inner, EZ_ABOUT_NOTHING);
    ez_model_at(m, 25);
    ez_model_pop(m, t[0], EZ_ABOUT_NOTHING);
    ez_model_at(m, 30);
    ez_model_push(m, t[1], inner, EZ_ABOUT_NOTHING);
    ez_model_event(m, t[0], ez_model_name(m, EZ_N_EVENT, "tick", "", 0), arg, 2, EZ_ABOUT_NOTHING);
    ez_model_at(m, 40);
    ez_model_var_set(m, t[1], mem, -1.5, EZ_ABOUT_NOTHING);
    ez_model_var_set(m, p0, mem, 3, EZ_ABOUT_NOTHING);
    ez_model_var_set(m, p0, mem, NAN, EZ_ABOUT_NOTHING);
    ez_model_at(m, 41);
    struct ez_link l7 = { .name = message, .peer = t[1], .key = 7 };
    struct ez_link l8 = { .name = message, .peer = EZ_NONE_IDX, .key = 8 };
    ez_model_link_start(m, t[0], &l7);
    ez_model_link_start(m, t[0], &l8);
    ez_model_at(m, 55);
    ez_model_link_end(m, t[1], &l7);
    ez_model_link_end(m, t[1], &l8);
}

/* Two processes that have the same pid; nested, recursive and forced calls; a process
 * and the program with states and points of their own. */
static inline void tell(struct ez_model *m)
{
    EZ_FREE char *name = ez_sprintf("%s%.3000d", HOSTILE, 0);
    uint32_t p0 = ez_model_container(m, EZ_L_PROCESS, 0, "app 100", 100, 0);
    uint32_t p1 = ez_model_container(m, EZ_L_PROCESS, 0, "app 100", 100, 0);
    const uint32_t t[] = { ez_model_container(m, EZ_L_THREAD, p0, "main 100", 100, 100),
                           ez_model_container(m, EZ_L_THREAD, p0, name, 100, 101),
                           ez_model_container(m, EZ_L_THREAD, p1, "main 100", 100, 100) };
    tell_beginning(m, t, p0);
    ez_model_at(m, 60);
    ez_model_push(m, t[0], state(m, name), EZ_ABOUT_NOTHING);
    ez_model_at(m, 61);
    ez_model_push(m, t[0], state(m, "inner"), EZ_ABOUT_NOTHING);
    ez_model_push(m, p1, state(m, "phase"), EZ_ABOUT_NOTHING);
    ez_model_push(m, t[2], state(m, "lost"), EZ_ABOUT_NOTHING);
    ez_model_event(m, 0, ez_model_name(m, EZ_N_EVENT, "mark", "", 0), NULL, 0, EZ_ABOUT_NOTHING);
    ez_model_at(m, 61 + 1005);
    ez_model_pop(m, p1, EZ_ABOUT_NOTHING);
    ez_model_at(m, END);
    ez_model_pop_name(m, t[0], state(m, "outer"), EZ_END_RETURN, EZ_ABOUT_NOTHING);
    ez_model_pop(m, t[1], EZ_ABOUT_NOTHING);
    ez_model_end(m);
    ok(m->err);
}

static inline void write_story(const struct ez_format *f, const char *to, bool gzip)
{
    struct story s;
    begin(&s, f, to, gzip);
    tell(&s.m);
    ok(f->close(s.sink));
    end(&s);
}

#endif
