# Unit tests of arch/.
check_PROGRAMS += check_decode
TESTS += check_decode
check_decode_SOURCES = tests/unit/arch/check_decode.c
check_decode_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
