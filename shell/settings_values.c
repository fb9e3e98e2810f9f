/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings_values.c - how `set` and `show` parse and print a setting's value.
 * Tests: tests/e2e/settings.ezt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ezt.h"
#include "shell/hooks.h"
#include "shell/parse_word.h"
#include "shell/settings.h"
#include "shell/settings_check.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns the setting "history save" for the command "set history save". */
static const struct setting *settings_setting_of(const char *command)
{
    const char *name = strchr(command, ' ') + 1;
    for (size_t i = 0; i < n_settings; i++)
        if (!strcmp(settings[i].is->name, name))
            return &settings[i];
    return NULL;
}

static void *settings_variable(struct ez_sess *s, const struct setting *v)
{
    return (char *)(v->engine ? (void *)ez_settings(s->target) : (void *)&s->ui) + v->is->offset;
}

static ez_err *settings_set_choice(const struct ez_setting *v, const char *text, bool *var)
{
    size_t n = strcspn(text, " \t");
    bool onoff = !strcmp(v->word[1], "on");
    for (int i = 0; i < 2; i++)
        if (strlen(v->word[i]) == n && !strncmp(text, v->word[i], n)) {
            *var = i;
            return NULL;
        }
    if (onoff && !n) { /* `set confirm` alone means on */
        *var = true;
        return NULL;
    }
    return ez_err_new(EZ_E_ARG, 0, "\"%s\" or \"%s\" expected", v->word[1], v->word[0]);
}

static ez_err *settings_set_pick(const struct ez_setting *v, const char *text, unsigned *var)
{
    size_t n = strcspn(text, " \t");
    for (unsigned i = 0; i < settings_nwords(v); i++)
        if (strlen(v->word[i]) == n && !strncmp(text, v->word[i], n)) {
            *var = i;
            return NULL;
        }
    EZ_FREE char *words = settings_all_words(v, ", ", " or ", "\"");
    return ez_err_new(EZ_E_ARG, 0, "%s expected", words);
}

static ez_err *settings_set_uint(const char *text, const char *name, unsigned *var)
{
    uint64_t n;
    EZ_FREE char *word = strndup(text, strcspn(text, " \t"));
    if (!strcmp(word, "unlimited")) {
        *var = 0;
        return NULL;
    }
    EZ_TRY(parse_count(word, name, &n));
    if (n >= INT32_MAX)
        return ez_err_gdb(EZ_E_ARG, "integer %s out of range", word);
    *var = (unsigned)n;
    return NULL;
}

/* Parses "off", or a number up to 100. */
static ez_err *settings_set_percent(const char *text, const char *name, unsigned *var)
{
    uint64_t n = 0;
    EZ_FREE char *word = strndup(text, strcspn(text, " \t%"));
    if (strcmp(word, "off"))
        EZ_TRY(parse_count(word, name, &n));
    if (n > 100)
        return ez_err_new(EZ_E_ARG, 0, "%s must be \"off\" or a number from 1 to 100 (percent)",
                          name);
    *var = (unsigned)n;
    return NULL;
}

ez_err *cmd_set_value(struct ez_sess *s, int argc, char **argv)
{
    const struct setting *of = settings_setting_of(argv[0]);
    const struct ez_setting *v = of->is;
    const char *text = argc > 1 ? argv[1] : "";
    void *var = settings_variable(s, of);
    unsigned n = 0;
    bool flag = false;
    switch (v->kind) {
    case EZ_SET_FLAG:
        EZ_TRY(settings_set_choice(v, text, &flag));
        EZ_TRY(settings_check_flag(s, v->name, flag));
        if (!strcmp(v->name, "logging enabled"))
            EZ_TRY(logging_switch(s, flag));
        *(bool *)var = flag;
        return NULL;
    case EZ_SET_WORD:
        EZ_TRY(settings_set_pick(v, text, &n));
        EZ_TRY(settings_check_pick(s, v->name, n));
        *(unsigned *)var = n;
        return NULL;
    case EZ_SET_BUDGET:
        EZ_TRY(settings_set_percent(text, v->name, &n));
        return hooks_set_budget(s, n);
    case EZ_SET_NUMBER:
        EZ_TRY(settings_set_uint(text, v->name, &n));
        EZ_TRY(settings_check_number(v, n));
        *(unsigned *)var = n;
        return NULL;
    default:
        free(*(char **)var);
        *(char **)var = ez_strdup(text);
        return NULL;
    }
}

static const char *settings_text(struct ez_sess *s, const struct setting *of)
{
    const struct ez_setting *v = of->is;
    const void *var = settings_variable(s, of);
    if (v->kind == EZ_SET_FLAG)
        return v->word[*(const bool *)var];
    if (v->kind == EZ_SET_WORD)
        return v->word[*(const unsigned *)var];
    if (v->kind == EZ_SET_TEXT)
        return *(char *const *)var;
    if (*(const unsigned *)var == (unsigned)-1)
        return "that of the terminal";
    if (*(const unsigned *)var == 0)
        return v->kind == EZ_SET_BUDGET ? "off" : "unlimited";
    return sess_format(s, "%u", *(const unsigned *)var);
}

static void settings_show(struct ez_sess *s, const struct setting *of, const char *before)
{
    const struct ez_setting *v = of->is;
    const char *rest = strstr(v->sentence, "%s");
    out_line(s, "%s%.*s%s%s", before, (int)(rest - v->sentence), v->sentence, settings_text(s, of),
             rest + 2);
}

ez_err *cmd_show_value(struct ez_sess *s, int argc, char **argv)
{
    settings_show(s, settings_setting_of(argv[0]), "");
    return NULL;
}

/* Prints all settings for `show`, a family for `show history`. */
ez_err *cmd_show_all(struct ez_sess *s, int argc, char **argv)
{
    const char *family = strchr(argv[0], ' ');
    struct out_table t;
    out_table_json(&t, s, "settings", "name value");
    for (size_t i = 0; i < n_settings; i++) {
        const char *name = settings[i].is->name;
        if (family && strncmp(name, family + 1, strlen(family + 1)))
            continue;
        if (out_json_requested(s))
            out_row(&t, name, settings_text(s, &settings[i]), NULL);
        else
            settings_show(s, &settings[i], sess_format(s, "%s:  ", name));
    }
    out_table_json_end(&t, NULL);
    return NULL;
}

void comp_setting(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    const struct ez_setting *v = settings_setting_of(comp_command_name(out))->is;
    for (size_t i = 0; i < settings_nwords(v); i++)
        comp_offer(out, word, v->word[i]);
}

/* ---- settings for drivers (jobs.h) ----------------------------------------------------------- */

bool settings_is_engine(const char *name)
{
    for (size_t i = 0; i < ez_nengine_settings; i++)
        if (!strcmp(ez_engine_settings[i].name, name))
            return true;
    return false;
}

void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg)
{
    for (size_t i = 0; i < ez_nengine_settings; i++) {
        const struct ez_setting *v = &ez_engine_settings[i];
        if (v->kind == EZ_SET_TEXT)
            continue;
        const void *now = (const char *)ez_settings(s->target) + v->offset;
        unsigned n = v->kind == EZ_SET_FLAG ? *(const bool *)now : *(const unsigned *)now;
        if (n == v->initial)
            continue;
        bool words = v->kind == EZ_SET_FLAG || v->kind == EZ_SET_WORD;
        EZ_FREE char *value = words ? ez_strdup(v->word[n]) : ez_sprintf("%u", n);
        fn(v->name, value, arg);
    }
}
