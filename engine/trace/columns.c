/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - the list of the columns of `stats` (columns.h). */
#include "engine/trace/columns.h"

#include <stddef.h>
#include <string.h>

#define AT(field) .at = offsetof(struct ez_stat_row, field)

static uint64_t columns_rank(const struct ez_stat_row *r)
{
    return r->rank;
}

static uint64_t columns_pause(const struct ez_stat_row *r)
{
    return r->pause != NULL;
}

static uint64_t columns_ours(const struct ez_stat_row *r)
{
    return r->ours;
}

static uint64_t columns_mean(const struct ez_stat_row *r)
{
    return r->times.total ? r->times.sum / r->times.total : 0;
}

static bool columns_any_job(const struct ez_stat_row *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (*row[i].job)
            return true;
    return false;
}

static bool columns_any_host(const struct ez_stat_row *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (row[i].rank != EZ_NO_RANK || strcmp(row[i].host, row[0].host))
            return true;
    return false;
}

static bool columns_any_unwound(const struct ez_stat_row *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (row[i].unwound)
            return true;
    return false;
}

static bool columns_any_paused(const struct ez_stat_row *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (row[i].paused_ns)
            return true;
    return false;
}

const struct ez_column ez_columns[] = {
    { .heading = "Function",
      .json = "function",
      .page = "function",
      AT(function),
      .by = EZ_BY_FUNCTION,
      .place = 6,
      .shortened = true },
    { .heading = "Library",
      .json = "library",
      .page = "library",
      AT(library),
      .by = EZ_BY_LIBRARY,
      .place = 7,
      .shortened = true },
    { .heading = "",
      .json = "subject",
      AT(subject),
      .beside = offsetof(struct ez_stat_row, only_in),
      .place = 5,
      .shortened = true,
      .meaning = "the lock, file, ... or value of -of" },
    { .json = "only_in", AT(only_in), .meaning = "the process to which the subject belongs" },
    { .heading = "Process",
      .json = "process",
      AT(process),
      .by = EZ_BY_PROCESS,
      .place = 3,
      .shortened = true },
    { .heading = "Thread",
      .json = "thread",
      AT(thread),
      .by = EZ_BY_THREAD,
      .place = 4,
      .shortened = true },
    { .json = "rank", .kind = EZ_COLUMN_RANK, .number = columns_rank },
    { .heading = "Host", .json = "host", AT(host), .place = 2, .shown = columns_any_host },
    { .heading = "Job", .json = "job", AT(job), .place = 1, .shown = columns_any_job },
    { .json = "pause",
      .kind = EZ_COLUMN_FLAG,
      .number = columns_pause,
      .meaning = "the row is a pause ([slept], ...), not calls" },
    { .page = "ours", .kind = EZ_COLUMN_FLAG, .number = columns_ours },
    { .heading = "Calls",
      .json = "calls",
      .page = "calls",
      .kind = EZ_COLUMN_COUNT,
      AT(calls),
      .meaning = "entries; of a probe on the exit alone, exits" },
    { .json = "timed",
      .page = "timed",
      .kind = EZ_COLUMN_COUNT,
      AT(times.total),
      .meaning = "calls measured from entry to exit" },
    { .heading = "Unwound",
      .json = "unwound",
      .page = "unwound",
      .kind = EZ_COLUMN_COUNT,
      AT(unwound),
      .shown = columns_any_unwound,
      .meaning = "calls that an exception or longjmp left" },
    { .json = "cut",
      .page = "cut",
      .kind = EZ_COLUMN_COUNT,
      AT(cut),
      .meaning = "calls measured in part; they count in Total and Self" },
    { .heading = "Total",
      .json = "total_ns",
      .page = "total",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_TIMED,
      AT(total_ns),
      .meaning = "the time in a function with what it called" },
    { .heading = "%", .page = "share", .kind = EZ_COLUMN_SHARE, .of = EZ_COLUMN_OF_TIMED },
    { .heading = "Self",
      .json = "self_ns",
      .page = "self",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_TIMED,
      AT(self_ns),
      .meaning = "the time in a function without what it called" },
    { .heading = "%", .page = "selfshare", .kind = EZ_COLUMN_SHARE, .of = EZ_COLUMN_OF_TIMED },
    { .heading = "Paused",
      .json = "paused_ns",
      .page = "paused",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_TIMED,
      AT(paused_ns),
      .shown = columns_any_paused,
      .meaning = "the time of sleep and preemption in a function" },
    { .json = "sum_ns",
      .kind = EZ_COLUMN_TIME,
      AT(times.sum),
      .meaning = "the sum over the timed calls" },
    { .heading = "Mean",
      .page = "mean",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      .number = columns_mean,
      .meaning = "per call, as the columns below" },
    { .heading = "Min",
      .json = "min_ns",
      .page = "min",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      AT(times.min) },
    { .heading = "p50",
      .json = "p50_ns",
      .page = "p50",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      .quantile = .5,
      .meaning = "the median" },
    { .heading = "p90",
      .json = "p90_ns",
      .page = "p90",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      .quantile = .9,
      .meaning = "nine of ten calls take no longer" },
    { .heading = "p99",
      .json = "p99_ns",
      .page = "p99",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      .quantile = .99,
      .meaning = "of n calls, the one of rank 0.99 n, rounded up (nearest rank)" },
    { .heading = "Max",
      .json = "max_ns",
      .page = "max",
      .kind = EZ_COLUMN_TIME,
      .of = EZ_COLUMN_OF_WHOLE,
      AT(times.max) },
};
const size_t ez_ncolumns = EZ_ARRAY_LEN(ez_columns);

static const void *columns_field(size_t at, const struct ez_stat_row *r)
{
    return (const char *)r + at;
}

const char *ez_column_text(const struct ez_column *c, const struct ez_stat_row *r)
{
    return *(const char *const *)columns_field(c->at, r);
}

const char *ez_column_beside(const struct ez_column *c, const struct ez_stat_row *r)
{
    return c->beside ? *(const char *const *)columns_field(c->beside, r) : "";
}

uint64_t ez_column_number(const struct ez_column *c, const struct ez_stat_row *r)
{
    if (c->kind == EZ_COLUMN_SHARE)
        c--;
    if (c->number)
        return c->number(r);
    if (c->quantile != 0)
        return ez_hist_quantile(&r->times, c->quantile);
    return *(const uint64_t *)columns_field(c->at, r);
}

bool ez_column_has(const struct ez_column *c, const struct ez_stat_row *r)
{
    if (c->kind == EZ_COLUMN_SHARE && r->ours)
        return false;
    return c->of == EZ_COLUMN_OF_ALL || r->times.total || (c->of == EZ_COLUMN_OF_TIMED && r->cut);
}

bool ez_column_shown(const struct ez_column *c, unsigned by, const struct ez_stat_row *row,
                     size_t n)
{
    return (!c->by || by & c->by) && (!c->shown || c->shown(row, n));
}

const struct ez_column *ez_column_in_table(size_t i)
{
    size_t names = 0;
    for (size_t k = 0; k < ez_ncolumns; k++) {
        if (ez_columns[k].place == i + 1)
            return &ez_columns[k];
        names += ez_columns[k].place != 0;
    }
    for (size_t k = 0; k < ez_ncolumns; k++)
        if (ez_columns[k].heading && !ez_columns[k].place && names++ == i)
            return &ez_columns[k];
    return NULL;
}
