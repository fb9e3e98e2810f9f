# `measure`, and the names of system calls.
check_PROGRAMS += tests/targets/prologues check_syscalls
TESTS += check_syscalls tests/measure/check_measure.sh tests/measure/check_papers.sh
dist_check_SCRIPTS += tests/measure/check_measure.sh tests/measure/check_papers.sh
tests_targets_prologues_SOURCES = tests/targets/prologues.c
# Never sanitized: the leak checker forks, and the target may not.
tests_targets_prologues_CFLAGS = -Wall -Wextra
tests_targets_prologues_LDFLAGS =
check_syscalls_SOURCES = tests/unit/arch/check_syscalls.c
check_syscalls_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
