EXTRA_DIST += engine/base/README.md
libezt_engine_a_SOURCES += \
	engine/base/arena.c \
	engine/base/base.h \
	engine/base/confine.c \
	engine/base/confine.h \
	engine/base/err.c \
	engine/base/err.h \
	engine/base/fault.c \
	engine/base/fault.h \
	engine/base/folders.c \
	engine/base/folders.h \
	engine/base/foreign.c \
	engine/base/foreign.h \
	engine/base/hash.c \
	engine/base/hash.h \
	engine/base/heap.h \
	engine/base/helper.c \
	engine/base/helper.h \
	engine/base/jail.c \
	engine/base/jail.h \
	engine/base/newfile.c \
	engine/base/newfile.h \
	engine/base/now.c \
	engine/base/now.h \
	engine/base/outdir.c \
	engine/base/outdir.h \
	engine/base/outfile.c \
	engine/base/outfile.h \
	engine/base/progress.h \
	engine/base/spool.c \
	engine/base/spool.h \
	engine/base/strutil.c \
	engine/base/strutil.h \
	engine/base/vec.h \
	engine/base/zst.h \
	engine/base/zst_in.c \
	engine/base/zst_out.c
