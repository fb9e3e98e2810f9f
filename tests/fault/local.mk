# Proofs of patching and of the runtime on real processes. Each script runs programs of
# tests/targets natively and under ./eztsh and compares (tests/lib.sh).
# The targets are plain: no sanitizers, -O2 unless CFLAGS say otherwise.
fault_tests = \
	tests/fault/check_prologue.sh tests/fault/check_stacks.sh tests/fault/check_state.sh \
	tests/fault/check_window.sh tests/fault/check_threads.sh tests/fault/check_exits.sh \
	tests/fault/check_results.sh tests/fault/check_text.sh tests/fault/check_programs.sh \
	tests/fault/check_clock.sh tests/fault/check_crowd.sh \
	tests/fault/check_budget.sh tests/fault/check_strategy.sh tests/fault/check_coverage.sh \
	tests/fault/check_gdb.sh tests/fault/check_faults.sh \
	tests/fault/check_cycles.sh tests/fault/check_walkers.sh tests/fault/check_compilers.sh \
	tests/fault/check_labels.sh tests/fault/check_rseq.sh
TESTS += $(fault_tests)
dist_check_SCRIPTS += $(fault_tests)
EXTRA_DIST += tests/env.sh tests/lib.sh tests/targets/interp.c tests/targets/rseq.c tests/targets/faultpc.c

target_cflags = -std=gnu11 -O2 -g -pthread $(EZ_CFLAGS)
target_cxxflags = -std=c++17 -O2 -g -pthread $(EZ_CFLAGS)
target_ldflags = -pthread

check_PROGRAMS += \
	tests/targets/prologue tests/targets/throws tests/targets/throws_static \
	tests/targets/longjmps tests/targets/altstack tests/targets/regs tests/targets/errn \
	tests/targets/window tests/targets/births tests/targets/exits \
	tests/targets/md tests/targets/textdiff tests/targets/spin tests/targets/crowd \
	tests/targets/smallstack

tests_targets_prologue_SOURCES = \
	tests/targets/prologue.c tests/targets/prologue.S tests/targets/target.h
tests_targets_prologue_CFLAGS = $(target_cflags)
tests_targets_prologue_LDFLAGS = $(target_ldflags)
tests_targets_throws_SOURCES = tests/targets/throws.cc
tests_targets_throws_CXXFLAGS = $(target_cxxflags)
tests_targets_throws_LDFLAGS = $(target_ldflags)
tests_targets_throws_static_SOURCES = tests/targets/throws.cc
tests_targets_throws_static_CXXFLAGS = $(target_cxxflags)
tests_targets_throws_static_LDFLAGS = $(target_ldflags) -static
tests_targets_longjmps_SOURCES = tests/targets/longjmps.c
tests_targets_longjmps_CFLAGS = $(target_cflags)
tests_targets_longjmps_LDFLAGS = $(target_ldflags)
tests_targets_altstack_SOURCES = tests/targets/altstack.c
tests_targets_altstack_CFLAGS = $(target_cflags)
tests_targets_altstack_LDFLAGS = $(target_ldflags)
tests_targets_regs_SOURCES = tests/targets/regs.c tests/targets/regs.S
tests_targets_regs_CFLAGS = $(target_cflags)
tests_targets_regs_LDFLAGS = $(target_ldflags)
tests_targets_errn_SOURCES = tests/targets/errn.c
tests_targets_errn_CFLAGS = $(target_cflags) -frounding-math
tests_targets_errn_LDFLAGS = $(target_ldflags)
tests_targets_errn_LDADD = -lm
tests_targets_window_SOURCES = tests/targets/window.c tests/targets/window.S
tests_targets_window_CFLAGS = $(target_cflags)
tests_targets_window_LDFLAGS = $(target_ldflags)
tests_targets_births_SOURCES = tests/targets/births.c
tests_targets_births_CFLAGS = $(target_cflags)
tests_targets_births_LDFLAGS = $(target_ldflags)
tests_targets_exits_SOURCES = tests/targets/exits.cc tests/targets/exits.S
tests_targets_exits_CXXFLAGS = $(target_cxxflags)
tests_targets_exits_LDFLAGS = $(target_ldflags)
tests_targets_md_SOURCES = tests/targets/md.c
tests_targets_md_CFLAGS = $(target_cflags)
tests_targets_md_LDFLAGS = $(target_ldflags)
tests_targets_md_LDADD = -lm
tests_targets_spin_SOURCES = tests/targets/spin.c tests/targets/target.h
tests_targets_spin_CFLAGS = $(target_cflags)
tests_targets_spin_LDFLAGS = $(target_ldflags)
check_PROGRAMS += tests/targets/deep tests/targets/deep_static
tests_targets_deep_SOURCES = tests/targets/deep.c tests/targets/target.h
tests_targets_deep_CFLAGS = $(target_cflags)
tests_targets_deep_LDFLAGS = $(target_ldflags)
tests_targets_deep_static_SOURCES = tests/targets/deep.c
tests_targets_deep_static_CFLAGS = $(target_cflags)
tests_targets_deep_static_LDFLAGS = $(target_ldflags) -static
check_PROGRAMS += tests/targets/walker
tests_targets_walker_SOURCES = tests/targets/walker.c tests/targets/target.h
tests_targets_walker_CFLAGS = $(target_cflags)
tests_targets_walker_LDFLAGS = $(target_ldflags)
check_PROGRAMS += tests/targets/faults
tests_targets_faults_SOURCES = tests/targets/faults.c tests/targets/target.h
tests_targets_faults_CFLAGS = $(target_cflags)
tests_targets_faults_LDFLAGS = $(target_ldflags)
tests_targets_textdiff_SOURCES = tests/targets/textdiff.c
tests_targets_textdiff_CFLAGS = $(target_cflags)
tests_targets_textdiff_LDFLAGS = $(target_ldflags)
tests_targets_crowd_SOURCES = tests/targets/crowd.c tests/targets/target.h
tests_targets_crowd_CFLAGS = $(target_cflags)
tests_targets_crowd_LDFLAGS = $(target_ldflags)
tests_targets_smallstack_SOURCES = tests/targets/smallstack.c tests/targets/target.h
tests_targets_smallstack_CFLAGS = $(target_cflags)
tests_targets_smallstack_LDFLAGS = $(target_ldflags)
