/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.c - writes values over time to a FxT file (series.h). The time stamps are nanoseconds of
 * CLOCK_MONOTONIC. At most once a second, a definition EZ_DEF_CLOCK states a time of the wall clock
 * and its time stamp, by which readers merge the traces of several processes.
 * Tests: tests/unit/jobs/check_series.c, tests/procs/job_windows.sh */
#include "engine/jobs/series.h"

#include <string.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "engine/record/fxt_out.h"

#define CLOCK_NS 1000000000u
#define PROCESS 1 /* level in EZ_DEF_MEANING (fxt_out.h): the variable is of the process */

struct ez_series {
    struct ez_fxt_out *out;
    EZ_VEC(char *) name; /* names of the variables; the index is the number of the variable */
    struct ez_hash by_name;
    uint64_t pid, clock_ns; /* clock_ns: time at which EZ_DEF_CLOCK was last written */
};

static ez_err *series_define(struct ez_series *s, enum ez_def kind, const uint64_t *arg, size_t n,
                             const char *text, size_t len)
{
    return ez_fxt_out_define(s->out,
                             &(struct ez_fxt_def){ kind, ez_now_ns(), s->pid, arg, n, text, len });
}

static ez_err *series_define_clock(struct ez_series *s)
{
    uint64_t before = ez_now_ns(), wall = ez_wall_ns(), now = before + (ez_now_ns() - before) / 2;
    s->clock_ns = now;
    return ez_fxt_out_define(s->out, &(struct ez_fxt_def){ EZ_DEF_CLOCK, now, s->pid,
                                                           (uint64_t[]){ wall, now }, 2, NULL, 0 });
}

static ez_err *series_define_all(struct ez_series *s, const char *title)
{
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    EZ_FREE char *names = ez_sprintf("%s%c%s", title, 0, host);
    EZ_TRY(series_define(s, EZ_DEF_SCHEMA, (uint64_t[]){ 1, 1000000000 }, 2, NULL, 0));
    EZ_TRY(series_define_clock(s));
    return series_define(s, EZ_DEF_PROCESS, &s->pid, 1, names, strlen(title) + 1 + strlen(host));
}

ez_err *ez_series_begin(const char *path, const char *title, struct ez_series **out)
{
    struct ez_series *s = ez_alloc(sizeof *s);
    s->pid = (uint64_t)getpid();
    ez_err *e = ez_fxt_out_begin(
        &(struct ez_fxt_want){ .path = path, .traced_pid = getpid(), .keep = true }, &s->out);
    if (!e)
        e = series_define_all(s, title);
    *out = e ? NULL : s;
    if (e)
        ez_series_end(s);
    return e;
}

const char *ez_series_path(const struct ez_series *s)
{
    return ez_fxt_out_path(s->out);
}

static ez_err *series_define_variable(struct ez_series *s, const char *name, uint64_t number)
{
    EZ_FREE char *texts = ez_sprintf("%s%caggregates%c", name, 0, 0);
    return series_define(
        s, EZ_DEF_MEANING,
        (uint64_t[]){ EZ_C_VALUE + number, EZ_A_VAR_SET, PROCESS | EZ_LEVEL_DOUBLE }, 3, texts,
        strlen(name) + sizeof "aggregates" + 1);
}

/* Sets *number to the number of the variable with that name. If there is none, numbers a new
 * variable and writes its definition. */
static ez_err *series_variable(struct ez_series *s, const char *name, uint64_t *number)
{
    for (uint64_t h = ez_hash_key(EZ_HASH_SEED, name);; h++) {
        *number = ez_hash_put(&s->by_name, h, s->name.n);
        if (*number == s->name.n)
            break;
        if (!strcmp(s->name.at[*number], name))
            return NULL;
    }
    EZ_PUSH(&s->name, ez_strdup(name));
    return series_define_variable(s, name, *number);
}

ez_err *ez_series_set(struct ez_series *s, const char *variable, double value)
{
    uint64_t number, bits;
    EZ_TRY(series_variable(s, variable, &number));
    if (ez_now_ns() - s->clock_ns >= CLOCK_NS)
        EZ_TRY(series_define_clock(s));
    memcpy(&bits, &value, sizeof bits);
    uint64_t event[] = { ez_now_ns(), s->pid, (EZ_C_VALUE + number) << 8 | 2, bits };
    EZ_TRY(ez_fxt_out_events(s->out, event, EZ_ARRAY_LEN(event)));
    return ez_fxt_out_checkpoint(s->out);
}

void ez_series_end(struct ez_series *s)
{
    if (!s)
        return;
    if (s->out)
        ez_err_drop(ez_fxt_out_close(s->out));
    for (size_t i = 0; i < s->name.n; i++)
        free(s->name.at[i]);
    EZ_VEC_FREE(&s->name);
    ez_hash_free(&s->by_name);
    free(s);
}
