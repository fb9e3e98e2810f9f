# Unit tests of what a shell leaves in a process, and of how text is changed: on live ones.
check_PROGRAMS += tests/check_adopt
TESTS += tests/check_adopt
tests_check_adopt_SOURCES = tests/unit/engine/check_adopt.c tests/unit/engine/process.h
tests_check_adopt_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_patch
TESTS += tests/check_patch
tests_check_patch_SOURCES = tests/unit/engine/check_patch.c tests/unit/engine/process.h
tests_check_patch_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_write -Wl,--wrap=ez_pc_fixup
tests_check_patch_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_trap
TESTS += tests/check_trap
tests_check_trap_SOURCES = tests/unit/engine/check_trap.c
tests_check_trap_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_rt
TESTS += tests/check_rt
tests_check_rt_SOURCES = tests/unit/engine/check_rt.c
tests_check_rt_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_check_rt_LDADD = $(CHECK_LIBS)
check_PROGRAMS += tests/check_event
TESTS += tests/check_event
tests_check_event_SOURCES = tests/unit/engine/check_event.c tests/unit/engine/drain_harness.h
tests_check_event_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_check_event_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# Expressions, and what the runtime makes of them.
check_PROGRAMS += tests/check_probe_spec tests/check_expr tests/check_code tests/check_code_adds tests/check_eval
TESTS += tests/check_probe_spec tests/check_expr tests/check_code tests/check_code_adds tests/check_eval
tests_check_eval_SOURCES = tests/unit/engine/check_eval.c
tests_check_eval_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_probe_spec_SOURCES = tests/unit/engine/check_probe_spec.c
tests_check_probe_spec_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_expr_SOURCES = tests/unit/engine/check_expr.c
tests_check_expr_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_code_SOURCES = tests/unit/engine/check_code.c tests/unit/engine/code_harness.h \
	tests/unit/engine/drain_harness.h
tests_check_code_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_check_code_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_code_adds_SOURCES = tests/unit/engine/check_code_adds.c tests/unit/engine/code_harness.h \
	tests/unit/engine/drain_harness.h
tests_check_code_adds_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_check_code_adds_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# The engine on children of their own (child.h), and what needs no process at all.
child_programs = tests/check_live tests/check_steps tests/check_inject tests/check_called tests/check_life tests/check_places tests/check_refer
check_PROGRAMS += $(child_programs)
TESTS += $(child_programs)
EXTRA_DIST += tests/unit/engine/child.h
tests_check_live_SOURCES = tests/unit/engine/check_live.c tests/unit/engine/process.h
tests_check_live_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_steps_SOURCES = tests/unit/engine/check_steps.c tests/unit/engine/process.h
tests_check_steps_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_inject_SOURCES = tests/unit/engine/check_inject.c tests/unit/engine/process.h
tests_check_inject_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_restorer_for
tests_check_inject_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_called_SOURCES = tests/unit/engine/check_called.c tests/unit/engine/process.h
tests_check_called_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pt_poke
tests_check_called_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_life_SOURCES = tests/unit/engine/check_life.c tests/unit/engine/process.h
tests_check_life_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_refer_SOURCES = tests/unit/engine/check_refer.c tests/unit/engine/process.h
tests_check_refer_CFLAGS = $(AM_CFLAGS) -pthread
tests_check_refer_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_places_SOURCES = tests/unit/engine/check_places.c tests/unit/engine/process.h
tests_check_places_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_stuck
TESTS += tests/check_stuck
tests_check_stuck_SOURCES = tests/unit/engine/check_stuck.c tests/unit/engine/process.h
tests_check_stuck_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_maps_read -Wl,--wrap=ez_restorer_for \
	-Wl,--wrap=ez_thread_step -Wl,--wrap=ez_thread_report -Wl,--wrap=ez_inject_copy \
	-Wl,--wrap=ez_now_ms -Wl,--wrap=pt_syscall -Wl,--wrap=pt_interrupt -Wl,--wrap=pt_cont \
	-Wl,--wrap=pt_step
tests_check_stuck_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_unfit
TESTS += tests/check_unfit
tests_check_unfit_SOURCES = tests/unit/engine/check_unfit.c tests/unit/engine/process.h
tests_check_unfit_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_proc_status -Wl,--wrap=ez_object_machine \
	-Wl,--wrap=ez_island_mapped -Wl,--wrap=ez_progress_step
tests_check_unfit_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_forged
TESTS += tests/check_forged
tests_check_forged_SOURCES = tests/unit/engine/check_forged.c tests/unit/engine/process.h
tests_check_forged_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_read
tests_check_forged_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_two
TESTS += tests/check_two
tests_check_two_SOURCES = tests/unit/engine/check_two.c
tests_check_two_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_denied
TESTS += tests/check_denied
EXTRA_DIST += tests/unit/engine/deny.h
tests_check_denied_SOURCES = tests/unit/engine/check_denied.c tests/unit/engine/process.h
tests_check_denied_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_fetch_fd -Wl,--wrap=ftruncate \
	-Wl,--wrap=fallocate -Wl,--wrap=fcntl -Wl,--wrap=mmap -Wl,--wrap=pwritev -Wl,--wrap=sendmsg \
	-Wl,--wrap=fstat -Wl,--wrap=memfd_create -Wl,--wrap=open -Wl,--wrap=pthread_create
tests_check_denied_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_cost
TESTS += tests/check_cost
tests_check_cost_SOURCES = tests/unit/engine/check_cost.c
tests_check_cost_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pipe2 -Wl,--wrap=posix_spawn \
	-Wl,--wrap=ez_now_exact
tests_check_cost_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_refused
TESTS += tests/check_refused
tests_check_refused_SOURCES = tests/unit/engine/check_refused.c tests/unit/engine/process.h
tests_check_refused_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwritev -Wl,--wrap=fork -Wl,--wrap=pipe2 \
	-Wl,--wrap=write -Wl,--wrap=pwrite -Wl,--wrap=eventfd \
	-Wl,--wrap=signalfd
tests_check_refused_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# Files of the engine alone, in a process that is made up (fake.h).
fake = -Wl,--wrap=ez_mem_read_some -Wl,--wrap=ez_mem_read -Wl,--wrap=ez_mem_write \
	-Wl,--wrap=ez_object_syms -Wl,--wrap=ez_object_find_addr -Wl,--wrap=ez_symbol_addr \
	-Wl,--wrap=ez_object_relocs -Wl,--wrap=ez_dynreloc_name -Wl,--wrap=ez_dynreloc_in_got \
	-Wl,--wrap=ez_object_section -Wl,--wrap=ez_object_read_text -Wl,--wrap=ez_object_interp
EXTRA_DIST += tests/unit/engine/fake.h
check_PROGRAMS += tests/check_alone tests/check_room tests/check_islands tests/check_restore tests/check_layout
TESTS += tests/check_alone tests/check_room tests/check_islands tests/check_restore tests/check_layout
tests_check_alone_SOURCES = tests/unit/engine/check_alone.c
tests_check_alone_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_inject_thread -Wl,--wrap=ez_inject_call
tests_check_alone_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_room_SOURCES = tests/unit/engine/check_room.c
tests_check_room_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_maps_read -Wl,--wrap=ez_maps_gap \
	-Wl,--wrap=ez_inject_mmap -Wl,--wrap=ez_inject_syscall -Wl,--wrap=ez_inject_thread
tests_check_room_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_islands_SOURCES = tests/unit/engine/check_islands.c
tests_check_islands_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_maps_read -Wl,--wrap=ez_maps_free \
	-Wl,--wrap=ez_inject_mmap
tests_check_islands_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_restore_SOURCES = tests/unit/engine/check_restore.c
tests_check_restore_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_pc_fixup
tests_check_restore_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_check_layout_SOURCES = tests/unit/engine/check_layout.c
tests_check_layout_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_inject_thread \
	-Wl,--wrap=ez_inject_allowed -Wl,--wrap=ez_inject_syscall
tests_check_layout_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_fragment
TESTS += tests/check_fragment
tests_check_fragment_SOURCES = tests/unit/engine/check_fragment.c
tests_check_fragment_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH) -I$(top_srcdir)/modules
tests_check_fragment_CFLAGS = $(AM_CFLAGS) -mno-red-zone -O1
tests_check_fragment_LDADD = engine/rt/rt_fragment.o engine/rt/rt_switch.o $(EZ_ENGINE_LIBS) $(CHECK_LIBS) -lm
EXTRA_DIST += tests/unit/engine/no_fragments.h
