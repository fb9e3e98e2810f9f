# The test suite: unit programs (tests/unit/ROOM), fuzzers, and scripts that drive eztsh on the programs of
# tests/targets; a script prints a line "ok - ", "not ok - " or "skip - " for each case.
# Deadlines are for what hangs: ten times what a machine with nothing else to do needs.
AM_TESTS_ENVIRONMENT = CK_TIMEOUT_MULTIPLIER=10; export CK_TIMEOUT_MULTIPLIER; \
	EZTSH='$(abs_top_builddir)/eztsh'; export EZTSH; \
	EZT_GTG='$(abs_top_builddir)/ezt-gtg'; export EZT_GTG; \
	CC='$(CC)'; export CC; CXX='$(CXX)'; export CXX; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir;
LOG_COMPILER = $(SHELL) $(srcdir)/tests/timed.sh
long_scripts = \
	tests/arm64/run.sh tests/arm64/boot.sh tests/procs/sweep.sh tests/source/programs.sh tests/source/dwarf.sh \
	tests/procs/job_faults.sh tests/procs/reach.sh tests/source/snippets.sh tests/source/apis.sh \
	tests/procs/mpi.sh tests/fault/check_exits.sh tests/trace/formats.sh tests/procs/moving.sh \
	tests/procs/job_codes.sh tests/procs/job_mpi.sh tests/procs/offer.sh tests/procs/pages.sh \
	tests/procs/openmp.sh tests/procs/split.sh tests/procs/modules.sh tests/procs/agree.sh \
	tests/fault/check_strategy.sh tests/e2e/howto.sh
scripts = \
	tests/check_layers.sh tests/check_tree.sh tests/check_wording.sh tests/e2e/install.sh \
	tests/e2e/pictures.sh tests/e2e/readme.sh tests/e2e/run.sh tests/fault/check_budget.sh \
	tests/fault/check_clock.sh tests/fault/check_compilers.sh tests/fault/check_coverage.sh \
	tests/fault/check_crowd.sh tests/fault/check_cycles.sh tests/fault/check_faults.sh tests/fault/check_gdb.sh \
	tests/fault/check_labels.sh tests/fault/check_programs.sh tests/fault/check_prologue.sh \
	tests/fault/check_results.sh tests/fault/check_rseq.sh tests/fault/check_stacks.sh \
	tests/fault/check_state.sh tests/fault/check_text.sh tests/fault/check_threads.sh \
	tests/fault/check_walkers.sh tests/fault/check_window.sh tests/measure/check_measure.sh \
	tests/measure/check_papers.sh tests/procs/addup.sh tests/procs/again.sh tests/procs/attach.sh \
	tests/procs/bisect.sh tests/procs/breaks.sh tests/procs/bt.sh tests/procs/budget.sh tests/procs/called.sh \
	tests/procs/calls.sh tests/procs/catch.sh tests/procs/check.sh tests/procs/classes.sh tests/procs/clock.sh \
	tests/procs/compiled.sh tests/procs/compress.sh tests/procs/copies.sh tests/procs/core.sh tests/procs/corefile.sh \
	tests/procs/cost.sh tests/procs/counts.sh tests/procs/data.sh tests/procs/denied.sh tests/procs/dprintf.sh \
	tests/procs/draw.sh tests/procs/examples.sh tests/procs/explain.sh tests/procs/eztrace.sh \
	tests/procs/film.sh tests/procs/filters.sh tests/procs/follow.sh tests/procs/forbidden.sh \
	tests/procs/foreign.sh tests/procs/fork.sh tests/procs/forms.sh tests/procs/fortran.sh tests/procs/full.sh \
	tests/procs/gdb.sh tests/procs/gdb_lines.sh tests/procs/gdb_words.sh tests/procs/hand.sh \
	tests/procs/handle.sh tests/procs/hiding.sh tests/procs/hostile.sh tests/procs/howto_module.sh \
	tests/procs/ifunc.sh tests/procs/images.sh tests/procs/index.sh tests/procs/inlined.sh tests/procs/interp.sh \
	tests/procs/job_hosts.sh tests/procs/job_srun.sh tests/procs/job_windows.sh tests/procs/jobs.sh \
	tests/procs/json.sh tests/procs/keep.sh tests/procs/killed.sh tests/procs/kills.sh tests/procs/kinds.sh \
	tests/procs/leaves.sh tests/procs/left.sh tests/procs/lessons.sh tests/procs/libs.sh tests/procs/life.sh \
	tests/procs/lines.sh tests/procs/linkers.sh tests/procs/locks.sh tests/procs/machine.sh \
	tests/procs/macros.sh tests/procs/manners.sh tests/procs/many.sh tests/procs/module.sh \
	tests/procs/mutants.sh tests/procs/names.sh tests/procs/operands.sh tests/procs/operators.sh \
	tests/procs/otf2.sh tests/procs/papi.sh tests/procs/parts.sh tests/procs/place.sh tests/procs/pretty.sh \
	tests/procs/print.sh tests/procs/ranks.sh tests/procs/real.sh tests/procs/rebuilt.sh tests/procs/record.sh \
	tests/procs/regs.sh tests/procs/replace.sh tests/procs/rust.sh tests/procs/save.sh tests/procs/scopes.sh \
	tests/procs/python.sh tests/procs/score.sh tests/procs/scribble.sh tests/procs/security.sh tests/procs/session.sh \
	tests/procs/shapes.sh tests/procs/sharers.sh tests/procs/signals.sh tests/procs/sleep.sh \
	tests/procs/snapshot.sh tests/procs/sources.sh tests/procs/spec.sh tests/procs/storm.sh \
	tests/procs/stripped.sh tests/procs/sums.sh tests/procs/switches.sh tests/procs/synthetic.sh \
	tests/procs/tls.sh tests/procs/tracepoints.sh tests/procs/traps.sh tests/procs/tree.sh \
	tests/procs/triggers.sh tests/procs/types.sh tests/procs/unread.sh tests/procs/unwind.sh tests/procs/usdt.sh \
	tests/procs/values.sh tests/procs/waits.sh tests/procs/why.sh tests/procs/wide.sh tests/source/both.sh \
	tests/source/command.sh tests/source/inside.sh tests/source/lapack.sh tests/source/mpi.sh tests/source/names.sh \
	tests/source/places.sh tests/source/types.sh tests/source/wrapper.sh tests/trace/analyze.sh \
	tests/trace/answers.sh tests/trace/compare.sh tests/trace/ctf.sh tests/trace/interrupt.sh \
	tests/trace/questions.sh tests/trace/readers.sh tests/trace/report.sh tests/trace/screen.sh \
	tests/trace/speedscope.sh tests/trace/uftrace.sh tests/trace/vite.sh tests/unit/modules/check_modc.sh \
	tests/unit/shell/check_batch.sh tests/unit/shell/check_completion.sh tests/unit/shell/check_front.sh \
	tests/unit/shell/check_man.sh
# The longest begin first, or one of them would run alone at the end.
TESTS += $(long_scripts) $(scripts)

# Another processor, under qemu: skipped where the cross compiler, qemu or its libraries are
# missing (tests/arm64/sysroot.sh). boot.sh runs the eztsh that run.sh builds.
AM_TESTS_ENVIRONMENT += EZT_ARM64_BUILD='$(abs_top_builddir)/tests/arm64/cross'; export EZT_ARM64_BUILD;
# (by a variable: automake has a rule of its own for this log)
ez_boot_log = tests/arm64/boot.sh.log
$(ez_boot_log): tests/arm64/run.sh.log
clean-arm64:
	rm -rf tests/arm64/cross
clean-local: clean-arm64
.PHONY: clean-arm64

check_PROGRAMS += tests/trace/hostile tests/trace/otf2_check tests/trace/pauses
tests_trace_otf2_check_LDADD = $(EZ_ENGINE_LIBS)
tests_trace_pauses_LDADD = $(EZ_ENGINE_LIBS)
tests_trace_hostile_LDADD = $(EZ_ENGINE_LIBS)

include $(srcdir)/tests/unit/local.mk
include $(srcdir)/tests/targets/local.mk
include $(srcdir)/tests/fuzz/local.mk
include $(srcdir)/tests/bench/local.mk

# The tarball has every file of tests/ but what a build makes there.
dist-hook: dist-tests
dist-tests:
	(cd $(srcdir) && find tests -type f -name '*.*' $(not_of_tests) | tar -cf - -T -) | tar -xf - -C $(distdir)
not_of_tests = ! -name '*.o' ! -name '*.so' ! -name '*.log' ! -name '*.trs' ! -name '*.P?' ! -name '*.py?' \
	! -name .dirstamp
.PHONY: dist-tests

# Each layer's own tests and the sessions, in less than a minute (make -j2 check-quick), and the
# tests that ALSO names.
# The longest begin first, or one of them would run alone at the end.
LONG_TESTS = tests/unit/trace/check_read tests/unit/inferior/check_two tests/unit/format/check_convert_out \
	tests/unit/shell/check_long tests/unit/format/check_formats tests/unit/process/check_adopt \
	tests/unit/rt/check_chunks
.PHONY: check-quick check-sanitizers
# Sessions and unit tests under AddressSanitizer and UBSan, in a build that was configured with --enable-sanitizers.
# In sessions LeakSanitizer's reports count, too, and a report of ASan or LSan fails also where the script that began the
# shell does not look at its status; gcc's UBSan has no log beside ASan, but ends the shell. Some unit tests are not run:
# those whose target is a child of the test program, because ASan handles its SIGSEGV and has mappings and references of
# its own; one in which seccomp forbids what ASan calls; and one in which recorded addresses are random.
sanitized = tests/e2e/run.sh tests/procs/moving.sh tests/procs/values.sh tests/procs/unread.sh tests/procs/life.sh tests/procs/mutants.sh
unsanitized = $(patsubst %,tests/unit/%,inferior/check_called inferior/check_inject inferior/check_places inferior/check_stuck \
	patch/check_refer base/check_foreign rt/check_code_adds)
check-sanitizers: all
	@case '$(SAN_FLAGS)' in *address*) ;; *) echo 'It needs configure --enable-sanitizers.'; exit 1 ;; esac
	rm -rf sanitizers && mkdir sanitizers
	export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1; \
	ASAN_OPTIONS="detect_leaks=1:log_path=$$PWD/sanitizers/report" LSAN_OPTIONS="log_path=$$PWD/sanitizers/report" \
	  $(MAKE) check TESTS='$(sanitized)'; \
	status=$$?; cat sanitizers/* 2>/dev/null && status=1; \
	ASAN_OPTIONS=detect_leaks=0 $(MAKE) check TESTS='$(filter-out $(unsanitized),$(unit_tests))' || status=1; exit $$status
check-quick: all
	quick='tests/check_layers.sh tests/check_wording.sh tests/e2e/run.sh $(LONG_TESTS) tests/unit/shell/check_man.sh tests/unit/shell/check_batch.sh tests/unit/shell/check_front.sh'; \
	for t in $(TESTS); do \
	  case $$t in *.sh | tests/fuzz/*) continue ;; esac; \
	  case " $$quick " in *" $$t "*) ;; *) quick="$$quick $$t" ;; esac; \
	done; \
	$(MAKE) check TESTS="$$quick $(ALSO)"

# Clang's static analyser on the product's files, whether they are built or not (tests/analyze.sh); not on those that
# protoc-c writes.
.PHONY: analyze
analyze: $(BUILT_SOURCES)
	@top_srcdir='$(top_srcdir)' RT_FLAGS='$(RT_CPPFLAGS) $(filter-out $(RT_LOOPS),$(RT_CFLAGS))' $(SHELL) $(srcdir)/tests/analyze.sh \
	  $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -- $(analyzed)
analyzed = $(sort $(filter-out %.pb-c.c,$(filter shell/%.c cmds/%.c engine/%.c arch/%.c modules/%.c,$(SOURCES))) \
	$(filter engine/rt/%.c,$(EXTRA_DIST)))

# Too long for every day: each single call of ptrace fails once, in three ways; 200 times
# planted and removed on 32 busy threads; 2,000 shells killed, whatever they do, and 500 while they write over page ends;
# LAPACK with all of its tests; the fuzzers on more inputs; with EZT_UFTRACE_TESTS, uftrace's own test programs.
.PHONY: stress
stress: all
	$(MAKE) check TESTS=
	EZT_SWEEP=0 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/sweep.sh
	EZT_STORM=500 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/storm.sh
	EZT_KILLS=1000 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/kills.sh
	EZT_KILLS=500 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/pages.sh
	EZT_CYCLES=200 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/fault/check_cycles.sh
	EZT_AGAIN=1000 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/again.sh
	CC='$(CC)' CXX='$(CXX)' EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/trace/uftrace.sh
	EZT_STEPS=all EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/fault/check_exits.sh
	for t in fault/check_coverage fault/check_exits fault/check_labels procs/agree procs/reach procs/scribble; do \
	  EZT_LONG=1 CC='$(CC)' CXX='$(CXX)' EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/$$t.sh || exit; done
	for t in codes mpi; do EZT_RANKS=16 EZT_WIDE=64 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/job_$$t.sh || exit; done
	EZT_LAPACK=all EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/source/lapack.sh
	$(MAKE) check TESTS='$(fuzzers)' EZT_FUZZ_RUNS=200000
