# What `info cost` probes. Its functions are found by name.
pkglibexec_PROGRAMS += ezt-cost
ezt_cost_SOURCES = engine/cost/kernels.h engine/cost/ezt_cost.c
