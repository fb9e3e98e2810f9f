# The one program that is linked with libgtg.
pkglibexec_PROGRAMS += ezt-gtg
ezt_gtg_SOURCES = engine/gtg/proto.h engine/gtg/gtg.h engine/gtg/ezt_gtg.c engine/gtg/feed.c \
	engine/gtg/write.c engine/gtg/after.c engine/gtg/otf.c
ezt_gtg_LDADD = $(GTG_LIBS) $(ZLIB_LIBS) -lm
# See register_printf_type in write.c.
ezt_gtg_LDFLAGS = $(AM_LDFLAGS) -rdynamic
