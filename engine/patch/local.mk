EXTRA_DIST += engine/patch/README.md
libezt_engine_a_SOURCES += \
	engine/patch/alloc.c \
	engine/patch/alloc.h \
	engine/patch/clause.c \
	engine/patch/clause.h \
	engine/patch/clobber.c \
	engine/patch/halt_copy.c \
	engine/patch/ids.c \
	engine/patch/ids.h \
	engine/patch/island.c \
	engine/patch/island.h \
	engine/patch/open_calls.c \
	engine/patch/original.c \
	engine/patch/patch.c \
	engine/patch/pc_fixup.c \
	engine/patch/prove.c \
	engine/patch/return_thunk.c \
	engine/patch/return_thunk.h \
	engine/patch/rt_adopt.c \
	engine/patch/rt_fit.c \
	engine/patch/rt_load.c \
	engine/patch/rt_refer.c \
	engine/patch/rt_refer.h \
	engine/patch/rt_stack.c \
	engine/patch/rt_trim.c \
	engine/patch/runtime.h \
	engine/patch/site.c \
	engine/patch/site.h \
	engine/patch/trap.c \
	engine/patch/trap.h \
	engine/patch/variant.c \
	engine/patch/variant.h \
	engine/patch/variant_adopt.c \
	engine/patch/want.c \
	engine/patch/want.h
