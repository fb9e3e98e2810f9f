# A program to try eztsh on, and its shared library.
noinst_PROGRAMS += examples/demo examples/libkernel.so
EXTRA_DIST += examples/demo.ezt examples/rows.tpl

examples_libkernel_so_SOURCES = examples/kernel.c examples/kernel.h
examples_libkernel_so_CFLAGS = -O2 -g -fPIC
examples_libkernel_so_LDFLAGS = -shared -Wl,-soname,libkernel.so

examples_demo_SOURCES = examples/demo.c
examples_demo_CFLAGS = -O2 -g -pthread
examples_demo_LDFLAGS = -pthread -Wl,-rpath,'$$ORIGIN'
examples_demo_LDADD = examples/libkernel.so
