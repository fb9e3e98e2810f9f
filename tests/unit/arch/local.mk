# Unit tests of arch/.
check_PROGRAMS += check_decode check_reloc
TESTS += check_decode check_reloc
check_decode_SOURCES = tests/unit/arch/check_decode.c
check_decode_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=x64_split
check_decode_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_reloc_SOURCES = tests/unit/arch/check_reloc.c
check_reloc_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_scan
TESTS += tests/check_scan
tests_check_scan_SOURCES = tests/unit/arch/check_scan.c
tests_check_scan_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_results
TESTS += tests/check_results
tests_check_results_SOURCES = tests/unit/arch/check_results.c
tests_check_results_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_restorer
TESTS += tests/check_restorer
tests_check_restorer_SOURCES = tests/unit/arch/check_restorer.c
tests_check_restorer_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

# It needs no such processor. Where this is one the library has these functions, too.
check_PROGRAMS += tests/check_a64
TESTS += tests/check_a64
tests_check_a64_SOURCES = tests/unit/arch/check_a64.c
if !ARCH_AARCH64
tests_check_a64_SOURCES += arch/aarch64/decode.c
endif
tests_check_a64_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_straight
TESTS += tests/check_straight
tests_check_straight_SOURCES = tests/unit/arch/check_straight.c
tests_check_straight_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_plain
TESTS += tests/check_plain
tests_check_plain_SOURCES = tests/unit/arch/check_plain.c
tests_check_plain_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
