# The script compiler's tests.
check_PROGRAMS += check_script check_emit check_module check_spec
TESTS += check_script check_emit check_module check_spec tests/unit/modules/check_modc.sh
dist_check_SCRIPTS += tests/unit/modules/check_modc.sh
EXTRA_DIST += tests/unit/modules/scripts/.clang-format \
	tests/unit/modules/scripts/all.c tests/unit/modules/scripts/all.tpl \
	tests/unit/modules/scripts/fig6.c tests/unit/modules/scripts/fig6.tpl \
	tests/unit/modules/scripts/fig7.c tests/unit/modules/scripts/fig7.tpl \
	tests/unit/modules/scripts/fig8.c tests/unit/modules/scripts/fig8.tpl \
	tests/unit/modules/scripts/fortran.c tests/unit/modules/scripts/fortran.tpl \
	tests/unit/modules/scripts/slides.c tests/unit/modules/scripts/slides.tpl

check_script_SOURCES = tests/unit/modules/check_script.c
check_script_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
check_spec_SOURCES = tests/unit/modules/check_spec.c
check_spec_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
check_emit_SOURCES = tests/unit/modules/check_emit.c
check_emit_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
# Modules call functions of the program, and exceptions of C++ go through them.
check_module_SOURCES = tests/unit/modules/check_module.c tests/unit/modules/host.cc tests/unit/modules/host.h
check_module_LDFLAGS = $(AM_LDFLAGS) -rdynamic
check_module_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS) -ldl
