# Tests of the trace: from shared memory to the file and back.
check_PROGRAMS += tests/check_drain
TESTS += tests/check_drain
tests_check_drain_SOURCES = tests/unit/engine/check_drain.c
tests_check_drain_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
