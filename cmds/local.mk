# One file per verb, or per tight family.
libezt_shell_a_SOURCES += \
	cmds/aggregate.c \
	cmds/aggregate.h \
	cmds/aggregate_print.c \
	cmds/attach.c \
	cmds/check.c \
	cmds/cmd.h \
	cmds/cont.c \
	cmds/convert.c \
	cmds/disassemble.c \
	cmds/explain.c \
	cmds/flow.c \
	cmds/flow.h \
	cmds/pipe.c \
	cmds/save.c \
	cmds/user.c \
	cmds/dry_run.h \
	cmds/dry_run.c \
	cmds/histogram.c \
	cmds/info_cost.c \
	cmds/info_frame.c \
	cmds/info_patch.c \
	cmds/info_regs.c \
	cmds/info_run.c \
	cmds/info_sym.c \
	cmds/budget.h \
	cmds/budget.c \
	cmds/cost.h \
	cmds/bisect.c \
	cmds/core.c \
	cmds/film.c \
	cmds/hand.c \
	cmds/hand.h \
	cmds/register.c \
	cmds/hand_without.c \
	cmds/inject.c \
	cmds/maint.c \
	cmds/lesson.c \
	cmds/lesson.h \
	cmds/lesson_check.c \
	cmds/lesson_kept.c \
	cmds/lesson_text.c \
	cmds/measure.c \
	cmds/module.c \
	cmds/repaired.h \
	cmds/repaired.c \
	cmds/replace.c \
	cmds/parse.c \
	cmds/parse.h \
	cmds/probe.c \
	cmds/probe_filter.c \
	cmds/probe_pick.h \
	cmds/probe_pick.c \
	cmds/progress.h \
	cmds/progress.c \
	cmds/quit.c \
	cmds/run.c \
	cmds/score.c \
	cmds/score.h \
	cmds/score_plan.c \
	cmds/signals.c \
	cmds/spec.c \
	cmds/spec.h \
	cmds/spec_end.c \
	cmds/spec_info.c \
	cmds/spec_load.c \
	cmds/stats.h \
	cmds/stats.c \
	cmds/stats_json.c \
	cmds/stats_values.c \
	cmds/stats_vars.c \
	cmds/shell_commands.c \
	cmds/timeline.c \
	cmds/traces.h \
	cmds/traces.c \
	cmds/tfind.c \
	cmds/tracepoint.c \
	cmds/tracepoint.h \
	cmds/trace.c \
	cmds/events.c \
	cmds/stats_messages.c \
	cmds/stats_rows.c \
	cmds/probe_spec.h \
	cmds/probe_spec.c \
	cmds/types.c cmds/why.c cmds/why_draw.c cmds/why_draw.h cmds/x.c cmds/x.h
libezt_shell_a_SOURCES += cmds/break.c cmds/info_breaks.c cmds/breaks.h cmds/display.c cmds/moves.c cmds/delete_enable.c cmds/moves.h cmds/source.c cmds/environment.c cmds/frames.c cmds/apply.c cmds/macro.c cmds/print.c cmds/printf.c cmds/values.h
libezt_shell_a_SOURCES += cmds/jobs.h cmds/context.c cmds/inferior.c cmds/job.c cmds/job_aggregates.c cmds/job_attach.c cmds/job_clock.c cmds/job_daemon.c cmds/job_end.c cmds/job_files.c cmds/job_accounting.c cmds/job_route.c cmds/job_slurm.c cmds/job_start.c cmds/job_sums.c cmds/job_windows.c cmds/jobs.c

# The lessons, inside the program.
EXTRA_DIST += cmds/lessons.txt
CLEANFILES += cmds/lessons.s cmds/lessons.o
libezt_shell_a_LIBADD = cmds/lessons.o
cmds/lessons.o: cmds/lessons.txt
	@$(MKDIR_P) cmds
	$(AM_V_GEN){ echo '.section .rodata,"a"'; echo '.globl ez_lessons_txt'; echo '.hidden ez_lessons_txt'; \
	  printf 'ez_lessons_txt:\n.incbin "%s/cmds/lessons.txt"\n.byte 0\n' '$(top_srcdir)'; \
	  echo '.section .note.GNU-stack,"",@progbits'; } >cmds/lessons.s && $(CC) -c cmds/lessons.s -o $@

# The structs of all commands, COMMAND(command_NAME) each, for commands.c.
libezt_shell_a_SOURCES += cmds/commands.c
cmds/commands.inc: $(libezt_shell_a_SOURCES) Makefile
	@$(MKDIR_P) cmds
	$(AM_V_GEN)(cd $(srcdir) && sed -n 's/^const struct ez_cmd \(command_[a-z0-9_]*\) .*/COMMAND(\1)/p' \
	    $(libezt_shell_a_SOURCES)) | LC_ALL=C sort >$@.tmp && mv -f $@.tmp $@
cmds/commands.$(OBJEXT): cmds/commands.inc
BUILT_SOURCES += cmds/commands.inc
CLEANFILES += cmds/commands.inc cmds/commands.inc.tmp
