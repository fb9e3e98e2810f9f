# Unit tests of what a shell leaves in a process, and of how text is changed: on live ones.
check_PROGRAMS += tests/check_adopt
TESTS += tests/check_adopt
tests_check_adopt_SOURCES = tests/unit/engine/check_adopt.c tests/unit/engine/process.h
tests_check_adopt_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
