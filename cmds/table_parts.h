/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_parts.h - what is too long for the lines of table.c and table_info.c: help texts
 * (table_help.c, table_help_trace.c, table_frames.c), lists of options (table_options.c), each named
 * by its command; tables of subcommands (table_sub.c). */
#ifndef EZ_TABLE_PARTS_H
#define EZ_TABLE_PARTS_H

#include "cmds/cmd.h"

extern const struct ez_cmd table_cmds[];
extern const char help_explain[], help_handle[], help_file[], help_run[], help_start[],
    help_shell[], help_source[], help_module[], help_wait[], help_syscall[], help_thread[],
    help_aggregate[], help_measure[], help_stepi[], help_munmap[], help_continue[], help_delete[],
    help_enable[], help_attach[], help_begin[], help_call[], help_check[], help_convert[],
    help_detach[], help_disassemble[], help_events[], help_mmap[], help_probe[], help_dprintf[],
    help_apropos[], help_cd[], help_complete[], help_echo[], help_help[], help_info[], help_pwd[],
    help_set[], help_show[], help_ptype[], help_quit[], help_whatis[], help_tracepoint[],
    help_replace[], help_report[], help_stats[], help_timeline[], help_trace[], help_why[],
    help_x[], help_snapshot[], help_condition[], help_ignore[], help_passcount[], help_commit[],
    help_rollback[], help_kill[], help_interrupt[], help_disable[], help_print[], help_printf[],
    help_alias[], help_define[], help_document[], help_else[], help_end[], help_if[],
    help_loop_break[], help_loop_continue[], help_while[], help_output[], help_score[], help_film[],
    help_maint[], help_bisect[], help_lesson[], help_save[], help_backtrace[], help_frame[],
    help_faas[], help_macro[], help_taas[], help_tfaas[], help_up[], help_down[], help_signal[];
extern const char help_advance[], help_awatch[], help_break[], help_commands[], help_display[],
    help_finish[], help_list[], help_next[], help_nexti[], help_rwatch[], help_step[],
    help_tbreak[], help_undisplay[], help_until[], help_watch[]; /* table_moves.c */

extern const struct ez_opt options_backtrace[], options_bisect[], options_convert[],
    options_events[], options_measure[], options_probe[], options_probes[], options_report[],
    options_score[], options_stats[], options_timeline[], options_histogram[];

extern const struct ez_cmd set_cwd, set_environment, show_cwd, show_environment, unset_cmds[];
extern const char help_tty[], help_unset[];
extern const struct ez_cmd set_variable, show_user, show_version; /* behind all settings */
extern const struct ez_cmd job_cmds[];                            /* table_jobs.c */
extern const char help_aggregate_job[], help_context[], help_inferior[], help_job[];
extern const char help_core[], help_hand[], help_spec[];
extern const struct ez_cmd enable_cmds[], frame_cmds[], hand_cmds[], macro_cmds[], maint_cmds[],
    module_cmds[], proc_cmds[], save_cmds[], spec_cmds[], thread_cmds[], trace_cmds[];

#endif
