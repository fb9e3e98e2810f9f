# Jobs of many processes.
EXTRA_DIST += engine/jobs/README.md
pkglibexec_PROGRAMS += eztsh-hold
eztsh_hold_SOURCES = engine/jobs/hold/hold.c
eztsh_hold_LDADD =
EZ_JOBS_SOURCES = \
	engine/jobs/chunk.c \
	engine/jobs/chunk.h \
	engine/jobs/crew.c \
	engine/jobs/crew.h \
	engine/jobs/driver.c \
	engine/jobs/driver.h \
	engine/jobs/json.c \
	engine/jobs/json.h \
	engine/jobs/node.c \
	engine/jobs/node.h \
	engine/jobs/node_clock.c \
	engine/jobs/node_file.c \
	engine/jobs/node_reply.c \
	engine/jobs/node_sums.c \
	engine/jobs/node_claim.c \
	engine/jobs/plugin.c \
	engine/jobs/ranks.c \
	engine/jobs/ranks.h \
	engine/jobs/reduce.c \
	engine/jobs/reduce.h \
	engine/jobs/reply.c \
	engine/jobs/reply.h \
	engine/jobs/roster.c \
	engine/jobs/roster.h \
	engine/jobs/tree.h
libezt_engine_a_SOURCES += $(EZ_JOBS_SOURCES) \
	engine/jobs/context.c \
	engine/jobs/context.h \
	engine/jobs/front.c \
	engine/jobs/front.h \
	engine/jobs/front_start.c \
	engine/jobs/mpir.c \
	engine/jobs/mpir.h \
	engine/jobs/series.c \
	engine/jobs/series.h \
	engine/jobs/tree_alone.c \
	engine/jobs/where.c

# Daemons under MPI: a program for each. The tree is compiled by the MPI's own compiler, all else is the engine's.
EXTRA_DIST += engine/jobs/tree_mpi.c
pkglibexec_SCRIPTS =
EZ_MPI_DAEMON = $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -I. -DHAVE_CONFIG_H \
	$(srcdir)/engine/jobs/tree_mpi.c libezt_engine.a $(AM_LDFLAGS) $(LDFLAGS) $(JSON_LIBS) $(ZLIB_LIBS) -ldl
if HAVE_OPENMPI
pkglibexec_SCRIPTS += eztsh-daemon-openmpi
eztsh-daemon-openmpi: engine/jobs/tree_mpi.c engine/jobs/tree.h engine/jobs/node.h libezt_engine.a
	$(AM_V_GEN)$(MPICC_OPENMPI) -o $@ $(EZ_MPI_DAEMON)
endif
if HAVE_MPICH
pkglibexec_SCRIPTS += eztsh-daemon-mpich
eztsh-daemon-mpich: engine/jobs/tree_mpi.c engine/jobs/tree.h engine/jobs/node.h libezt_engine.a
	$(AM_V_GEN)$(MPICC_MPICH) -o $@ $(EZ_MPI_DAEMON)
endif
CLEANFILES += eztsh-daemon-openmpi eztsh-daemon-mpich
