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

# The engine on children of their own (child.h), and what needs no process at all.
child_programs = tests/check_live tests/check_steps tests/check_inject tests/check_called tests/check_life tests/check_places
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
tests_check_places_SOURCES = tests/unit/engine/check_places.c tests/unit/engine/process.h
tests_check_places_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
