/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modc.c - eztsh-modc: the script compiler as a program, for Makefiles.
 *
 * Exit status: 0: done; 1: the script or a file is wrong; 2: the command line is wrong.
 * Tests: tests/unit/modules/check_modc.sh */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/compile.h"

static const char usage[] =
    "Usage: eztsh-modc FILE.tpl [-o DIR] [-keep-c] [-n]\n"
    "       eztsh-modc -cflags\n"
    "Compile a plugin script to the module DIR/NAME.so (doc/MODULES.md).\n"
    "  -o DIR    write to this folder, not to the current one\n"
    "  -keep-c   write DIR/NAME.c, too\n"
    "  -n        only check the script, write nothing\n"
    "  -cflags   print the options of the C compiler for a module's C\n"
    "EZT_CC names the C compiler (cc), EZT_INCLUDE the folder of ezt_probe.h.\n";

static int modc_flags(void)
{
    EZ_FREE char *dir = ez_compile_include();
    fputs("-I", stdout);
    for (const char *p = dir ? dir : ""; *p; p++) /* escapes for a shell, as pkg-config does */
        printf(strchr(" \t\"'\\$`&;()<>|*?#~", *p) ? "\\%c" : "%c", *p);
    putchar('\n');
    return 0;
}

/* Parses the options. Returns 0 to continue with `o`, else the exit status + 1. */
static int modc_options(int argc, char **argv, struct ez_compile_options *o)
{
    bool words = false; /* true after "--": the remaining words are no options */
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        const char *name = !strncmp(a, "--", 2) ? a + 1 : a;
        if (!words && !strcmp(a, "--")) {
            words = true;
        } else if (words || *a != '-') {
            if (o->script)
                return 3;
            o->script = a;
        } else if (!strcmp(name, "-o") && i + 1 < argc) {
            o->dir = argv[++i];
        } else if (!strcmp(name, "-keep-c")) {
            o->keep_c = true;
        } else if (!strcmp(name, "-n")) {
            o->only_check = true;
        } else if (!strcmp(name, "-cflags")) {
            return modc_flags() + 1;
        } else if (!strcmp(name, "-help") || !strcmp(name, "-h")) {
            fputs(usage, stdout);
            return 1;
        } else if (!strcmp(name, "-version")) {
            puts("eztsh-modc (" PACKAGE_STRING ")");
            return 1;
        } else {
            return 3;
        }
    }
    return o->script ? 0 : 3;
}

int main(int argc, char **argv)
{
    struct ez_compile_options o = { 0 };
    struct ez_compiled out;
    int status = modc_options(argc, argv, &o);
    if (status == 3)
        fputs(usage, stderr);
    if (status)
        return status - 1;
    ez_err *e = ez_module_compile(&o, &out);
    fputs(out.said, stderr);
    if (e) {
        EZ_FREE char *all = ez_err_text(e);
        EZ_FREE char *text = ez_str_ours(all);
        fprintf(stderr, "eztsh-modc: %s\n", text);
        status = 1;
    } else {
        printf("%s: %u function%s, %u event%s, ID %x%s%s\n", out.name, out.functions,
               ez_plural(out.functions), out.events, ez_plural(out.events), out.id,
               out.object ? ": " : "", out.object ? out.object : "");
    }
    ez_err_free(e);
    ez_compiled_free(&out);
    if (fflush(stdout))
        status = 1;
    return status;
}
