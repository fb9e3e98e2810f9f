/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_script.c - help of what scripts are made of. */
#include "cmds/table_parts.h"

const char help_alias[] =
    "NAME then stands for COMMAND and these arguments; what follows NAME follows them.\n\n"
    "Example:\n"
    "  alias lf = info functions\n"
    "  alias hot = stats -top 10 -sort self\n\n"
    "See also: define, show user";
const char help_define[] =
    "The lines that follow, up to `end`, run when NAME is typed. In them $argc, $arg0, $arg1, ... "
    "and\n"
    "$arg* stand for the words behind NAME. A $arg0 that is a function's argument, for a probe, is "
    "written\n"
    "\\$arg0; it also stays where NAME is called with no word for it. A command hook-NAME runs "
    "before the\n"
    "command NAME does, hookpost-NAME after it; hook-stop runs when the program stops.\n\n"
    "Example:\n"
    "  define each\n"
    "    probe entry $arg0 collect $args\n"
    "    info probes\n"
    "  end\n"
    "  each compute\n\n"
    "See also: document, alias, if, while, show user, source";
const char help_document[] = "The lines that follow, up to `end`, are what \"help NAME\" tells.\n\n"
                             "Example:\n"
                             "  document each\n"
                             "  Record each call of FUNC with its arguments.\n"
                             "  end\n\n"
                             "See also: define, help";
const char help_if[] = "The lines that follow, up to `else` or `end`, run if EXPR is not zero; "
                       "those between `else` and\n"
                       "`end`, if it is.\n\n"
                       "Example:\n"
                       "  if $_exitcode != 0\n"
                       "    echo it failed\\n\n"
                       "  else\n"
                       "    stats\n"
                       "  end\n\n"
                       "See also: while, define, print";
const char help_while[] =
    "The lines that follow, up to `end`, run again and again while EXPR is not zero.\n\n"
    "Example:\n"
    "  set $i = 0\n"
    "  while $i < 3\n"
    "    printf \"%d: %d\\n\", $i, table[$i]\n"
    "    set $i = $i + 1\n"
    "  end\n\n"
    "See also: loop_break, loop_continue, if, define";
#define LOOP                                                                                       \
    "Example:\n"                                                                                   \
    "  while 1\n"                                                                                  \
    "    stepi\n"                                                                                  \
    "    if $pc == &done\n"                                                                        \
    "      loop_break\n"                                                                           \
    "    end\n"                                                                                    \
    "  end\n\n"                                                                                    \
    "See also: while"
const char help_loop_break[] = LOOP, help_loop_continue[] = LOOP;
#define END                                                                                        \
    "Example:\n"                                                                                   \
    "  if argc > 1\n"                                                                              \
    "    info registers\n"                                                                         \
    "  end\n\n"                                                                                    \
    "See also: define, document, if, while, actions"
const char help_end[] = END, help_else[] = END;

const char help_save[] = "As commands, which \"source\" runs again.\n\n"
                         "Example:\n"
                         "  save session homework.ezt\n"
                         "  save probes hot.ezt\n\n"
                         "See also: save session, save probes, save tracepoints, source";

const char help_spec[] = "A specification says which code goes where in a program "
                         "(doc/HOWTO_SPEC.md).\n"
                         "eztsh-instrument applies it to source files, \"spec load\" to the "
                         "running program.\n\n"
                         "Example:\n"
                         "  spec check calls.spec\n"
                         "  spec load calls.spec\n\n"
                         "See also: spec load, info spec, module";

const char help_lesson[] =
    "\"lesson\" lists the lessons, or shows where you are in one; \"lesson N\" begins lesson N, on "
    "the\n"
    "program examples/demo. Each step sets a task. After each command eztsh looks at the target,\n"
    "and at what was asked of the kernel, whatever was typed, and says what is missing, or that "
    "the\n"
    "task is done; \"lesson next\" goes on. \"lesson hint\" helps, and helps more when it is asked "
    "for\n"
    "again; \"lesson reset\" begins the lesson again, \"lesson off\" leaves it.\n\n"
    "Example:\n"
    "  lesson 1\n"
    "  lesson -solution 4\n\n"
    "See also: explain, measure, disassemble, why, save session";

const char help_maint[] =
    "For the engine's makers: neither listed nor completed. What it breaks is broken.\n\n"
    "Example:\n"
    "  maint corrupt-relocation 1\n"
    "  maint refuse jump\n"
    "  maint fail-ptrace 3\n\n"
    "See also: maint corrupt-relocation, maint refuse, maint fail-ptrace";
const char help_bisect[] =
    "For a program that fails only when it is probed: it is run without probes, with all, then "
    "with\n"
    "halves of them, until one is left; that one is named, with what `check` and `why` say of it. "
    "A\n"
    "run fails if its status is not 0, or a signal kills it, where that is not so without probes; "
    "or\n"
    "as -cmd says. Probes that are disabled, and those of modules, have no part. Nothing is "
    "recorded.\n"
    "Input and output of the program are /dev/null, unless its arguments redirect anything.\n\n"
    "Example:\n"
    "  probe -count -r .\n"
    "  bisect\n"
    "  set args >out\n"
    "  bisect -cmd \"cmp out right\"\n\n"
    "See also: check, why, info probes, disable";
const struct ez_opt options_bisect[] = {
    { .name = "-cmd",
      .kind = OPT_TEXT,
      .value = "COMMAND",
      .meaning = "a shell command, after each run: the run failed if it does" },
    { .name = "-r",
      .kind = OPT_TEXT,
      .value = "REGEX",
      .meaning = "only the probes on functions of such names" },
    { .name = "-timeout",
      .kind = OPT_TIME,
      .value = "TIME",
      .meaning = "a run that takes longer is ended, and failed (else 60s)" },
    { .name = NULL },
};

const char help_film[] =
    "The current thread goes on to its next call of FUNC, where a hardware breakpoint stops it "
    "(no\n"
    "text is changed), then executes that call instruction by instruction, through jump, stub,\n"
    "replay, body and exit, until it is back at its caller; there it stays. Each line says in "
    "which\n"
    "part it is, and the registers that change. Functions that FUNC calls are stepped through, "
    "too,\n"
    "but only counted. Other threads stand still: if the call waits for one of them, it does not "
    "end\n"
    "(Ctrl-C; \"continue\" goes on from there).\n\n"
    "Example:\n"
    "  probe answer\n"
    "  film answer\n\n"
    "See also: stepi, why, disassemble, thread";
