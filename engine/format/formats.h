/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.h - the list of formats. To add a format, add its declaration and its entry in the table.
 * Help, completion, suffixes and tests use the table. */
#ifndef EZ_FORMATS_H
#define EZ_FORMATS_H

#include "engine/format/conv.h"

extern const struct ez_format ez_conv_paje, ez_conv_vite, ez_conv_otf; /* conv_gtg.c */
extern const struct ez_format ez_conv_otf2;
extern const struct ez_format ez_conv_chrome;
extern const struct ez_format ez_conv_csv;
extern const struct ez_format ez_conv_folded;
extern const struct ez_format ez_conv_html;
extern const struct ez_format ez_conv_speedscope;
extern const struct ez_format ez_conv_callgrind;
extern const struct ez_format ez_conv_pprof;
extern const struct ez_format ez_conv_perfetto;
extern const struct ez_format ez_conv_ctf;

/* Returns format i, or NULL after the last one. The first one is the default of `convert`. */
static inline const struct ez_format *ez_format_at(size_t i)
{
    static const struct ez_format *const all[] = {
        &ez_conv_paje,       /* for ViTE, pajeng */
        &ez_conv_vite,       /* for ViTE */
        &ez_conv_otf,        /* for Vampir, otfprofile */
        &ez_conv_otf2,       /* for Vampir, ViTE */
        &ez_conv_chrome,     /* for Perfetto */
        &ez_conv_csv,        /* for spreadsheets */
        &ez_conv_folded,     /* for flame graphs */
        &ez_conv_html,       /* for browsers */
        &ez_conv_speedscope, /* for speedscope */
        &ez_conv_callgrind,  /* for KCachegrind */
        &ez_conv_pprof,      /* for go tool pprof */
        &ez_conv_perfetto,   /* for Perfetto, smaller than chrome */
        &ez_conv_ctf,        /* for babeltrace2, Trace Compass */
    };
    return i < EZ_ARRAY_LEN(all) ? all[i] : NULL;
}

#endif
