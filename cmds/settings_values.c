/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings_values.c - what `set` and `show` do with a setting's value.
 * Tests: tests/e2e/settings.ezt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/budget.h"
#include "cmds/parse.h"
#include "cmds/settings.h"
#include "cmds/settings_check.h"
#include "cmds/table_parts.h"
#include "shell/out.h"
#include "shell/sess.h"

/* "set history save" -> the setting "history save" */
static const struct setting *settings_setting_of(const char *command)
{
    const char *name = strchr(command, ' ') + 1;
    for (size_t i = 0; i < n_settings; i++)
        if (!strcmp(settings[i].name, name))
            return &settings[i];
    return NULL;
}

static void *settings_variable(struct ez_sess *s, const struct setting *v)
{
    return (char *)(v->engine ? (void *)ez_settings(s->target) : (void *)&s->ui) + v->offset;
}

static ez_err *settings_set_choice(const struct setting *v, const char *text, bool *var)
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
    return ez_err_new(EZ_E_ARG, 0, "\"%s\" or \"%s\" expected.", v->word[1], v->word[0]);
}

static ez_err *settings_set_pick(const struct setting *v, const char *text, unsigned *var)
{
    size_t n = strcspn(text, " \t");
    for (unsigned i = 0; i < settings_nwords(v); i++)
        if (strlen(v->word[i]) == n && !strncmp(text, v->word[i], n)) {
            *var = i;
            return NULL;
        }
    EZ_FREE char *words = settings_all_words(v, ", ", " or ", "\"");
    return ez_err_new(EZ_E_ARG, 0, "%s expected.", words);
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
        return ez_err_new(EZ_E_ARG, 0, "integer %s out of range", word);
    *var = (unsigned)n;
    return NULL;
}

ez_err *cmd_set_value(struct ez_sess *s, int argc, char **argv)
{
    const struct setting *v = settings_setting_of(argv[0]);
    const char *text = argc > 1 ? argv[1] : "";
    void *var = settings_variable(s, v);
    unsigned n = 0;
    bool flag = false;
    switch (v->kind) {
    case CHOICE:
        EZ_TRY(settings_set_choice(v, text, &flag));
        EZ_TRY(settings_check_flag(s, v->name, flag));
        if (!strcmp(v->name, "logging enabled"))
            EZ_TRY(logging_switch(s, flag));
        *(bool *)var = flag;
        return NULL;
    case PICK:
        EZ_TRY(settings_set_pick(v, text, &n));
        EZ_TRY(settings_check_pick(s, v->name, n));
        *(unsigned *)var = n;
        return NULL;
    case BUDGET:
        EZ_TRY(budget_parse(text, &n));
        return budget_set(s, n);
    case UINT:
        EZ_TRY(settings_set_uint(text, v->name, &n));
        EZ_TRY(settings_check_number(v->name, n));
        *(unsigned *)var = n;
        return NULL;
    default:
        free(*(char **)var);
        *(char **)var = ez_strdup(text);
        return NULL;
    }
}

static void settings_show(struct ez_sess *s, const struct setting *v, const char *before)
{
    const void *var = settings_variable(s, v);
    char number[16];
    const char *value = number;
    if (v->kind == CHOICE)
        value = v->word[*(const bool *)var];
    else if (v->kind == PICK)
        value = v->word[*(const unsigned *)var];
    else if (v->kind == TEXT)
        value = *(char *const *)var;
    else if (*(const unsigned *)var == (unsigned)-1)
        value = "that of the terminal";
    else if (*(const unsigned *)var == 0)
        value = v->kind == BUDGET ? "off" : "unlimited";
    else
        snprintf(number, sizeof number, "%u", *(const unsigned *)var);
    const char *rest = strstr(v->sentence, "%s");
    out_line(s, "%s%.*s%s%s", before, (int)(rest - v->sentence), v->sentence, value, rest + 2);
}

ez_err *cmd_show_value(struct ez_sess *s, int argc, char **argv)
{
    settings_show(s, settings_setting_of(argv[0]), "");
    return NULL;
}

/* `show` shows all, `show history` that family. */
ez_err *cmd_show_all(struct ez_sess *s, int argc, char **argv)
{
    const char *family = strchr(argv[0], ' ');
    for (size_t i = 0; i < n_settings; i++) {
        const char *name = settings[i].name;
        if (family && strncmp(name, family + 1, strlen(family + 1)))
            continue;
        settings_show(s, &settings[i], sess_format(s, "%s:  ", name));
    }
    return NULL;
}

void comp_setting(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    const struct setting *v = settings_setting_of(comp_command_name(out));
    for (size_t i = 0; i < settings_nwords(v); i++)
        comp_offer(out, word, v->word[i]);
}

/* ---- what drivers are told (jobs.h) ------------------------------------------------------------ */

bool settings_is_engine(const char *name)
{
    for (size_t i = 0; i < n_settings; i++)
        if (settings[i].engine && !strcmp(settings[i].name, name))
            return true;
    return false;
}

void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg)
{
    for (size_t i = 0; i < n_settings; i++) {
        const struct setting *v = &settings[i];
        const char *now = (const char *)ez_settings(s->target) + v->offset;
        const char *was = (const char *)&s->defaults + v->offset;
        size_t size = v->kind == CHOICE ? sizeof(bool) : sizeof(unsigned);
        if (!v->engine || v->kind == TEXT || !memcmp(now, was, size))
            continue;
        unsigned n = v->kind == CHOICE ? *(const bool *)now : *(const unsigned *)now;
        EZ_FREE char *value =
            v->kind == CHOICE || v->kind == PICK ? ez_strdup(v->word[n]) : ez_sprintf("%u", n);
        fn(v->name, value, arg);
    }
}
