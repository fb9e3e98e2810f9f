# Modules: the compiler of plugin scripts, and the header that modules include.
noinst_LIBRARIES += libezt_modules.a
libezt_modules_a_SOURCES = \
	modules/compile.h \
	modules/plugin/body.c \
	modules/plugin/cc.c \
	modules/plugin/cc.h \
	modules/plugin/compile.c \
	modules/plugin/emit.c \
	modules/plugin/emit.h \
	modules/plugin/emit_decl.c \
	modules/plugin/emit_fn.c \
	modules/plugin/expr.c \
	modules/plugin/header.c \
	modules/plugin/proto.c \
	modules/plugin/script.c \
	modules/plugin/script.h \
	modules/plugin/token.c \
	modules/plugin/token.h \
	modules/plugin/verify.c \
	modules/fragment/bind.c \
	modules/fragment/blame.c \
	modules/fragment/build.c \
	modules/fragment/fragment.h \
	modules/fragment/outer.c \
	modules/fragment/text.c \
	modules/fragment/weak.c \
	modules/fragment/place.c \
	modules/fragment/which.c \
	modules/spec/balance.c \
	modules/spec/declare.c \
	modules/spec/declare.h \
	modules/spec/expand.c \
	modules/spec/ftoken.c \
	modules/spec/ftoken.h \
	modules/spec/filter.c \
	modules/spec/match.c \
	modules/spec/read.c \
	modules/spec/show.c \
	modules/spec/spec.h \
	modules/spec/words.c \
	modules/spec/words.h \
	modules/text.c \
	modules/text.h \
	modules/tool.c \
	modules/tool.h
EXTRA_DIST += modules/README.md modules/plugin/README.md modules/fragment/README.md modules/spec/README.md

bin_PROGRAMS += eztsh-modc
eztsh_modc_SOURCES = modules/modc.c
EZ_MODULES_LIBS = libezt_modules.a libezt_engine.a $(ZLIB_LIBS)
eztsh_modc_LDADD = $(EZ_MODULES_LIBS)

# Specifications on source code. C and C++ need libclang; eztsh itself never loads it.
bin_PROGRAMS += eztsh-instrument
eztsh_instrument_SOURCES = \
	modules/source/command.c \
	modules/source/command.h \
	modules/source/depends.c \
	modules/source/depends.h \
	modules/source/edit.c \
	modules/source/edit.h \
	modules/source/fdirective.c \
	modules/source/fdirective.h \
	modules/source/floop.c \
	modules/source/floop.h \
	modules/source/fortran.c \
	modules/source/fown.c \
	modules/source/fown.h \
	modules/source/fwrap.c \
	modules/source/fwrap.h \
	modules/source/instrument.h \
	modules/source/instrumented.c \
	modules/source/lines.c \
	modules/source/lines.h \
	modules/source/main.c \
	modules/source/main.h \
	modules/source/options.c \
	modules/source/scan.c \
	modules/source/scan.h \
	modules/source/scratch.c \
	modules/source/scratch.h \
	modules/source/unit.c \
	modules/source/unit.h \
	modules/source/wrap.c
if HAVE_LIBCLANG
eztsh_instrument_SOURCES += \
	modules/source/body.c \
	modules/source/body.h \
	modules/source/branch.c \
	modules/source/branch.h \
	modules/source/call.c \
	modules/source/frame.c \
	modules/source/instrument.c \
	modules/source/macro.c \
	modules/source/macro.h \
	modules/source/own.c \
	modules/source/own.h \
	modules/source/routine.c \
	modules/source/routine.h \
	modules/source/tu.c \
	modules/source/tu.h
endif
eztsh_instrument_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
eztsh_instrument_LDADD = $(EZ_MODULES_LIBS) $(LIBCLANG_LIBS)
EXTRA_DIST += modules/source/README.md

# The header is found beside the programs, in a build tree, too (ez_compile_include).
AM_CPPFLAGS += -DEZ_INCLUDEDIR='"$(pkgincludedir)"'
modc_include = modules/include
pkginclude_HEADERS = modules/ezt_probe.h modules/ezt_counters.h modules/ezt_fragment.h modules/ezt_interp.h
noinst_DATA = $(modc_include)/ezt_probe.h $(modc_include)/ezt_counters.h $(modc_include)/ezt_fragment.h $(modc_include)/ezt_interp.h
if EZ_RUNTIME
pkginclude_HEADERS += arch/x86_64/ezt_suspend.h
noinst_DATA += $(modc_include)/ezt_suspend.h
endif
CLEANFILES += $(noinst_DATA)
$(modc_include)/ezt_suspend.h: arch/x86_64/ezt_suspend.h
$(modc_include)/ezt_probe.h: modules/ezt_probe.h
$(modc_include)/ezt_counters.h: modules/ezt_counters.h
$(modc_include)/ezt_fragment.h: modules/ezt_fragment.h
$(modc_include)/ezt_interp.h: modules/ezt_interp.h
$(noinst_DATA):
	$(AM_V_GEN)$(MKDIR_P) $(modc_include) && \
	  cp `ls $(srcdir)/modules/$(@F) $(srcdir)/arch/$(EZ_ARCH)/$(@F) 2>/dev/null` $@.new && mv $@.new $@
