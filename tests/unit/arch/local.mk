# Unit tests of arch/.
check_PROGRAMS += check_decode check_reloc
TESTS += check_decode check_reloc
check_decode_SOURCES = tests/unit/arch/check_decode.c
check_decode_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_reloc_SOURCES = tests/unit/arch/check_reloc.c
check_reloc_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_anchor
TESTS += tests/check_anchor
tests_check_anchor_SOURCES = tests/unit/arch/check_anchor.c
tests_check_anchor_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
