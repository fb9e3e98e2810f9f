EXTRA_DIST += engine/eval/README.md
libezt_engine_a_SOURCES += \
	engine/eval/assign.c \
	engine/eval/called.c \
	engine/eval/eval.c \
	engine/eval/expand.c \
	engine/eval/eval.h \
	engine/eval/eval_priv.h \
	engine/eval/place.h \
	engine/eval/frame.c \
	engine/eval/functions.c \
	engine/eval/held.c \
	engine/eval/lookup.c \
	engine/eval/method.c \
	engine/eval/names.c \
	engine/eval/overload.c \
	engine/eval/passed.c \
	engine/eval/place.c \
	engine/eval/place_ops.c \
	engine/eval/show.c \
	engine/eval/shape.c \
	engine/eval/show_as.c \
	engine/eval/show_class.c \
	engine/eval/member.c \
	engine/eval/show_rust.c \
	engine/eval/show_text.c \
	engine/eval/show_wide.c \
	engine/eval/unit.c \
	engine/eval/frames.c \
	engine/eval/returned.c \
	engine/eval/ours.c \
	engine/eval/step.c \
	engine/eval/tls.c \
	engine/eval/value.c \
	engine/eval/several.c \
	engine/eval/wide.c \
	engine/eval/history.c
