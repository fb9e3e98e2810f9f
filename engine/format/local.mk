EXTRA_DIST += engine/format/README.md
libezt_engine_a_SOURCES += \
	engine/format/conv.h \
	engine/format/conv_chrome.c \
	engine/format/conv_csv.c \
	engine/format/conv_folded.c \
	engine/format/conv_gtg.c \
	engine/format/conv_html.c \
	engine/format/conv_html.h \
	engine/format/conv_html_adds.c \
	engine/format/conv_html_data.c \
	engine/format/conv_otf2.c \
	engine/format/conv_otf2.h \
	engine/format/conv_otf2_comm.c \
	engine/format/conv_otf2_defs.c \
	engine/format/conv_otf2_places.c \
	engine/format/conv_otf2_values.c \
	engine/format/conv_values.c \
	engine/format/conv_values.h \
	engine/format/convert.c \
	engine/format/convert.h \
	engine/format/formats.h \
	engine/format/gtg/proto.h \
	engine/format/report/page.h

# The page of `report`, inside the program.
report_parts = engine/format/report/page.html engine/format/report/page.css engine/format/report/page.js \
	engine/format/report/adds.js
EXTRA_DIST += $(report_parts)
CLEANFILES += engine/format/report/page.s engine/format/report/page.o
engine/format/report/page.o: $(report_parts)
	@$(MKDIR_P) engine/format/report
	$(AM_V_GEN){ echo '.section .rodata,"a"'; for f in page.html page.css page.js adds.js; do \
	  n=$$(echo $$f | tr . _); \
	  printf '.globl ez_%s\n.hidden ez_%s\nez_%s:\n.incbin "%s/engine/format/report/%s"\n.byte 0\n' \
	  $$n $$n $$n '$(top_srcdir)' $$f; done; echo '.section .note.GNU-stack,"",@progbits'; } \
	  > engine/format/report/page.s && $(CC) -c engine/format/report/page.s -o $@
