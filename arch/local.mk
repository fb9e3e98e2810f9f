libezt_engine_a_SOURCES += arch/arch.h arch/host.c arch/x86_64/x64.h arch/x86_64/length.c \
	arch/x86_64/decode.c arch/x86_64/print.c arch/x86_64/reloc.c arch/x86_64/scan.c \
	arch/x86_64/regs.c arch/x86_64/user.h arch/x86_64/user.c
