# `make bench` prints figures; it is not part of `make check`.
EXTRA_PROGRAMS += tests/bench/trace tests/bench/plant tests/bench/gtg_alone tests/bench/ranks \
	tests/bench/startup
CLEANFILES += tests/bench/calls_module.so tests/bench/libcalls.so tests/bench/preload.so tests/bench/startup_pre.so tests/bench/startup tests/bench/many.c \
	tests/bench/calls_preloaded tests/bench/plant tests/bench/ranks tests/bench/trace tests/bench/gtg_alone tests/bench/many tests/bench/data tests/bench/threads
BENCH_CC = $(CC) -O2 -D_GNU_SOURCE -I$(top_srcdir)

tests/bench/libcalls.so: $(top_srcdir)/tests/bench/calls_lib.c
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(BENCH_CC) -shared -fPIC $(top_srcdir)/tests/bench/calls_lib.c -o $@
tests/bench/calls_module.so: $(top_srcdir)/tests/bench/calls_module.c $(top_srcdir)/modules/ezt_probe.h
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(BENCH_CC) -I$(top_srcdir)/modules -shared -fPIC -fvisibility=hidden \
	  $(top_srcdir)/tests/bench/calls_module.c -o $@
tests/bench/preload.so: $(top_srcdir)/tests/bench/preload.c
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(BENCH_CC) -shared -fPIC $(top_srcdir)/tests/bench/preload.c -o $@
tests/bench/startup_pre.so: $(top_srcdir)/tests/bench/startup_pre.c
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(BENCH_CC) -shared -fPIC $(top_srcdir)/tests/bench/startup_pre.c -o $@ -ldl
# The wrapper stands before the library in the search order, as if it were preloaded.
tests/bench/calls_preloaded$(EXEEXT): $(top_srcdir)/tests/bench/calls.c tests/bench/libcalls.so \
		tests/bench/preload.so
	$(AM_V_CCLD)$(BENCH_CC) $(top_srcdir)/tests/bench/calls.c -o $@ tests/bench/preload.so \
	  tests/bench/libcalls.so -Wl,-rpath,'$$ORIGIN' $(FXT_LIBS)
tests/bench/data$(EXEEXT): $(top_srcdir)/tests/bench/data.c
	@$(MKDIR_P) tests/bench
	$(AM_V_CCLD)$(BENCH_CC) $(top_srcdir)/tests/bench/data.c -o $@
tests/bench/threads$(EXEEXT): $(top_srcdir)/tests/bench/threads.c
	$(AM_V_CCLD)$(BENCH_CC) -pthread $(top_srcdir)/tests/bench/threads.c -o $@
tests/bench/many.c: $(top_srcdir)/tests/bench/many.sh
	@$(MKDIR_P) tests/bench
	$(AM_V_GEN)sh $(top_srcdir)/tests/bench/many.sh > $@
tests/bench/many$(EXEEXT): tests/bench/many.c
	$(AM_V_CC)$(CC) -O1 tests/bench/many.c -o $@
tests_bench_trace_SOURCES = tests/bench/trace.c
tests_bench_trace_LDADD = $(EZ_ENGINE_LIBS)
tests_bench_ranks_SOURCES = tests/bench/ranks.c
tests_bench_ranks_LDADD = $(EZ_ENGINE_LIBS)
tests_bench_plant_SOURCES = tests/bench/plant.c
tests_bench_plant_LDADD = $(EZ_ENGINE_LIBS)
tests_bench_startup_SOURCES = tests/bench/startup.c
tests_bench_startup_LDADD =
tests_bench_gtg_alone_SOURCES = tests/bench/gtg_alone.c
tests_bench_gtg_alone_LDADD = $(GTG_LIBS)

.PHONY: bench
bench: eztsh$(EXEEXT) tests/bench/calls_module.so tests/bench/calls_preloaded$(EXEEXT) tests/bench/plant$(EXEEXT) \
		tests/bench/many$(EXEEXT) tests/bench/data$(EXEEXT) tests/bench/threads$(EXEEXT) tests/bench/gtg_alone$(EXEEXT) \
		tests/bench/startup$(EXEEXT) tests/bench/startup_pre.so tests/bench/ranks$(EXEEXT) tests/bench/trace$(EXEEXT) ezt-gtg$(EXEEXT)
	@CC="$(CC)" EZTSH=$(abs_top_builddir)/eztsh EZT_GTG=$(abs_top_builddir)/ezt-gtg top_srcdir=$(top_srcdir) top_builddir=$(abs_top_builddir) \
	  sh $(top_srcdir)/tests/bench/bench.sh

# Tables of the papers, beside the peer that is installed.
.PHONY: papers
papers: all papers-jobs
	@CC="$(CC)" EZTSH=$(abs_top_builddir)/eztsh top_srcdir=$(abs_top_srcdir) \
	  sh $(top_srcdir)/tests/bench/papers.sh

# The tree of daemons, with tasks in place of drivers: jobs_tree.c has an ez_node_run() of its own.
EZ_JOBS_TREE = $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -I. -DHAVE_CONFIG_H $(srcdir)/tests/bench/jobs_tree.c \
	$(srcdir)/engine/jobs/tree_mpi.c libezt_engine.a $(AM_LDFLAGS) $(LDFLAGS) $(JSON_LIBS) -ldl
jobs_trees =
if HAVE_OPENMPI
jobs_trees += tests/bench/jobs_tree-openmpi
endif
if HAVE_MPICH
jobs_trees += tests/bench/jobs_tree-mpich
endif
CLEANFILES += tests/bench/jobs_tree-openmpi tests/bench/jobs_tree-mpich
tests/bench/jobs_tree-openmpi: tests/bench/jobs_tree.c engine/jobs/tree_mpi.c libezt_engine.a
	@$(MKDIR_P) tests/bench
	$(AM_V_GEN)$(MPICC_OPENMPI) -o $@ $(EZ_JOBS_TREE)
tests/bench/jobs_tree-mpich: tests/bench/jobs_tree.c engine/jobs/tree_mpi.c libezt_engine.a
	@$(MKDIR_P) tests/bench
	$(AM_V_GEN)$(MPICC_MPICH) -o $@ $(EZ_JOBS_TREE)
.PHONY: papers-jobs
papers-jobs: all
	@$(MAKE) $(AM_MAKEFLAGS) $(jobs_trees)
	@top_srcdir=$(abs_top_srcdir) top_builddir=$(abs_top_builddir) sh $(top_srcdir)/tests/bench/papers_jobs.sh

# The model of how the tree grows, fitted and checked here; MODEL_PICTURE=FILE.svg draws what MPICH's says.
.PHONY: bench-jobs-model
bench-jobs-model: all
	@$(MAKE) $(AM_MAKEFLAGS) $(jobs_trees)
	@failed=0; for t in $(jobs_trees); do \
	  mpi=$${t##*-}; picture=; [ $$mpi != mpich ] || picture=$(MODEL_PICTURE); \
	  python3 -B $(top_srcdir)/tests/bench/jobs_model.py $$t $$mpi $$picture || failed=1; \
	done; exit $$failed

CLEANFILES += tests/bench/jobs_app
tests/bench/jobs_app: tests/bench/jobs_app.c
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(CC) -g -O1 $(srcdir)/tests/bench/jobs_app.c -o $@
.PHONY: bench-jobs
bench-jobs: all tests/bench/jobs_app
	@for l in "mpirun.openmpi --oversubscribe" mpiexec.mpich; do \
	  command -v $${l%% *} >/dev/null || continue; \
	  echo "== $${l%% *}, 8 daemons"; \
	  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 python3 $(top_srcdir)/tests/bench/jobs_bench.py \
	    $(abs_top_builddir)/eztsh $(abs_top_builddir)/tests/bench/jobs_app $$l; \
	done
