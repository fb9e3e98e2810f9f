/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_spec.c - parses and prints struct ez_probe_spec (probe_spec.h).
 * Tests: tests/procs/save.sh */
#include "cmds/probe/probe_spec.h"

#include <stdlib.h>
#include <string.h>

#include "shell/opt.h"
#include "cmds/parse.h"
#include "engine/expr/proto.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* The words that begin a part of the line after LOCATION. */
static const struct spec_part {
    const char *word;
    size_t offset;
    const char *what;
} spec_parts[] = {
    { "if", offsetof(struct ez_probe_spec, cond), "a condition" },
    { "do", offsetof(struct ez_probe_spec, action), "an action" },
    { "collect", offsetof(struct ez_probe_spec, collect), "items to collect" },
    { "return", offsetof(struct ez_probe_spec, leave), "items to collect" },
};

/* ---- parsing ------------------------------------------------------------------------------- */

static const char *spec_next_part(const char *text)
{
    static const char *const words[] = { "if", "do", "collect", "return", NULL };
    return lex_find_word(text, words);
}

static ez_err *spec_parse_tail(struct ez_sess *s, struct ez_probe_spec *out)
{
    for (const char *p = s->run.tail, *next; *p; p = next) {
        const struct spec_part *part = spec_parts;
        while (strncmp(p, part->word, strlen(part->word)))
            part++;
        p = lex_skip_blanks(p + strlen(part->word));
        next = spec_next_part(p);
        const char **to = (const char **)((char *)out + part->offset);
        const char *text = parse_text(s, p, next);
        if (!*text)
            return ez_err_new(EZ_E_ARG, 0, "Argument required (%s behind \"%s\")", part->what,
                              part->word);
        if (*to)
            return ez_err_new(EZ_E_ARG, 0, "\"%s\" is given twice", part->word);
        *to = text;
    }
    return NULL;
}

/* Adds "$args?" and "$ret?" before the items to collect, for the sides that the probe records. */
static void spec_add_arguments(struct ez_sess *s, struct ez_probe_spec *out)
{
    if (out->kind & EZ_PROBE_ENTRY)
        out->collect = out->collect ? sess_format(s, "%s, %s", PROBE_SPEC_ARGS, out->collect)
                                    : PROBE_SPEC_ARGS;
    if (out->kind & EZ_PROBE_EXIT)
        out->leave = out->leave ? sess_format(s, "%s, %s", PROBE_SPEC_RESULT, out->leave)
                                : PROBE_SPEC_RESULT;
}

static void spec_parse_filter(struct ez_sess *s, struct ez_probe_filter *f)
{
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++) {
        if (o->kind == EZ_KIND_TEXT)
            *(const char **)((char *)f + o->offset) = opt_text(s, o->name);
        else
            *(uint64_t *)((char *)f + o->offset) = opt_number(s, o->name, 0);
    }
}

bool probe_spec_is_stap(struct ez_sess *s)
{
    return opt_given(s, "-stap") || opt_given(s, "-probe-stap");
}

const char *probe_spec_location(struct ez_sess *s, const char *typed)
{
    return probe_spec_is_stap(s) ? sess_format(s, EZ_STAP_WORD "%s", typed) : typed;
}

const char *probe_spec_instance(struct ez_sess *s, const char *typed)
{
    if (opt_given(s, "-inline"))
        return sess_format(s, EZ_INLINE_WORD "%s", typed);
    return opt_given(s, "-inline-all") ? sess_format(s, EZ_INLINE_ALL_WORD "%s", typed)
                                       : probe_spec_location(s, typed);
}

ez_err *probe_spec_parse(struct ez_sess *s, struct ez_probe_spec *out)
{
    *out = (struct ez_probe_spec){
        .kind = opt_given(s, "entry")  ? EZ_PROBE_ENTRY
                : opt_given(s, "exit") ? EZ_PROBE_EXIT
                                       : EZ_PROBE_BOTH,
        .record = !opt_given(s, "-count"),
        .matching = opt_given(s, "-r"),
    };
    const bool stap = probe_spec_is_stap(s),
               inlined = opt_given(s, "-inline") || opt_given(s, "-inline-all");
    if ((stap || inlined) && (opt_given(s, "exit") || opt_given(s, "both")))
        return ez_err_new(EZ_E_ARG, 0, "%s is a place in the code: it has no exit",
                          stap ? "A USDT probe" : "An inlined instance");
    if (inlined && (stap || out->matching))
        return ez_err_new(EZ_E_ARG, 0, "-inline is not possible with -r and -stap");
    if (stap || inlined)
        out->kind = EZ_PROBE_ENTRY;
    if (opt_given(s, "-trap"))
        out->kind |= EZ_PROBE_TRAP;
    EZ_TRY(spec_parse_tail(s, out));
    if (opt_given(s, "-A"))
        spec_add_arguments(s, out);
    spec_parse_filter(s, &out->filter);
    if (opt_given(s, "-maxdepth") && !out->filter.maxdepth)
        return ez_err_new(EZ_E_ARG, 0, "-maxdepth must be 1 or more");
    if (opt_given(s, "-for") && !out->filter.for_ns)
        return ez_err_new(EZ_E_ARG, 0, "-for needs a duration greater than zero");
    if (out->matching && out->action)
        return ez_err_new(EZ_E_ARG, 0, "\"do ACTION\" is not possible with -r: name one LOCATION");
    return NULL;
}

/* Returns the length of "LIB:" at the start of a location, 0 if it has none. LIB:NAME and
 * LIB:PROTOTYPE are possible. */
static size_t spec_library(const char *typed)
{
    const char *colon = strchr(typed, ':'), *paren = strchr(typed, '(');
    bool library = colon && colon[1] != ':' && (!paren || colon < paren);
    return library ? (size_t)(colon + 1 - typed) : 0;
}

ez_err *probe_spec_locate(struct ez_sess *s, struct ez_probe_spec *spec, const char *typed)
{
    ez_addr at;
    char *name;
    spec->location = typed;
    if (ez_location_stap(typed) || ez_location_inlined(typed))
        return NULL;
    if (*typed == '*') { /* *EXPR: any expression, such as *main+4 */
        EZ_TRY(parse_addr(s, typed + 1, &at));
        spec->location = sess_format(s, "*0x%llx", (unsigned long long)at.v);
        return NULL;
    }
    if (!ez_proto_is(typed))
        return NULL;
    size_t library = spec_library(typed);
    EZ_TRY(ez_proto_name(typed + library, &name));
    spec->prototype = typed + library;
    spec->location = sess_format(s, "%.*s%s", (int)library, typed, name);
    free(name);
    return NULL;
}

/* ---- printing ------------------------------------------------------------------------------ */

/* Formats a time as typed: "10s", "1500us". */
static const char *spec_time(struct ez_sess *s, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } unit[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
    size_t i = 0;
    while (ns % unit[i].ns)
        i++;
    return sess_format(s, "%llu%s", (unsigned long long)(ns / unit[i].ns), unit[i].name);
}

/* Returns one word of a command line, quoted if it contains separators. */
static const char *spec_word(struct ez_sess *s, const char *text)
{
    if (*text && !strpbrk(text, " \t'\"#"))
        return text;
    return sess_format(s, strchr(text, '\'') ? "\"%s\"" : "'%s'", text);
}

const char *probe_spec_filters(struct ez_sess *s, const struct ez_probe_filter *f,
                               enum ez_filter_judge judge)
{
    const char *all = "";
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++) {
        uint64_t number = ez_filter_number(f, o);
        const char *text = ez_filter_text(f, o);
        const char *value = text      ? spec_word(s, text)
                            : !number ? NULL
                            : o->kind == EZ_KIND_TIME
                                ? spec_time(s, number)
                                : sess_format(s, "%llu", (unsigned long long)number);
        if (value && o->judge == judge)
            all = sess_format(s, "%s %s %s", all, o->name, value);
    }
    return all;
}

static const char *spec_behind(struct ez_sess *s, const char *word, const char *text)
{
    return text && *text ? sess_format(s, " %s %s", word, text) : "";
}

static const char *spec_probe(struct ez_sess *s, const struct ez_probe_spec *p)
{
    const int sides = p->kind & EZ_PROBE_BOTH;
    const char *stap = ez_location_stap(p->location), *inlined = ez_location_inlined(p->location),
               *word = stap                                   ? " -stap"
                       : ez_location_inlined_all(p->location) ? " -inline-all"
                       : inlined                              ? " -inline"
                                                              : "",
               *location = stap      ? stap
                           : inlined ? inlined
                                     : p->location,
               *tail = "";
    if (p->prototype)
        location = sess_format(s, "%.*s%s", (int)spec_library(location), location, p->prototype);
    for (size_t i = 0; i < EZ_ARRAY_LEN(spec_parts); i++)
        tail = sess_format(
            s, "%s%s", tail,
            spec_behind(s, spec_parts[i].word,
                        *(const char *const *)((const char *)p + spec_parts[i].offset)));
    return sess_format(s, "probe%s%s%s%s%s%s %s%s%s", word, p->matching ? " -r" : "",
                       p->record ? "" : " -count", p->kind & EZ_PROBE_TRAP ? " -trap" : "",
                       probe_spec_filters(s, &p->filter, EZ_JUDGE_HIT),
                       probe_spec_filters(s, &p->filter, EZ_JUDGE_EVENT),
                       stap || inlined           ? ""
                       : sides == EZ_PROBE_ENTRY ? "entry "
                       : sides == EZ_PROBE_EXIT  ? "exit "
                                                 : "",
                       spec_word(s, location), tail);
}

static const char *spec_aggregate(struct ez_sess *s, const struct ez_probe_spec *p)
{
    return sess_format(s, "%s %s%s%s%s%s", ez_adds_name(p->adds), p->value ? p->value : "",
                       p->value ? " at " : "", p->location, spec_behind(s, "by", p->key),
                       spec_behind(s, "if", p->cond));
}

/* Returns the command that makes the probe, without the commands that change it afterwards. */
static const char *spec_first(struct ez_sess *s, const struct ez_probe_spec *p)
{
    if (p->with)
        return sess_format(s, "replace %s with %s%s", spec_word(s, p->location),
                           spec_word(s, p->with), spec_behind(s, "orig", p->orig));
    if (p->print)
        return sess_format(s, "dprintf %s,%s", p->location, p->print);
    if (p->tracepoint)
        return sess_format(s, "tp %s%s", p->location, spec_behind(s, "if", p->cond));
    return p->adds ? spec_aggregate(s, p) : spec_probe(s, p);
}

const char *probe_spec_commands(struct ez_sess *s, const struct ez_probe_spec *p)
{
    const char *all = sess_format(s, "%s\n", spec_first(s, p));
    if (p->print && p->cond)
        all = sess_format(s, "%scondition $bpnum %s\n", all, p->cond);
    if (p->filter.ignore)
        all = sess_format(s, "%signore $bpnum %llu\n", all, (unsigned long long)p->filter.ignore);
    if (p->filter.passcount)
        all = sess_format(s, "%spasscount %llu\n", all, (unsigned long long)p->filter.passcount);
    if (p->tracepoint && p->collect)
        all = sess_format(s, "%sactions\n  collect %s\nend\n", all, p->collect);
    return all;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

const char *probe_spec_kind(const struct ez_probe_spec *p)
{
    static const char *const sides[] = { "replace", "entry", "exit", "both" };
    return sides[p->kind & EZ_PROBE_BOTH];
}

static void spec_json_text(struct ez_json *j, const char *key, const char *text)
{
    if (text && *text)
        ez_json_add_text(j, key, text);
}

static void spec_json_flag(struct ez_json *j, const char *key, bool is)
{
    if (is)
        ez_json_add_bool(j, key, true);
}

static void spec_json_number(struct ez_json *j, const char *key, uint64_t n)
{
    if (n)
        ez_json_add_uint(j, key, n);
}

/* Adds the filters under the names of their options: -min-time is "min_time_ns". */
static void spec_json_filter(struct ez_json *j, const struct ez_probe_filter *f)
{
    static const char *const unit[] = { [EZ_KIND_TIME] = "_ns", [EZ_KIND_SIZE] = "_bytes" };
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++) {
        EZ_FREE char *key = ez_sprintf("%s%s", o->name + 1,
                                       o->kind < EZ_ARRAY_LEN(unit) ? ez_text(unit[o->kind]) : "");
        for (char *p = key; (p = strchr(p, '-'));)
            *p = '_';
        if (o->kind == EZ_KIND_TEXT)
            spec_json_text(j, key, ez_filter_text(f, o));
        else
            spec_json_number(j, key, ez_filter_number(f, o));
    }
    spec_json_number(j, "ignore", f->ignore);
    spec_json_number(j, "passcount", f->passcount);
}

const char *probe_spec_json(struct ez_sess *s, const struct ez_probe_spec *p)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "kind", probe_spec_kind(p));
    ez_json_add_text(&j, "location", p->location);
    spec_json_text(&j, "prototype", p->prototype);
    spec_json_text(&j, "with", p->with);
    spec_json_text(&j, "orig", p->orig);
    spec_json_flag(&j, "record", p->record);
    spec_json_flag(&j, "matching", p->matching);
    spec_json_flag(&j, "trap", p->kind & EZ_PROBE_TRAP);
    spec_json_flag(&j, "tracepoint", p->tracepoint);
    for (size_t i = 0; i < EZ_ARRAY_LEN(spec_parts); i++)
        spec_json_text(&j, spec_parts[i].word,
                       *(const char *const *)((const char *)p + spec_parts[i].offset));
    spec_json_text(&j, "print", p->print);
    if (p->adds)
        ez_json_add_text(&j, "aggregate", ez_adds_name(p->adds));
    spec_json_text(&j, "value", p->value);
    spec_json_text(&j, "by", p->key);
    spec_json_filter(&j, &p->filter);
    ez_json_end(&j, '}');
    return sess_keep(s, j.text);
}
