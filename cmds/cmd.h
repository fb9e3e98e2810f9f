/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd.h - what a command is: a struct beside its function, command_NAME.
 *
 * Preconditions, argument counts and help are data, so no command re-implements
 * "no process is running", and help, completion, apropos and the manual are all
 * derived from the structs. A command is a function that returns an error as a
 * value; the dispatcher prints it. To add one: doc/HOWTO_COMMAND.md. */
#ifndef EZ_CMD_H
#define EZ_CMD_H

#include "cmds/opt.h"
#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;
struct ez_comp;
struct ez_stop;

enum ez_class {
    EZ_CLASS_RUN,
    EZ_CLASS_DATA,
    EZ_CLASS_PROBE,
    EZ_CLASS_TRACE,
    EZ_CLASS_JOB,
    EZ_CLASS_SUPPORT
};

enum ez_cmd_flags {
    NEED_TARGET = 1,  /* a live process, running or stopped                     */
    NEED_STOPPED = 2, /* a live process whose threads are all stopped           */
    MUTATES = 4,      /* changes the target: an empty line does not repeat it   */
    NO_REPEAT = 8,    /* an empty line does not repeat it, for another reason   */
    HIDDEN = 16,      /* neither listed nor completed                           */
    RAW = 32,         /* argv[1] is what follows the options, verbatim           */
    OWN_WORDS = 64,   /* with `sub`: a word that is no subcommand is an operand */
    TAIL = 128,       /* from `if`, `collect` or `return` on, the line is s->tail, verbatim */
    BLOCK = 256,      /* lines follow, up to `end`                              */
    HERE = 512,       /* where there is a job, it is not for its members (jobs.h) */
};

/* Words with which the tail of a line with TAIL begins; NULL ends them (shell/dispatch.c). */
extern const char *const cmd_tail[];

/* argv[0] is the full name ("info probes"), argv[argc] is NULL; options are not in it (opt.h).
 * With RAW argc is 1 (nothing follows) or 2. */
typedef ez_err *ez_cmd_fn(struct ez_sess *s, int argc, char **argv);
/* Makes what help says of a table of the program: whole lines; the caller frees. */
typedef char *ez_list_fn(void);
/* Offer words for the argument being typed (complete.h). */
typedef void ez_comp_fn(struct ez_sess *s, const char *word, struct ez_comp *out);

struct ez_cmd {
    const char *parent; /* "info", "info proc": a subcommand of it; NULL = of none        */
    const char *name;   /* tables are sorted by name; a name is unique in its table       */
    const char *alias;  /* another name that is no prefix ("si"), or NULL         */
    const char *usage;  /* operands, which follow name and options                */
    const char *brief;  /* <= 60 columns, a sentence                              */
    const char *help;   /* has "Example:" and "See also:"                         */
    ez_list_fn *list;   /* lines that help has before "Example:"; NULL = none     */
    enum ez_class cls;
    uint8_t min_abbrev;           /* 0 = shortest unique; else this many letters suffice */
    int8_t argmin, argmax;        /* operands; -1 = any                                  */
    const struct ez_opt *options; /* ends with a NULL name; NULL = none            */
    uint32_t flags;               /* enum ez_cmd_flags                                   */
    ez_cmd_fn *fn;                /* with `sub`: called when no subcommand follows       */
    ez_comp_fn *complete;
    const struct ez_cmd *sub; /* ends with a NULL name; made of its subcommands          */
};

/* class, fewest and most operands (-1 = any number) */
#define TAKES(class, lo, hi) .cls = EZ_CLASS_##class, .argmin = (lo), .argmax = (hi)
/* { .name = "-count", .meaning = "only count" }, ... */
#define OPTIONS(...)                                                                               \
    .options = (const struct ez_opt[])                                                             \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }

#define FOR_PROGRAMS                                                                               \
    {                                                                                              \
        .name = "-json", .meaning = "for programs (doc/JSON.md)"                                   \
    }

extern const struct ez_cmd *ez_cmds; /* ends with a NULL name; made by commands_tables() */
extern const struct ez_cmd ez_info_cmds[];
extern struct ez_cmd ez_set_cmds[], ez_show_cmds[]; /* made by settings_tables() */

/* commands.c: makes the tables of all commands and settings, once. */
void commands_tables(void);
/* Adds the subcommands of `parent` ("" = of none) to a table that has n entries and room for `room`, sorts
 * the table and ends it. Returns how many it has then. */
size_t commands_append(const char *parent, struct ez_cmd *table, size_t n, size_t room);

/* One per verb; usage and meaning stand in table.c. */
ez_cmd_fn cmd_score, cmd_adds, cmd_condition, cmd_ignore, cmd_passcount, cmd_snapshot;
ez_cmd_fn cmd_actions, cmd_collect, cmd_info_tracepoints, cmd_info_tvariables, cmd_save_tracepoints,
    cmd_tdump, cmd_tfind, cmd_tp, cmd_trace, cmd_tstart, cmd_tstatus, cmd_tstop, cmd_tvariable;
ez_cmd_fn cmd_apropos, cmd_attach, cmd_begin, cmd_call, cmd_check, cmd_commit, cmd_rollback, cmd_cd,
    cmd_complete, cmd_continue, cmd_delete, cmd_detach, cmd_disable, cmd_disassemble, cmd_dprintf,
    cmd_echo, cmd_enable, cmd_bisect, cmd_film, cmd_generate_core_file, cmd_events, cmd_explain,
    cmd_file, cmd_hand, cmd_hand_next, cmd_hand_step, cmd_hand_undo, cmd_maint_corrupt,
    cmd_maint_fail, cmd_maint_forget_probes, cmd_maint_probe_count, cmd_maint_read_ahead,
    cmd_maint_refuse, cmd_maint_stop_frames, cmd_maint_wall, cmd_handle, cmd_help, cmd_lesson,
    cmd_signal, cmd_interrupt, cmd_kill, cmd_measure, cmd_mmap, cmd_module_compile, cmd_module_list,
    cmd_module_load, cmd_module_unload, cmd_munmap, cmd_probe, cmd_ptype, cmd_pwd, cmd_quit,
    cmd_replace, cmd_report, cmd_run, cmd_shell, cmd_source, cmd_info_spec, cmd_spec_check,
    cmd_spec_delete, cmd_spec_list, cmd_spec_load, cmd_spec_show, cmd_start, cmd_convert, cmd_stats,
    cmd_stepi, cmd_syscall, cmd_thread, cmd_timeline, cmd_trace_export, cmd_trace_repair,
    cmd_trace_start, cmd_trace_stop, cmd_wait, cmd_whatis, cmd_why, cmd_x;
ez_cmd_fn cmd_aggregate, cmd_context, cmd_inferior, cmd_info_contexts, cmd_info_hosts,
    cmd_info_inferiors, cmd_info_job, cmd_job_attach, cmd_job_detach, cmd_job_gather, cmd_job_kill,
    cmd_job_reattach, cmd_job_run;
ez_cmd_fn cmd_enable_count, cmd_enable_delete, cmd_enable_once;
ez_cmd_fn cmd_info_macro, cmd_macro_expand;
ez_cmd_fn cmd_faas, cmd_frame_apply, cmd_frame_function, cmd_taas, cmd_tfaas;
ez_cmd_fn cmd_backtrace, cmd_frame, cmd_up, cmd_down, cmd_thread_apply, cmd_info_args,
    cmd_info_frame, cmd_info_locals;
ez_cmd_fn cmd_advance, cmd_awatch, cmd_break, cmd_commands, cmd_display, cmd_finish,
    cmd_info_breakpoints, cmd_info_display, cmd_info_source, cmd_list, cmd_next, cmd_nexti,
    cmd_rwatch, cmd_step, cmd_tbreak, cmd_undisplay, cmd_until, cmd_watch;
ez_cmd_fn cmd_set_cwd, cmd_set_environment, cmd_show_cwd, cmd_show_environment, cmd_tty,
    cmd_unset_environment;
ez_cmd_fn cmd_print, cmd_printf, cmd_output, cmd_set_variable;
ez_cmd_fn cmd_info_address, cmd_info_aggregates, cmd_info_auxv, cmd_info_cost, cmd_info_coverage,
    cmd_info_textdiff, cmd_info_functions, cmd_info_histogram, cmd_info_line, cmd_info_mappings,
    cmd_info_modules, cmd_info_probes, cmd_info_replacements, cmd_info_proc, cmd_info_ptrace,
    cmd_info_registers, cmd_info_scope, cmd_info_sharedlibrary, cmd_info_signals, cmd_info_symbol,
    cmd_info_threads, cmd_info_trace, cmd_info_window;
ez_cmd_fn cmd_set_value, cmd_show_value, cmd_show_all, cmd_list_sub;

ez_cmd_fn cmd_alias, cmd_define, cmd_document, cmd_else, cmd_end, cmd_if, cmd_loop_break,
    cmd_loop_continue, cmd_save_probes, cmd_save_session, cmd_show_user, cmd_show_version,
    cmd_while;

/* user.c: commands that the user defined. user_call: false = the line's first word is none. *other: the line that it
 * stands for (to be freed), else it ran: *e. */
bool user_call(struct ez_sess *s, const char *text, char **other, ez_err **e);
/* Runs hook-NAME (`before` is "hook-"), or hookpost-NAME, if there is one. */
ez_err *user_hook(struct ez_sess *s, const char *before, const char *name) EZ_WUR;
bool user_help(struct ez_sess *s, const char *name); /* false = there is none of that name */
void user_names(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                void *arg);
/* moves.c: while the shell waits. moves_go_on: the program stopped, but not for the user: it runs again.
 * moves_tell: it stands, and where is told. */
bool moves_go_on(struct ez_sess *s, ez_err **e);
void moves_tell(struct ez_sess *s, struct ez_stop *stop, const void *arg);
ez_err *moves_renew(struct ez_sess *s) EZ_WUR; /* the breakpoints may be others now */
void breaks_run_commands(struct ez_sess *s);   /* break.c: those of breakpoints that were hit */
void flow_free(struct ez_sess *s);             /* flow.c: what of it a session holds */

/* shell/complete.c: the sources of words, and how a completer offers one. */
void comp_offer(struct ez_comp *c, const char *typed, const char *word);
const char *comp_command_name(const struct ez_comp *c); /* "set confirm" */
ez_list_fn list_columns, list_formats;
ez_comp_fn comp_command, comp_explain, comp_file, comp_format, comp_fxt, comp_lesson, comp_location,
    comp_pid, comp_probe, comp_setting, comp_signal, comp_symbol;

/* probe.c: the reasons of refusals, as in " 3 too short, 1 it never returns"; " 0" when nothing
 * was refused. The text lives until the command returns. */
struct ez_bulk;
const char *probe_reasons(struct ez_sess *s, const struct ez_bulk *b);

/* hand.c: under `set by-hand`, what `probe` does with a probe that the transaction it began holds. */
ez_err *hand_begin(struct ez_sess *s, int number) EZ_WUR;
void hand_abandon(struct ez_sess *s); /* Ctrl-C at the prompt */

/* explain.c: the log of ptrace (--ptrace-log); explain_log_close() also ends `explain`. */
ez_err *explain_log_open(struct ez_sess *s, const char *path) EZ_WUR;
ez_err *explain_log_close(void) EZ_WUR;
/* A call of ptrace failed: the last ones, on standard error. */
void explain_failure(struct ez_sess *s);

/* lesson.c: a command has run, and may have done what the lesson asks for. */
void lesson_look(struct ez_sess *s);

/* settings.c: settings_tables() builds the `set` and `show` tables, once; settings_init() gives a
 * session its defaults. */
void settings_tables(void);
void settings_init(struct ez_sess *s);
void settings_free(struct ez_sess *s);
bool settings_is_engine(const char *name); /* it is about the target, not the shell */
/* Calls fn for each setting of the engine that has not its default. */
void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg);

#endif
