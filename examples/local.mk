# Programs to try eztsh on (README.md). The first, which the lessons use, has a shared library.
exampledir = $(pkglibdir)/examples
example_PROGRAMS = examples/demo examples/libkernel.so examples/queue examples/md
nobase_dist_doc_DATA += examples/README.md examples/demo.c examples/kernel.c examples/kernel.h examples/md.c examples/queue.c examples/demo.ezt examples/md.ezt examples/queue.ezt examples/rows.tpl examples/notebook.py examples/eztsh-gdb.py \
	examples/pingpong.c examples/pingpong.ezt examples/solver.c examples/adi/adi.f90 examples/adi/adi.ezt examples/adi/plugin.tpl \
	examples/specs/epik.spec examples/specs/groups.spec examples/specs/scorep.spec examples/specs/tau.spec examples/specs/vampirtrace.spec

examples_libkernel_so_SOURCES = examples/kernel.c examples/kernel.h
examples_libkernel_so_CFLAGS = -O2 -g -fPIC
examples_libkernel_so_LDFLAGS = -shared -Wl,-soname,libkernel.so
examples_libkernel_so_LDADD =

examples_demo_SOURCES = examples/demo.c
examples_demo_CFLAGS = -O2 -g -pthread
examples_demo_LDFLAGS = -pthread -Wl,-rpath,'$$ORIGIN'
examples_demo_LDADD = examples/libkernel.so

examples_queue_SOURCES = examples/queue.c
examples_queue_CFLAGS = -O2 -g -pthread
examples_queue_LDFLAGS = -pthread
examples_queue_LDADD =

# Where the compiler knows no OpenMP, it has one thread.
examples_md_SOURCES = examples/md.c
examples_md_CFLAGS = -O2 -g $(OPENMP_CFLAGS)
examples_md_LDFLAGS =
examples_md_LDADD = -lm
