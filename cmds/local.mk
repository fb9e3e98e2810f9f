# One file a command, or a few related commands. One folder a subject.
libezt_shell_a_SOURCES += \
	cmds/cmd.h \
	cmds/commands.c \
	cmds/flow.c \
	cmds/flow.h \
	cmds/maint.c \
	cmds/parse.c \
	cmds/parse.h \
	cmds/pipe.c \
	cmds/progress.c \
	cmds/progress.h \
	cmds/quit.c \
	cmds/register.c \
	cmds/shell_commands.c \
	cmds/user.c
libezt_shell_a_SOURCES += \
	cmds/data/apply.c \
	cmds/data/disassemble.c \
	cmds/data/display.c \
	cmds/data/frames.c \
	cmds/data/info_frame.c \
	cmds/data/info_regs.c \
	cmds/data/info_sym.c \
	cmds/data/macro.c \
	cmds/data/print.c \
	cmds/data/printf.c \
	cmds/data/source.c \
	cmds/data/types.c \
	cmds/data/values.h \
	cmds/data/x.c \
	cmds/data/x.h
libezt_shell_a_SOURCES += \
	cmds/job/context.c \
	cmds/job/job.c \
	cmds/job/job_accounting.c \
	cmds/job/job_attach.c \
	cmds/job/job_clock.c \
	cmds/job/job_daemon.c \
	cmds/job/job_files.c \
	cmds/job/job_life.c \
	cmds/job/job_members.c \
	cmds/job/job_route.c \
	cmds/job/job_slurm.c \
	cmds/job/job_start.c \
	cmds/job/job_sums.c \
	cmds/job/job_wait.c \
	cmds/job/job_windows.c \
	cmds/job/jobs.c \
	cmds/job/jobs.h
libezt_shell_a_SOURCES += \
	cmds/learn/explain.c \
	cmds/learn/film.c \
	cmds/learn/hand.c \
	cmds/learn/lesson.c \
	cmds/learn/lesson.h \
	cmds/learn/lesson_check.c \
	cmds/learn/lesson_kept.c \
	cmds/learn/lesson_text.c
libezt_shell_a_SOURCES += \
	cmds/probe/aggregate.c \
	cmds/probe/aggregate.h \
	cmds/probe/aggregate_print.c \
	cmds/probe/bisect.c \
	cmds/probe/budget.c \
	cmds/probe/budget.h \
	cmds/probe/check.c \
	cmds/probe/cost.h \
	cmds/probe/histogram.c \
	cmds/probe/info_cost.c \
	cmds/probe/info_patch.c \
	cmds/probe/info_probes.c \
	cmds/probe/info_stap.c \
	cmds/probe/measure.c \
	cmds/probe/module.c \
	cmds/probe/probe.c \
	cmds/probe/probe_filter.c \
	cmds/probe/probe_pick.c \
	cmds/probe/probe_pick.h \
	cmds/probe/probe_spec.c \
	cmds/probe/probe_spec.h \
	cmds/probe/repaired.c \
	cmds/probe/repaired.h \
	cmds/probe/replace.c \
	cmds/probe/save.c \
	cmds/probe/score.c \
	cmds/probe/score.h \
	cmds/probe/score_plan.c \
	cmds/probe/spec.c \
	cmds/probe/spec.h \
	cmds/probe/spec_end.c \
	cmds/probe/spec_info.c \
	cmds/probe/spec_load.c \
	cmds/probe/tracepoint.c \
	cmds/probe/tracepoint.h \
	cmds/probe/why.c \
	cmds/probe/why_draw.c \
	cmds/probe/why_draw.h
libezt_shell_a_SOURCES += \
	cmds/run/attach.c \
	cmds/run/break.c cmds/run/catch.c \
	cmds/run/breaks.h \
	cmds/run/cont.c \
	cmds/run/core.c \
	cmds/run/corefile.c \
	cmds/run/delete_enable.c \
	cmds/run/environment.c \
	cmds/run/environment.h \
	cmds/run/inferior.c \
	cmds/run/info_breaks.c \
	cmds/run/info_run.c \
	cmds/run/inject.c \
	cmds/run/moves.c \
	cmds/run/moves.h \
	cmds/run/record.c \
	cmds/run/run.c \
	cmds/run/run.h \
	cmds/run/signals.c
libezt_shell_a_SOURCES += \
	cmds/trace/compare.c \
	cmds/trace/compare.h \
	cmds/trace/analyze.c \
	cmds/trace/analyze.h \
	cmds/trace/analyze_json.c \
	cmds/trace/analyze_scaling.c \
	cmds/trace/analyze_text.c \
	cmds/trace/analyze_verdict.c \
	cmds/trace/convert.c \
	cmds/trace/diff.c \
	cmds/trace/diff.h \
	cmds/trace/diff_rows.c \
	cmds/trace/events.c \
	cmds/trace/graph.c \
	cmds/trace/listing.c \
	cmds/trace/listing.h \
	cmds/trace/listing_json.c \
	cmds/trace/listing_json.h \
	cmds/trace/replay.c \
	cmds/trace/locks.c \
	cmds/trace/stats.c \
	cmds/trace/stats.h \
	cmds/trace/stats_json.c \
	cmds/trace/stats_messages.c \
	cmds/trace/stats_rows.c \
	cmds/trace/stats_slowest.c \
	cmds/trace/stats_values.c \
	cmds/trace/stats_vars.c \
	cmds/trace/tfind.c \
	cmds/trace/timeline.c \
	cmds/trace/top.c \
	cmds/trace/top.h \
	cmds/trace/top_draw.c \
	cmds/trace/top_screen.c \
	cmds/trace/top_table.c \
	cmds/trace/trace.c \
	cmds/trace/traces.c \
	cmds/trace/traces.h

# The lessons, inside the program.
EXTRA_DIST += cmds/learn/lessons.txt
CLEANFILES += cmds/learn/lessons.s cmds/learn/lessons.o
libezt_shell_a_LIBADD = cmds/learn/lessons.o
cmds/learn/lessons.o: cmds/learn/lessons.txt
	@$(MKDIR_P) cmds/learn
	$(AM_V_GEN){ echo '.section .rodata,"a"'; echo '.globl ez_lessons_txt'; echo '.hidden ez_lessons_txt'; \
	  printf 'ez_lessons_txt:\n.incbin "%s/cmds/learn/lessons.txt"\n.byte 0\n' '$(top_srcdir)'; \
	  echo '.section .note.GNU-stack,"",@progbits'; } >cmds/learn/lessons.s && $(CC) -c cmds/learn/lessons.s -o $@

# The structs of all commands, COMMAND(command_NAME) each, for commands.c.
cmds/commands.inc: $(libezt_shell_a_SOURCES) Makefile
	@$(MKDIR_P) cmds
	$(AM_V_GEN)(cd $(srcdir) && sed -n 's/^const struct ez_cmd \(command_[a-z0-9_]*\) .*/COMMAND(\1)/p' \
	    $(libezt_shell_a_SOURCES)) | LC_ALL=C sort >$@.tmp && mv -f $@.tmp $@
cmds/commands.$(OBJEXT): cmds/commands.inc
BUILT_SOURCES += cmds/commands.inc
CLEANFILES += cmds/commands.inc cmds/commands.inc.tmp
