# The one program that is linked with libgtg.
pkglibexec_PROGRAMS += ezt-gtg
ezt_gtg_SOURCES = engine/gtg/ezt_gtg.c
ezt_gtg_LDADD = $(GTG_LIBS)
