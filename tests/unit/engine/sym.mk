# Unit tests of symbols and analysis.
check_PROGRAMS += check_sym check_srcline check_foreign check_fde check_check check_analyze check_window check_frame
TESTS += check_sym check_srcline check_foreign check_fde check_check check_analyze check_window check_frame
check_sym_SOURCES = tests/unit/engine/check_sym.c tests/unit/engine/check_elf.c tests/unit/engine/check_elf.h
check_sym_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_srcline_SOURCES = tests/unit/engine/check_srcline.c
check_srcline_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_foreign_SOURCES = tests/unit/engine/check_foreign.c
check_foreign_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_fde_SOURCES = tests/unit/engine/check_fde.c
check_fde_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_check_SOURCES = tests/unit/engine/check_check.c
check_check_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_read_some
check_check_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_analyze_SOURCES = tests/unit/engine/check_analyze.c
check_analyze_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_leads
TESTS += tests/check_leads
tests_check_leads_SOURCES = tests/unit/engine/check_leads.c
tests_check_leads_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_window_SOURCES = tests/unit/engine/check_patch_region.c
check_window_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_frame_SOURCES = tests/unit/engine/check_frame.c tests/unit/engine/frame_cases.S
check_frame_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# And of files of ours.
check_PROGRAMS += check_newfile
TESTS += check_newfile
check_newfile_SOURCES = tests/unit/engine/check_newfile.c
check_newfile_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# What a module's file says of itself.
check_PROGRAMS += tests/check_plugin
TESTS += tests/check_plugin
tests_check_plugin_SOURCES = tests/unit/engine/check_plugin.c
tests_check_plugin_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# And its debug information, of a small program.
check_PROGRAMS += tests/check_dwarf tests/targets/p_types
TESTS += tests/check_dwarf
tests_check_dwarf_SOURCES = tests/unit/engine/check_dwarf.c
tests_check_dwarf_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
tests_targets_p_types_SOURCES = tests/targets/t_types.c
tests_targets_p_types_CFLAGS = -std=gnu11 -O1 -g
