# The built-in modules. NAME.tpl is the script; NAME_probes.h has the functions that the script
# language cannot express. (A header with the name pthread.h would hide the system's.) They run in
# other programs, so the compiler that was just built makes them. If that compiler cannot run here,
# no modules are made.
builtin_scripts = modules/builtin/io.tpl modules/builtin/memory.tpl modules/builtin/mpi.tpl \
	modules/builtin/openmp.tpl modules/builtin/pthread.tpl modules/builtin/python.tpl
builtin_headers = modules/builtin/range.h modules/builtin/io_probes.h modules/builtin/memory_probes.h \
	modules/builtin/mpi_abi.h modules/builtin/mpi_call.h modules/builtin/mpi_comm.h modules/builtin/mpi_events.h \
	modules/builtin/mpi_others.h modules/builtin/mpi_probes.h modules/builtin/mpi_request.h \
	modules/builtin/openmp_gnu.h modules/builtin/openmp_llvm.h modules/builtin/openmp_probes.h modules/builtin/openmp_task.h \
	modules/builtin/pthread_probes.h modules/builtin/pthread_threads.h modules/builtin/python_probes.h
EXTRA_DIST += modules/builtin/README.md $(builtin_scripts) $(builtin_headers)

if EZ_BUILTIN
builtindir = $(pkglibdir)/modules
builtin_DATA = modules/io.so modules/memory.so modules/mpi.so modules/openmp.so modules/pthread.so modules/python.so
CLEANFILES += $(builtin_DATA)
$(builtin_DATA): eztsh-modc$(EXEEXT) $(modc_include)/ezt_probe.h $(builtin_headers)
	$(AM_V_GEN)name=`basename $@ .so`; set dummy $(CC); test $$# = 2 && EZT_CC=$${EZT_CC-$$2} && export EZT_CC; \
	  ./eztsh-modc $(srcdir)/modules/builtin/$$name.tpl -o modules >/dev/null
modules/io.so: modules/builtin/io.tpl
modules/memory.so: modules/builtin/memory.tpl
modules/mpi.so: modules/builtin/mpi.tpl
modules/openmp.so: modules/builtin/openmp.tpl
modules/pthread.so: modules/builtin/pthread.tpl
modules/python.so: modules/builtin/python.tpl
endif
