# What `info cost` probes. Its functions are found by name.
pkglibexec_PROGRAMS += ezt-cost
ezt_cost_SOURCES = engine/check/cost/figures.h engine/check/cost/kernels.h engine/check/cost/ezt_cost.c
ezt_cost_LDADD =
