# Processes: what happens around fork, exec, kill, attach. See tests/procs/lib.sh.
procs_targets = tests/targets/p_app tests/targets/p_loop tests/targets/p_fork \
	tests/targets/p_sleep tests/targets/p_sec tests/targets/p_dl tests/targets/p_keep \
	tests/targets/p_follow tests/targets/p_reach tests/targets/p_unwind
check_PROGRAMS += $(procs_targets) tests/targets/libp.so

procs_cflags = -std=gnu11 -O2 -g -fcf-protection=none
procs_ldflags = -Wl,-rpath,'$$ORIGIN'
tests_targets_libp_so_SOURCES = tests/targets/p_lib.c tests/targets/p_lib.h tests/targets/keep.h
tests_targets_libp_so_CFLAGS = $(procs_cflags) -fPIC
tests_targets_libp_so_LDFLAGS = -shared -Wl,-soname,libp.so
tests_targets_p_app_SOURCES = tests/targets/p_app.c tests/targets/p_lib.h
tests_targets_p_app_CFLAGS = $(procs_cflags)
tests_targets_p_app_LDFLAGS = $(procs_ldflags)
tests_targets_p_app_LDADD = tests/targets/libp.so
tests_targets_p_loop_SOURCES = tests/targets/p_loop.c
tests_targets_p_loop_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_loop_LDFLAGS = -pthread
tests_targets_p_fork_SOURCES = tests/targets/p_fork.c
tests_targets_p_fork_CFLAGS = $(procs_cflags)
tests_targets_p_fork_LDFLAGS =
tests_targets_p_sleep_SOURCES = tests/targets/p_sleep.c
tests_targets_p_sleep_CFLAGS = $(procs_cflags)
tests_targets_p_sleep_LDFLAGS =
tests_targets_p_sec_SOURCES = tests/targets/p_sec.c
tests_targets_p_sec_CFLAGS = $(procs_cflags)
tests_targets_p_sec_LDFLAGS =
tests_targets_p_dl_SOURCES = tests/targets/p_dl.c
tests_targets_p_dl_CFLAGS = $(procs_cflags)
tests_targets_p_dl_LDFLAGS =
tests_targets_p_dl_LDADD = -ldl

tests_targets_p_follow_SOURCES = tests/targets/p_follow.c
tests_targets_p_follow_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_follow_LDFLAGS = -pthread
tests_targets_p_keep_SOURCES = tests/targets/p_keep.c
tests_targets_p_keep_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_keep_LDFLAGS = -pthread
tests_targets_p_keep_LDADD = -ldl
tests_targets_p_reach_SOURCES = tests/targets/p_reach.c tests/targets/prologue.S
tests_targets_p_reach_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_reach_LDFLAGS = -pthread
tests_targets_p_unwind_SOURCES = tests/targets/p_unwind.cc
tests_targets_p_unwind_CXXFLAGS = -std=c++17 -O2 -g -pthread
tests_targets_p_unwind_LDFLAGS = -pthread

EXTRA_DIST += tests/procs/lib.sh tests/procs/sweep.py
procs_scripts = tests/procs/attach.sh tests/procs/fork.sh tests/procs/killed.sh \
	tests/procs/libs.sh tests/procs/life.sh tests/procs/names.sh \
	tests/procs/sleep.sh tests/procs/check.sh tests/procs/cost.sh tests/procs/stripped.sh tests/procs/sweep.sh tests/procs/why.sh tests/procs/clock.sh tests/procs/keep.sh tests/procs/reach.sh tests/procs/follow.sh tests/procs/full.sh tests/procs/unwind.sh
TESTS += $(procs_scripts)
dist_check_SCRIPTS += $(procs_scripts)

# Too long for every day: each single call of ptrace fails once, in three ways; 200 times
# planted and removed on 32 busy threads; the fuzzers on more inputs.
.PHONY: stress
stress: all
	$(MAKE) check TESTS=
	EZT_SWEEP=0 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/sweep.sh
	EZT_CYCLES=200 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/fault/check_cycles.sh
	$(MAKE) check TESTS='$(fuzzers)' EZT_FUZZ_RUNS=200000
