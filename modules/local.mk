# Modules: the compiler of plugin scripts, and the headers that modules include.
noinst_LIBRARIES += libezt_modules.a
libezt_modules_a_SOURCES = \
	modules/compile.h \
	modules/compiler/body.c \
	modules/compiler/cc.c \
	modules/compiler/cc.h \
	modules/compiler/compile.c \
	modules/compiler/emit.c \
	modules/compiler/emit.h \
	modules/compiler/emit_decl.c \
	modules/compiler/emit_fn.c \
	modules/compiler/expr.c \
	modules/compiler/header.c \
	modules/compiler/proto.c \
	modules/compiler/script.c \
	modules/compiler/script.h \
	modules/compiler/token.c \
	modules/compiler/token.h \
	modules/compiler/verify.c \
	modules/text.c \
	modules/text.h \
	modules/tool.c \
	modules/tool.h
EXTRA_DIST += modules/README.md modules/compiler/README.md

bin_PROGRAMS += eztsh-modc
eztsh_modc_SOURCES = modules/modc.c
EZ_MODULES_LIBS = libezt_modules.a libezt_engine.a $(ZLIB_LIBS)
eztsh_modc_LDADD = $(EZ_MODULES_LIBS)

# Makes the header available under modules/include in a build tree, as ez_compile_include() looks
# for it.
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
