# The test suite. Check programs per layer, then scripts that drive eztsh on real
# processes; a script prints a line "ok - ", "not ok - " or "skip - " per case.
# Deadlines are for what hangs: ten times what a machine with nothing else to do needs.
AM_TESTS_ENVIRONMENT = CK_TIMEOUT_MULTIPLIER=10; export CK_TIMEOUT_MULTIPLIER; \
	EZTSH='$(abs_top_builddir)/eztsh'; export EZTSH; \
	EZT_GTG='$(abs_top_builddir)/ezt-gtg'; export EZT_GTG; \
	CC='$(CC)'; export CC; CXX='$(CXX)'; export CXX; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir;
LOG_COMPILER = $(SHELL) $(srcdir)/tests/timed.sh
TESTS += tests/check_layers.sh tests/check_tree.sh tests/check_wording.sh
dist_check_SCRIPTS += tests/check_layers.sh tests/check_tree.sh tests/check_wording.sh
EXTRA_DIST += tests/unit/suite.h tests/unit/many.h tests/unit/tool.h tests/unit/leaks.h tests/bare.sh tests/timed.sh tests/messages.py tests/wording.py tests/mutate.py
include $(srcdir)/tests/unit/arch/local.mk
include $(srcdir)/tests/unit/engine/sym.mk
include $(srcdir)/tests/unit/engine/trace.mk
include $(srcdir)/tests/unit/engine/keep.mk
include $(srcdir)/tests/unit/shell/local.mk
include $(srcdir)/tests/unit/modules/local.mk
include $(srcdir)/tests/unit/jobs/local.mk
include $(srcdir)/tests/measure.mk
include $(srcdir)/tests/bench/local.mk
include $(srcdir)/tests/fault/local.mk
include $(srcdir)/tests/procs/local.mk
include $(srcdir)/tests/source/local.mk
include $(srcdir)/tests/e2e/local.mk
include $(srcdir)/tests/trace/local.mk
include $(srcdir)/tests/fuzz/local.mk
include $(srcdir)/tests/arm64/local.mk

# Each layer's own tests and the sessions, in less than a minute (make -j2 check-quick), and the
# tests that ALSO names.
# The longest begin first, or one of them would run alone at the end.
LONG_TESTS = tests/check_read$(EXEEXT) tests/check_two$(EXEEXT) tests/check_convert_out$(EXEEXT) \
	check_long$(EXEEXT) tests/check_formats$(EXEEXT) tests/check_adopt$(EXEEXT) tests/check_chunks$(EXEEXT)
.PHONY: check-quick check-sanitizers
# Sessions under AddressSanitizer, LeakSanitizer and UBSan, in a build that was configured with --enable-sanitizers.
# A report of any eztsh fails, also where the script that began it does not look at its status.
sanitized = tests/e2e/run.sh tests/procs/moving.sh tests/procs/values.sh tests/procs/unread.sh tests/procs/life.sh tests/procs/mutants.sh
check-sanitizers: all
	@case '$(SAN_FLAGS)' in *address*) ;; *) echo 'It needs configure --enable-sanitizers.'; exit 1 ;; esac
	rm -rf sanitizers && mkdir sanitizers
	ASAN_OPTIONS="detect_leaks=1:log_path=$$PWD/sanitizers/report" \
	UBSAN_OPTIONS="print_stacktrace=1:log_path=$$PWD/sanitizers/report" \
	LSAN_OPTIONS="log_path=$$PWD/sanitizers/report" $(MAKE) check TESTS='$(sanitized)'; \
	status=$$?; cat sanitizers/* 2>/dev/null && status=1; exit $$status
check-quick: all
	quick='tests/check_layers.sh tests/check_wording.sh tests/e2e/run.sh $(LONG_TESTS) tests/unit/shell/check_man.sh tests/unit/shell/check_batch.sh'; \
	for t in $(TESTS); do \
	  case $$t in *.sh | tests/fuzz/*) continue ;; esac; \
	  case " $$quick " in *" $$t "*) ;; *) quick="$$quick $$t" ;; esac; \
	done; \
	$(MAKE) check TESTS="$$quick $(ALSO)"
