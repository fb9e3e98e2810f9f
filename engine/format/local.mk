EXTRA_DIST += engine/format/README.md
libezt_engine_a_SOURCES += \
	engine/format/conv.h \
	engine/format/conv_callgrind.c \
	engine/format/conv_chrome.c \
	engine/format/conv_columns.c \
	engine/format/conv_columns.h \
	engine/format/conv_csv.c \
	engine/format/conv_ctf.c \
	engine/format/conv_folded.c \
	engine/format/conv_gtg.c \
	engine/format/conv_html.c \
	engine/format/conv_html.h \
	engine/format/conv_html_adds.c \
	engine/format/conv_html_chunks.c \
	engine/format/conv_html_chunks.h \
	engine/format/conv_html_data.c \
	engine/format/conv_html_links.c \
	engine/format/conv_html_links.h \
	engine/format/conv_html_places.c \
	engine/format/conv_label.h \
	engine/format/conv_ids.c \
	engine/format/conv_ids.h \
	engine/format/conv_otf2.c \
	engine/format/conv_otf2.h \
	engine/format/conv_otf2_comm.c \
	engine/format/conv_otf2_defs.c \
	engine/format/conv_otf2_places.c \
	engine/format/conv_otf2_roles.c \
	engine/format/conv_otf2_io.c \
	engine/format/conv_otf2_sync.c \
	engine/format/conv_otf2_values.c \
	engine/format/conv_speedscope.c \
	engine/format/conv_perfetto.c \
	engine/format/conv_pprof.c \
	engine/format/conv_values.c \
	engine/format/conv_values.h \
	engine/format/conv_words.c \
	engine/format/conv_words.h \
	engine/format/convert.c \
	engine/format/convert.h \
	engine/format/formats.h \
	engine/format/gtg/proto.h \
	engine/format/report/page.h

# The page of `report`, inside the program. Its scripts are one text, in this order.
report_scripts = store.js page.js colors.js lines.js filter.js filtered.js figures.js messages.js locks.js sandwich.js compare.js \
	select.js adds.js
report_parts = engine/format/report/page.html engine/format/report/page.css $(report_scripts:%=engine/format/report/%)
EXTRA_DIST += $(report_parts)
CLEANFILES += engine/format/report/page.s engine/format/report/page.o
engine/format/report/page.o: $(report_parts)
	@$(MKDIR_P) engine/format/report
	$(AM_V_GEN){ part() { printf '.globl ez_%s\n.hidden ez_%s\nez_%s:\n' $$1 $$1 $$1; shift; \
	  printf '.incbin "$(top_srcdir)/engine/format/report/%s"\n' "$$@"; echo '.byte 0'; }; \
	  echo '.section .rodata,"a"'; part page_html page.html; part page_css page.css; part page_scripts $(report_scripts); \
	  echo '.section .note.GNU-stack,"",@progbits'; } > engine/format/report/page.s && $(CC) -c engine/format/report/page.s -o $@

# Formats in protocol buffers: protoc-c makes their messages from our files (configure's --without-protobuf-c).
protos = engine/format/proto/perfetto.proto engine/format/proto/pprof.proto
EXTRA_DIST += $(protos)
if PROTOBUF_C
protos_c = $(protos:.proto=.pb-c.c)
protos_h = $(protos:.proto=.pb-c.h)
nodist_libezt_engine_a_SOURCES = $(protos_c)
BUILT_SOURCES += $(protos_h)
CLEANFILES += $(protos_c) $(protos_h)
$(protos_h): %.pb-c.h: %.proto
	@$(MKDIR_P) engine/format/proto
	$(AM_V_GEN)$(PROTOC_C) --proto_path='$(srcdir)/engine/format/proto' --c_out=engine/format/proto $<
$(protos_c): %.c: %.h
endif
