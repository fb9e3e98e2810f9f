# The engine and the architecture, one library. See also engine/rt/local.mk.
noinst_LIBRARIES += libezt_engine.a
libezt_engine_a_SOURCES = \
	engine/base.h engine/err.h engine/err.c engine/arena.c engine/now.h engine/now.c engine/vec.h engine/ezt.h \
	engine/ring_abi.h engine/drain.h engine/fxt_out.h engine/fxt_in.h engine/stats.h \
	engine/sym.h engine/sym_priv.h engine/sym.c engine/sym_elf.c engine/sym_fde.c engine/sym_main.c engine/sym_plt.c engine/sym_debug.c engine/foreign.h engine/foreign.c engine/sym_bfd.c engine/sym_rows.h engine/sym_rows.c engine/sym_line.c \
	engine/sym_name.c engine/sym_part.c engine/sym_ptr.c engine/analyze.h engine/analyze_priv.h engine/analyze.c engine/window.c engine/tables.c engine/holes.c engine/names.h engine/names.c \
	engine/target.h engine/inferior.h engine/runtime.h engine/session.h engine/trace.h engine/site.h engine/probe.h engine/target.c engine/queue.c engine/program.c engine/process.c engine/original.c engine/temp_bp.c engine/modules.c engine/pt.h engine/pt.c \
	engine/stop.h engine/thread.c engine/stop.c engine/step.c engine/pump.c engine/maps.c engine/gone.c engine/objects.c engine/mem.c engine/inject.c engine/remote.c engine/rt_load.c engine/alloc.c engine/hop.c engine/trap.c \
	engine/image.c engine/rseq.c engine/site.c engine/variant.c engine/cell.c engine/frame.h engine/frame.c engine/prove.c engine/patch.c engine/pcs.c engine/probe.c engine/resolve.c engine/announce.c engine/arm.c engine/verdict.c engine/bulk.c engine/solib.c engine/jumps.c engine/unwind.c engine/syswatch.c engine/exec.c \
	engine/keep.h engine/keep_priv.h engine/keep.c engine/kept.c engine/adopt.c engine/adopt_rows.c engine/adopt_probes.c engine/restore.c engine/repair.c engine/follow.c engine/sharers.h engine/sharers.c engine/anchor.c engine/call.c engine/ifunc.c engine/sym_reloc.c engine/guard.h engine/guard.c \
	engine/life.c engine/trace.c engine/job.h engine/job.c engine/locate.c engine/look.c engine/syscalls.c engine/measure.h engine/measure.c \
	engine/cost.h engine/cost.c engine/scratch.h engine/scratch.c engine/check.h engine/check_priv.h engine/check.c engine/check_run.c engine/measure_step.c engine/why.h engine/why.c engine/textdiff.c engine/coverage.c engine/transact.c engine/busy.c \
	arch/tick.h engine/drain_priv.h engine/drain.c engine/drain_order.c engine/drain_lane.c engine/calls.h engine/calls.c engine/drain_calls.c engine/switches.h engine/switches.c engine/drain_switches.c engine/drain_trace.c \
	engine/drain_clock.c engine/clock.h engine/clock.c \
	engine/fxt_out.c engine/fxt_in.c engine/fxt_defs.h engine/fxt_defs.c engine/map.h \
	engine/map.c engine/stats.c engine/convert.h engine/convert.c \
	engine/calib.h engine/calib.c engine/fxt_repair.c engine/heap.h engine/order.h engine/order.c \
	engine/merge.h engine/merge.c engine/progress.h engine/model.h engine/model.c engine/model_priv.h \
	engine/model_pause.c engine/interp.h engine/interp.c \
	engine/interp_default.c engine/replay.h engine/replay.c engine/hist.h engine/hist.c \
	engine/conv.h engine/outfile.h engine/text.h engine/text.c engine/helper.h engine/helper.c engine/live.h engine/live.c engine/timeline.h engine/timeline.c engine/marks.h engine/marks.c \
	engine/stacks.h engine/stacks.c

# Output formats: see engine/conv.h.
libezt_engine_a_SOURCES += \
	engine/newfile.h engine/newfile.c engine/outfile.c engine/outdir.h engine/outdir.c engine/spool.h engine/spool.c \
	engine/conv_chrome.c engine/conv_csv.c engine/conv_folded.c \
	engine/conv_otf2.h engine/conv_otf2.c engine/conv_otf2_defs.c engine/conv_otf2_places.c \
	engine/conv_html.h engine/conv_html.c engine/conv_html_data.c engine/report/page.h \
	engine/conv_gtg.c engine/gtg/proto.h

# The page of `report`, inside the program.
report_parts = engine/report/page.html engine/report/page.css engine/report/page.js
EXTRA_DIST += $(report_parts)
CLEANFILES += engine/report/page.s engine/report/page.o
engine/report/page.o: $(report_parts)
	@$(MKDIR_P) engine/report
	$(AM_V_GEN){ echo '.section .rodata,"a"'; for f in html css js; do \
	  printf '.globl ez_page_%s\n.hidden ez_page_%s\nez_page_%s:\n.incbin "%s/engine/report/page.%s"\n.byte 0\n' \
	  $$f $$f $$f '$(top_srcdir)' $$f; done; echo '.section .note.GNU-stack,"",@progbits'; } \
	  > engine/report/page.s && $(CC) -c engine/report/page.s -o $@

# What a program needs that links the engine.
EZ_ENGINE_LIBS = libezt_engine.a $(OPCODES_LIBS) $(BFD_LIBS) $(FXT_LIBS) $(ZLIB_LIBS) $(OTF2_LIBS)
libezt_engine_a_LIBADD = engine/rt/blob.o engine/report/page.o
