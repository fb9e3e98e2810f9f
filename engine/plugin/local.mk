EXTRA_DIST += engine/plugin/README.md
libezt_engine_a_SOURCES += \
	engine/plugin/attach.c \
	engine/plugin/clean.c \
	engine/plugin/deliver.c \
	engine/plugin/import.c \
	engine/plugin/plugin.c \
	engine/plugin/plugin.h \
	engine/plugin/search.c \
	engine/plugin/spec.c \
	engine/plugin/spec_info.c \
	engine/plugin/watch.c
