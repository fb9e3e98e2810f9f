# Processes: what happens around fork, exec, kill, attach. See tests/procs/lib.sh.
procs_targets = tests/targets/p_app tests/targets/p_loop tests/targets/p_fork \
	tests/targets/p_sleep tests/targets/p_flags tests/targets/p_forge tests/targets/p_sec tests/targets/p_dl tests/targets/p_keep \
	tests/targets/p_follow tests/targets/p_tree tests/targets/p_reach tests/targets/p_unwind tests/targets/p_timed tests/targets/p_left tests/targets/p_left_chk \
	tests/targets/p_storm tests/targets/p_why tests/targets/p_ifunc tests/targets/p_pages tests/targets/p_vm \
	tests/targets/p_place tests/targets/p_switches tests/targets/p_many tests/targets/p_counts tests/targets/p_mask tests/targets/p_names tests/targets/p_replaced tests/targets/p_regs tests/targets/p_module tests/targets/p_static \
	tests/targets/p_memory tests/targets/p_io tests/targets/p_lock tests/targets/p_counters tests/targets/p_papi tests/targets/p_data tests/targets/p_filter tests/targets/p_budget tests/targets/p_refer
check_PROGRAMS += $(procs_targets) tests/targets/libp.so tests/targets/libreplace.so tests/targets/fake_papi.so \
	tests/targets/m_count.so tests/targets/m_guard.so tests/targets/m_bad.so tests/targets/m_needs.so tests/targets/m_gpu.so tests/targets/m_gpu-interp.so

procs_cflags = -std=gnu11 -O2 -g -fcf-protection=none
procs_ldflags = -Wl,-rpath,'$$ORIGIN'
tests_targets_libp_so_SOURCES = tests/targets/p_lib.c tests/targets/p_lib.h tests/targets/keep.h
tests_targets_libp_so_CFLAGS = $(procs_cflags) -fPIC
tests_targets_libp_so_LDFLAGS = -shared -Wl,-soname,libp.so
tests_targets_libreplace_so_SOURCES = tests/targets/p_replace.c tests/targets/p_replaced.h
tests_targets_libreplace_so_CFLAGS = $(procs_cflags) -fPIC -fexceptions
tests_targets_libreplace_so_LDFLAGS = -shared -Wl,-soname,libreplace.so
tests_targets_m_count_so_SOURCES = tests/targets/m_count.c modules/ezt_probe.h
tests_targets_m_count_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_count_so_LDFLAGS = -shared
tests_targets_m_guard_so_SOURCES = tests/targets/m_guard.c modules/ezt_probe.h
tests_targets_m_guard_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_guard_so_LDFLAGS = -shared
tests_targets_m_bad_so_SOURCES = tests/targets/m_bad.c modules/ezt_probe.h
tests_targets_m_bad_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_bad_so_LDFLAGS = -shared
tests_targets_m_gpu_so_SOURCES = tests/targets/m_gpu.c modules/ezt_probe.h
tests_targets_m_gpu_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_gpu_so_LDFLAGS = -shared
tests_targets_m_gpu_interp_so_SOURCES = tests/targets/m_gpu-interp.c modules/ezt_interp.h
tests_targets_m_gpu_interp_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_gpu_interp_so_LDFLAGS = -shared
tests_targets_m_needs_so_SOURCES = tests/targets/m_needs.c modules/ezt_probe.h
tests_targets_m_needs_so_CFLAGS = $(procs_cflags) -fPIC -fvisibility=hidden -I$(top_srcdir)/modules
tests_targets_m_needs_so_LDFLAGS = -shared
tests_targets_p_module_SOURCES = tests/targets/p_module.c tests/targets/keep.h
tests_targets_p_module_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_module_LDFLAGS = -pthread -rdynamic
tests_targets_p_module_LDADD = -ldl
tests_targets_fake_papi_so_SOURCES = tests/targets/fake_papi.c
tests_targets_fake_papi_so_CFLAGS = $(procs_cflags) -fPIC
tests_targets_fake_papi_so_LDFLAGS = -shared -pthread
tests_targets_fake_papi_so_LDADD = -ldl
tests_targets_p_papi_SOURCES = tests/targets/p_papi.c
tests_targets_p_papi_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_papi_LDFLAGS = -pthread -rdynamic
tests_targets_p_counters_SOURCES = tests/targets/p_counters.c
tests_targets_p_counters_CFLAGS = $(procs_cflags)
tests_targets_p_memory_SOURCES = tests/targets/p_memory.c
tests_targets_p_memory_CFLAGS = $(procs_cflags) -fno-builtin -pthread
tests_targets_p_memory_LDFLAGS = -pthread
tests_targets_p_io_SOURCES = tests/targets/p_io.c
tests_targets_p_io_CFLAGS = $(procs_cflags) -Wno-unused-result -U_FORTIFY_SOURCE -pthread
tests_targets_p_io_LDFLAGS = -pthread
tests_targets_p_lock_SOURCES = tests/targets/p_lock.c
tests_targets_p_lock_CFLAGS = $(procs_cflags) -Wno-unused-result -pthread
tests_targets_p_lock_LDFLAGS = -pthread
tests_targets_p_static_SOURCES = tests/targets/p_replaced.cc tests/targets/p_replaced.h
tests_targets_p_static_LDFLAGS = -static
tests_targets_p_regs_SOURCES = tests/targets/p_regs.c
tests_targets_p_regs_CFLAGS = $(procs_cflags)
tests_targets_p_regs_LDFLAGS =
tests_targets_p_replaced_SOURCES = tests/targets/p_replaced.cc tests/targets/p_replaced.h
tests_targets_p_replaced_CXXFLAGS = -O2 -g -fcf-protection=none
tests_targets_p_replaced_LDFLAGS =
tests_targets_p_app_SOURCES = tests/targets/p_app.c tests/targets/p_lib.h
tests_targets_p_app_CFLAGS = $(procs_cflags)
tests_targets_p_app_LDFLAGS = $(procs_ldflags)
tests_targets_p_app_LDADD = tests/targets/libp.so
tests_targets_p_refer_SOURCES = tests/targets/p_refer.c tests/targets/keep.h
tests_targets_p_refer_CFLAGS = $(procs_cflags) -fno-omit-frame-pointer
tests_targets_p_refer_LDFLAGS =
tests_targets_p_loop_SOURCES = tests/targets/p_loop.c
tests_targets_p_loop_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_loop_LDFLAGS = -pthread
tests_targets_p_fork_SOURCES = tests/targets/p_fork.c
tests_targets_p_fork_CFLAGS = $(procs_cflags)
tests_targets_p_fork_LDFLAGS =
tests_targets_p_flags_SOURCES = tests/targets/p_flags.c
tests_targets_p_flags_CFLAGS = $(procs_cflags)
tests_targets_p_flags_LDFLAGS =

tests_targets_p_sleep_SOURCES = tests/targets/p_sleep.c
tests_targets_p_sleep_CFLAGS = $(procs_cflags)
tests_targets_p_sleep_LDFLAGS =
tests_targets_p_forge_SOURCES = tests/targets/p_forge.c
tests_targets_p_forge_CFLAGS = $(procs_cflags)
tests_targets_p_forge_LDFLAGS =
tests_targets_p_sec_SOURCES = tests/targets/p_sec.c
tests_targets_p_sec_CFLAGS = $(procs_cflags)
tests_targets_p_sec_LDFLAGS =
tests_targets_p_dl_SOURCES = tests/targets/p_dl.c
tests_targets_p_dl_CFLAGS = $(procs_cflags)
tests_targets_p_dl_LDFLAGS =
tests_targets_p_dl_LDADD = -ldl

tests_targets_p_tree_SOURCES = tests/targets/p_tree.c tests/targets/keep.h
tests_targets_p_tree_CFLAGS = $(procs_cflags) -D_GNU_SOURCE -pthread
tests_targets_p_tree_LDFLAGS = -pthread
tests_targets_p_follow_SOURCES = tests/targets/p_follow.c
tests_targets_p_follow_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_follow_LDFLAGS = -pthread
tests_targets_p_ifunc_SOURCES = tests/targets/p_ifunc.c
tests_targets_p_ifunc_CFLAGS = $(procs_cflags)
tests_targets_p_ifunc_LDFLAGS =
tests_targets_p_ifunc_LDADD = -ldl
tests_targets_p_keep_SOURCES = tests/targets/p_keep.c
tests_targets_p_keep_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_keep_LDFLAGS = -pthread
tests_targets_p_keep_LDADD = -ldl
tests_targets_p_counts_SOURCES = tests/targets/p_counts.c tests/targets/keep.h
tests_targets_p_counts_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_counts_LDFLAGS = -pthread
tests_targets_p_mask_SOURCES = tests/targets/p_mask.c
tests_targets_p_mask_CFLAGS = $(procs_cflags)
tests_targets_p_mask_LDFLAGS =
tests_targets_p_names_SOURCES = tests/targets/p_names.c tests/targets/keep.h
tests_targets_p_names_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_names_LDFLAGS = -pthread
tests_targets_p_vm_SOURCES = tests/targets/p_vm.c
tests_targets_p_vm_CFLAGS = $(procs_cflags)
tests_targets_p_vm_LDFLAGS =
tests_targets_p_why_SOURCES = tests/targets/p_why.S
tests_targets_p_many_SOURCES = tests/targets/p_many.S
tests_targets_p_pages_SOURCES = tests/targets/p_pages.c tests/targets/p_pages.S
tests_targets_p_pages_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_pages_LDFLAGS = -pthread
tests_targets_p_place_SOURCES = tests/targets/p_place.c tests/targets/keep.h
tests_targets_p_place_CFLAGS = $(procs_cflags)
tests_targets_p_place_LDFLAGS = -Wl,-z,max-page-size=0x200000
tests_targets_p_reach_SOURCES = tests/targets/p_reach.c tests/targets/prologue.S
tests_targets_p_reach_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_reach_LDFLAGS = -pthread
tests_targets_p_storm_SOURCES = tests/targets/p_storm.c
tests_targets_p_storm_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_storm_LDFLAGS = -pthread
tests_targets_p_timed_SOURCES = tests/targets/p_timed.cc
tests_targets_p_timed_CXXFLAGS = -std=c++17 -O2 -g -fno-ipa-ra -pthread
tests_targets_p_timed_LDFLAGS = -pthread
tests_targets_p_unwind_SOURCES = tests/targets/p_unwind.cc
tests_targets_p_unwind_CXXFLAGS = -std=c++17 -O2 -g -pthread
tests_targets_p_unwind_LDFLAGS = -pthread
tests_targets_p_switches_SOURCES = tests/targets/p_switches.c
tests_targets_p_switches_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_switches_LDFLAGS = -pthread
tests_targets_p_data_SOURCES = tests/targets/p_data.c
tests_targets_p_data_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_data_LDFLAGS = -pthread
tests_targets_p_budget_SOURCES = tests/targets/p_budget.c
tests_targets_p_budget_CFLAGS = $(procs_cflags)
tests_targets_p_filter_SOURCES = tests/targets/p_filter.c
tests_targets_p_filter_CFLAGS = $(procs_cflags) -pthread
tests_targets_p_filter_LDFLAGS = -pthread
tests_targets_p_left_SOURCES = tests/targets/p_left.cc
tests_targets_p_left_CXXFLAGS = -std=c++17 -O2 -g -U_FORTIFY_SOURCE -pthread
tests_targets_p_left_LDFLAGS = -pthread
tests_targets_p_left_chk_SOURCES = tests/targets/p_left.cc
tests_targets_p_left_chk_CXXFLAGS = -std=c++17 -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -pthread
tests_targets_p_left_chk_LDFLAGS = -pthread

EXTRA_DIST += tests/cluster.sh tests/procs/agree.py tests/targets/agree.c tests/targets/agree.cc tests/targets/agree.f90 tests/targets/agree.rs tests/targets/t_types.cc tests/targets/t_types.f90 tests/procs/gdb_types.py tests/procs/print.py tests/procs/gdb_changes.py tests/targets/t_forms.c tests/targets/t_forms_lib.c tests/procs/forms_frames.asks tests/procs/forms_x.asks tests/procs/forms_list.asks tests/procs/forms_disassemble.asks tests/procs/forms_regs.asks tests/procs/forms_wide.asks tests/targets/t_wide.cc tests/procs/compiled.py tests/procs/gdb_lines.py tests/procs/gdb_lines.txt tests/procs/calls_c.exprs tests/procs/calls_cc.exprs tests/targets/t_calls.c tests/targets/t_calls.cc tests/procs/print_c.exprs tests/procs/print_cc.exprs tests/procs/print_f90.exprs tests/targets/t_frames.c tests/targets/t_inlined.c tests/targets/t_inlined.cc tests/targets/t_moving.c tests/targets/t_leaves.cc tests/targets/t_frames.cc tests/targets/t_print.c tests/targets/t_print.cc tests/targets/t_print.f90 tests/targets/p_omp.c tests/procs/lib.sh tests/procs/stops.sh tests/procs/job_lib.sh tests/procs/fxt.py tests/procs/left.py tests/procs/waits.py tests/procs/switches.py tests/procs/modules.py tests/procs/mpi.py tests/targets/mpi_calls.c tests/targets/mpi_edges.c tests/targets/pmpi_count.c tests/targets/mpi_own.h tests/targets/mpi_calls.f90 tests/procs/sweep.py tests/procs/storm.py tests/procs/offer.py tests/procs/scribble.py tests/procs/counts.py
procs_scripts = tests/procs/attach.sh tests/procs/fork.sh tests/procs/killed.sh \
	tests/procs/libs.sh tests/procs/linkers.sh tests/procs/life.sh tests/procs/forbidden.sh tests/procs/hiding.sh tests/procs/macros.sh tests/procs/forms.sh tests/procs/tls.sh tests/procs/images.sh tests/procs/names.sh \
	tests/procs/sleep.sh tests/procs/check.sh tests/procs/cost.sh tests/procs/stripped.sh \
	tests/procs/sweep.sh tests/procs/why.sh tests/procs/copies.sh tests/procs/hostile.sh tests/procs/synthetic.sh tests/procs/replace.sh tests/procs/module.sh tests/procs/spec.sh tests/procs/hand.sh tests/procs/core.sh tests/procs/security.sh tests/procs/regs.sh tests/procs/handle.sh tests/procs/scribble.sh tests/procs/howto_module.sh tests/procs/modules.sh tests/procs/papi.sh tests/procs/interp.sh tests/procs/openmp.sh tests/procs/mpi.sh tests/procs/eztrace.sh tests/procs/clock.sh tests/procs/keep.sh tests/procs/examples.sh \
	tests/procs/reach.sh tests/procs/follow.sh tests/procs/foreign.sh tests/procs/compress.sh tests/procs/full.sh \
	tests/procs/unwind.sh tests/procs/left.sh tests/procs/waits.sh tests/procs/switches.sh tests/procs/ifunc.sh tests/procs/storm.sh tests/procs/pages.sh tests/procs/sharers.sh \
	tests/procs/place.sh tests/procs/rebuilt.sh tests/procs/lines.sh tests/procs/called.sh \
	tests/procs/manners.sh tests/procs/agree.sh tests/procs/operators.sh tests/procs/parts.sh tests/procs/ranks.sh tests/procs/many.sh tests/procs/signals.sh \
	tests/procs/counts.sh tests/procs/data.sh tests/procs/types.sh tests/procs/print.sh tests/procs/compiled.sh tests/procs/scopes.sh tests/procs/classes.sh tests/procs/wide.sh tests/procs/kinds.sh tests/procs/operands.sh tests/procs/rust.sh tests/procs/shapes.sh tests/procs/fortran.sh tests/procs/split.sh tests/procs/calls.sh tests/procs/bt.sh tests/procs/inlined.sh tests/procs/moving.sh tests/procs/breaks.sh tests/procs/traps.sh tests/procs/pretty.sh tests/procs/leaves.sh tests/procs/values.sh tests/procs/explain.sh tests/procs/gdb_lines.sh tests/procs/gdb_words.sh tests/procs/addup.sh tests/procs/sums.sh tests/procs/score.sh tests/procs/real.sh tests/procs/filters.sh tests/procs/budget.sh tests/procs/save.sh tests/procs/snapshot.sh tests/procs/triggers.sh tests/procs/dprintf.sh tests/procs/tracepoints.sh
procs_scripts += tests/procs/session.sh tests/procs/unread.sh tests/procs/again.sh tests/procs/lessons.sh tests/procs/bisect.sh tests/procs/draw.sh tests/procs/film.sh tests/procs/mutants.sh
TESTS += $(procs_scripts)
dist_check_SCRIPTS += $(procs_scripts)

# Too long for every day: each single call of ptrace fails once, in three ways; 200 times
# planted and removed on 32 busy threads; 500 shells killed while they write over page ends;
# LAPACK with all of its tests; the fuzzers on more inputs.
.PHONY: stress
stress: all
	$(MAKE) check TESTS=
	EZT_SWEEP=0 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/sweep.sh
	EZT_STORM=500 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/storm.sh
	EZT_KILLS=500 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/pages.sh
	EZT_CYCLES=200 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/fault/check_cycles.sh
	EZT_AGAIN=1000 EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/procs/again.sh
	EZT_STEPS=all EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/fault/check_exits.sh
	EZT_LAPACK=all EZTSH='$(abs_top_builddir)/eztsh' top_srcdir='$(abs_top_srcdir)' \
	  top_builddir='$(abs_top_builddir)' sh $(top_srcdir)/tests/source/lapack.sh
	$(MAKE) check TESTS='$(fuzzers)' EZT_FUZZ_RUNS=200000

TESTS += tests/procs/json.sh tests/procs/machine.sh tests/procs/offer.sh tests/procs/gdb.sh tests/procs/jobs.sh tests/procs/job_mpi.sh tests/procs/job_codes.sh tests/procs/job_hosts.sh tests/procs/job_srun.sh tests/procs/job_windows.sh tests/procs/tree.sh tests/procs/job_faults.sh
dist_check_SCRIPTS += tests/procs/json.sh tests/procs/machine.sh tests/procs/offer.sh tests/procs/gdb.sh tests/procs/jobs.sh tests/procs/job_mpi.sh tests/procs/job_codes.sh tests/procs/job_hosts.sh tests/procs/job_srun.sh tests/procs/job_windows.sh tests/procs/tree.sh tests/procs/job_faults.sh
EXTRA_DIST += tests/procs/tables.py tests/procs/machine.py tests/procs/job_faults.py
