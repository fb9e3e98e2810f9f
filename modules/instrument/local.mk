# Specifications: the language, and fragments for running programs.
libezt_modules_a_SOURCES += \
	modules/instrument/fragment/bind.c \
	modules/instrument/fragment/blame.c \
	modules/instrument/fragment/build.c \
	modules/instrument/fragment/fragment.h \
	modules/instrument/fragment/outer.c \
	modules/instrument/fragment/place.c \
	modules/instrument/fragment/text.c \
	modules/instrument/fragment/weak.c \
	modules/instrument/fragment/which.c \
	modules/instrument/spec/balance.c \
	modules/instrument/spec/declare.c \
	modules/instrument/spec/declare.h \
	modules/instrument/spec/expand.c \
	modules/instrument/spec/filter.c \
	modules/instrument/spec/ftoken.c \
	modules/instrument/spec/ftoken.h \
	modules/instrument/spec/match.c \
	modules/instrument/spec/read.c \
	modules/instrument/spec/show.c \
	modules/instrument/spec/spec.h \
	modules/instrument/spec/words.c \
	modules/instrument/spec/words.h

# eztsh-instrument: specifications on source code. For C and C++ it needs libclang, which eztsh
# itself never loads.
bin_PROGRAMS += eztsh-instrument
eztsh_instrument_SOURCES = \
	modules/instrument/source/command.c \
	modules/instrument/source/command.h \
	modules/instrument/source/depends.c \
	modules/instrument/source/depends.h \
	modules/instrument/source/edit.c \
	modules/instrument/source/edit.h \
	modules/instrument/source/fdirective.c \
	modules/instrument/source/fdirective.h \
	modules/instrument/source/floop.c \
	modules/instrument/source/floop.h \
	modules/instrument/source/fortran.c \
	modules/instrument/source/fown.c \
	modules/instrument/source/fown.h \
	modules/instrument/source/fwrap.c \
	modules/instrument/source/fwrap.h \
	modules/instrument/source/instrument.h \
	modules/instrument/source/instrumented.c \
	modules/instrument/source/lines.c \
	modules/instrument/source/lines.h \
	modules/instrument/source/main.c \
	modules/instrument/source/main.h \
	modules/instrument/source/options.c \
	modules/instrument/source/scan.c \
	modules/instrument/source/scan.h \
	modules/instrument/source/scratch.c \
	modules/instrument/source/scratch.h \
	modules/instrument/source/unit.c \
	modules/instrument/source/unit.h \
	modules/instrument/source/wrap.c
if HAVE_LIBCLANG
eztsh_instrument_SOURCES += \
	modules/instrument/source/body.c \
	modules/instrument/source/body.h \
	modules/instrument/source/branch.c \
	modules/instrument/source/branch.h \
	modules/instrument/source/call.c \
	modules/instrument/source/frame.c \
	modules/instrument/source/instrument.c \
	modules/instrument/source/macro.c \
	modules/instrument/source/macro.h \
	modules/instrument/source/own.c \
	modules/instrument/source/own.h \
	modules/instrument/source/routine.c \
	modules/instrument/source/routine.h \
	modules/instrument/source/tu.c \
	modules/instrument/source/tu.h
endif
eztsh_instrument_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
eztsh_instrument_LDADD = $(EZ_MODULES_LIBS) $(LIBCLANG_LIBS)
EXTRA_DIST += modules/instrument/README.md modules/instrument/fragment/README.md modules/instrument/source/README.md \
	modules/instrument/spec/README.md
