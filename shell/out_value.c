/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out_value.c - values as texts that live until the command returns (out.h): addresses, sizes,
 * times, signals. Tests: tests/unit/shell/check_out.c */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/ezt.h"
#include "shell/out.h"
#include "shell/sess.h"

const char *out_addr(struct ez_sess *s, uint64_t addr)
{
    return sess_format(s, "0x%llx", (unsigned long long)addr);
}

const char *out_addr16(struct ez_sess *s, uint64_t addr)
{
    return sess_format(s, "0x%016llx", (unsigned long long)addr);
}

const char *out_sym(struct ez_sess *s, uint64_t addr)
{
    uint64_t off = 0;
    struct ez_module_info m;
    const struct ez_sym *sym = ez_symbolize_any(s->target, ez_addr_of(addr), &off, &m);
    if (!sym)
        return "";
    return sess_format(s, off ? "%s+%llu" : "%s", ez_sym_pretty(sym), (unsigned long long)off);
}

const char *out_size(struct ez_sess *s, uint64_t n)
{
    static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    size_t u = 0;
    for (; u + 1 < EZ_ARRAY_LEN(unit) && n >= 1024 && n % 1024 == 0; u++)
        n /= 1024;
    if (u == 0 && n > 1024 * 1024)
        return sess_format(s, "%.1f MiB", (double)n / (1024 * 1024));
    return sess_format(s, "%llu %s", (unsigned long long)n, n == 1 && !u ? "byte" : unit[u]);
}

const char *out_count(struct ez_sess *s, uint64_t n)
{
    return sess_format(s, "%llu", (unsigned long long)n);
}

const char *out_number(struct ez_sess *s, double v)
{
    bool whole = fabs(v) < 0x1p53 ? v == (double)(int64_t)v : fabs(v) < 0x1p64;
    return sess_format(s, whole ? "%.0f" : "%.15g", v);
}

const char *out_time(struct ez_sess *s, uint64_t ns)
{
    char text[32];
    return sess_format(s, "%s", ez_str_time(ns, text));
}

const char *out_signal(struct ez_sess *s, int sig)
{
    char name[16];
    return sess_format(s, "%s", ez_str_signal(sig, name));
}

const char *out_signal_text(int sig)
{
    const char *text = sig == SIGFPE ? "Arithmetic exception" : sigdescr_np(sig);
    return text ? text : "Real-time event";
}
