# The one program that is linked with libgtg.
pkglibexec_PROGRAMS += ezt-gtg
ezt_gtg_SOURCES = engine/format/gtg/proto.h engine/format/gtg/gtg.h engine/format/gtg/ezt_gtg.c engine/format/gtg/feed.c \
	engine/format/gtg/write.c engine/format/gtg/after.c engine/format/gtg/otf.c
ezt_gtg_LDADD = $(GTG_LIBS) $(ZLIB_LIBS) -lm
# See register_printf_type in write.c.
ezt_gtg_LDFLAGS = $(AM_LDFLAGS) -rdynamic
