libezt_engine_a_SOURCES += arch/aarch64/a64.h arch/aarch64/decode.c arch/aarch64/regs.c \
	arch/aarch64/restorer.c arch/aarch64/user.c
