# Fuzzers: a bounded run of the same inputs each time in `make check`; `make fuzz` has
# libFuzzer look for others, FUZZ_SECONDS each.
fuzzers = tests/fuzz/fuzz_code tests/fuzz/fuzz_lex tests/fuzz/fuzz_ring tests/fuzz/fuzz_fxt \
	tests/fuzz/fuzz_tpl tests/fuzz/fuzz_spec tests/fuzz/fuzz_fortran tests/fuzz/fuzz_expr \
	tests/fuzz/fuzz_stap tests/fuzz/fuzz_core
check_PROGRAMS += $(fuzzers)
TESTS += $(fuzzers)

tests_fuzz_fuzz_code_SOURCES = tests/fuzz/fuzz_code.c tests/fuzz/driver.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_code_LDADD = $(EZ_ENGINE_LIBS)
tests_fuzz_fuzz_core_SOURCES = tests/fuzz/fuzz_core.c tests/fuzz/driver.c
tests_fuzz_fuzz_core_LDADD = $(EZ_ENGINE_LIBS)
tests_fuzz_fuzz_expr_SOURCES = tests/fuzz/fuzz_expr.c tests/fuzz/driver.c
tests_fuzz_fuzz_expr_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_fuzz_fuzz_expr_LDADD = $(EZ_ENGINE_LIBS)
tests_fuzz_fuzz_lex_SOURCES = tests/fuzz/fuzz_lex.c tests/fuzz/driver.c
tests_fuzz_fuzz_lex_LDADD = $(EZ_SHELL_LIBS)
tests_fuzz_fuzz_ring_SOURCES = tests/fuzz/fuzz_ring.c tests/fuzz/driver.c
tests_fuzz_fuzz_ring_LDADD = $(EZ_ENGINE_LIBS)
tests_fuzz_fuzz_fxt_SOURCES = tests/fuzz/fuzz_fxt.c tests/fuzz/fuzz_fxt_seeds.h tests/fuzz/driver.c
tests_fuzz_fuzz_fxt_LDADD = $(EZ_ENGINE_LIBS)
fortran_sources = modules/instrument/source/floop.c modules/instrument/source/lines.c modules/instrument/source/scan.c modules/instrument/source/unit.c
tests_fuzz_fuzz_fortran_SOURCES = tests/fuzz/fuzz_fortran.c tests/fuzz/driver.c $(fortran_sources)
tests_fuzz_fuzz_fortran_LDADD = $(EZ_MODULES_LIBS)
tests_fuzz_fuzz_spec_SOURCES = tests/fuzz/fuzz_spec.c tests/fuzz/driver.c
tests_fuzz_fuzz_spec_LDADD = $(EZ_MODULES_LIBS)
tests_fuzz_fuzz_stap_SOURCES = tests/fuzz/fuzz_stap.c tests/fuzz/driver.c
tests_fuzz_fuzz_stap_LDADD = $(EZ_ENGINE_LIBS)
tests_fuzz_fuzz_tpl_SOURCES = tests/fuzz/fuzz_tpl.c tests/fuzz/driver.c
tests_fuzz_fuzz_tpl_LDADD = $(EZ_MODULES_LIBS)

FUZZ_SECONDS = 60
.PHONY: fuzz
fuzz: $(BUILT_SOURCES) libezt_engine.a $(fuzzers)
	@top_srcdir='$(top_srcdir)' FUZZ_ARCH='$(EZ_ARCH)' FUZZ_SECONDS='$(FUZZ_SECONDS)' \
	  FUZZ_SOURCES='$(filter %.c,$(libezt_engine_a_SOURCES) $(nodist_libezt_engine_a_SOURCES) $(libezt_shell_a_SOURCES) \
	  $(libezt_modules_a_SOURCES) $(fortran_sources))' \
	  FUZZ_LIBS='$(libezt_engine_a_LIBADD) $(OPCODES_LIBS) $(BFD_LIBS) $(FXT_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS) $(LIBDW_LIBS) $(OTF2_LIBS) $(BABELTRACE2_LIBS) $(PROTOBUF_C_LIBS) $(READLINE_LIBS) $(CURSES_LIBS) $(JSON_LIBS)' \
	  sh $(srcdir)/tests/fuzz/fuzz.sh $(fuzzers)
clean-local: clean-fuzz
clean-fuzz:
	rm -rf fuzz-clang
