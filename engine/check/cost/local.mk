# What `info cost` probes. Its functions are found by name: -rdynamic keeps the names if the program is stripped.
# Without sanitizers: they would be part of the measured cost, and LeakSanitizer fails in a traced program.
pkglibexec_PROGRAMS += ezt-cost
ezt_cost_SOURCES = engine/check/cost/figures.h engine/check/cost/kernels.h engine/check/cost/ezt_cost.c
ezt_cost_CFLAGS = -std=gnu11 -fvisibility=hidden $(EZ_CFLAGS)
ezt_cost_LDFLAGS = -rdynamic
ezt_cost_LDADD =
