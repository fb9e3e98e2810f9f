# The runtime blob. It has its own rules: the user's CFLAGS, sanitizers, LTO and the stack protector
# must not reach it. The build fails on an undefined symbol and on a relocation that remains.
# Processors without a runtime have no such files in arch/, and NULL in ez_arch.rt.
if EZ_RUNTIME
RT_BLOB = engine/rt/blob.o
endif
RT_CFLAGS = -std=gnu11 -O2 -ffreestanding -fPIC -fvisibility=hidden \
	$(RT_ARCH_CFLAGS) -fno-stack-protector -fno-lto \
	$(RT_LOOPS) -fasynchronous-unwind-tables -Wframe-larger-than=160 -Wall -Wextra -Werror
# Functions for clauses may use twice the stack of the others.
RT_DEEPER = -Wframe-larger-than=192
RT_CPPFLAGS = -I$(top_srcdir) -I$(top_srcdir)/arch/$(EZ_ARCH)
RT_DEPS = $(top_srcdir)/engine/rt/rt.h $(top_srcdir)/engine/rt/rt_priv.h \
	$(top_srcdir)/engine/ring_abi.h $(top_srcdir)/engine/data_abi.h $(top_srcdir)/engine/rt/rt_code.h \
	$(top_srcdir)/arch/$(EZ_ARCH)/rt_regs.h \
	$(top_srcdir)/arch/$(EZ_ARCH)/rt_arch.h $(top_srcdir)/arch/$(EZ_ARCH)/rt_macros.h
EXTRA_DIST += engine/rt/rt.c engine/rt/rt_chunk.c engine/rt/rt_clock.c \
	engine/rt/rt_act.c engine/rt/rt_addup.c engine/rt/rt_code.c engine/rt/rt_code.h engine/rt/rt_data.c engine/rt/rt_dl.c engine/rt/rt_event.c engine/rt/rt_fragment.c engine/rt/rt_hook.c engine/rt/rt_buffer.c engine/rt/rt_left.c engine/rt/rt_read.c engine/rt/rt_trap.c engine/rt/rt.h \
	engine/rt/rt_priv.h engine/rt/blob.ld arch/x86_64/rt_entry.S \
	arch/x86_64/rt_pool.S arch/x86_64/rt_keep.S arch/x86_64/rt_fragment.S arch/x86_64/rt_macros.h arch/x86_64/rt_arch.h arch/x86_64/rt_regs.h

engine/rt/rt_c.o: $(top_srcdir)/engine/rt/rt.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt.c -o $@
engine/rt/rt_clock.o: $(top_srcdir)/engine/rt/rt_clock.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_clock.c -o $@
engine/rt/rt_trap.o: $(top_srcdir)/engine/rt/rt_trap.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_trap.c -o $@
engine/rt/rt_hook.o: $(top_srcdir)/engine/rt/rt_hook.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_hook.c -o $@
engine/rt/rt_event.o: $(top_srcdir)/engine/rt/rt_event.c $(top_srcdir)/modules/ezt_probe.h $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_event.c -o $@
engine/rt/rt_dl.o: $(top_srcdir)/engine/rt/rt_dl.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_dl.c -o $@
engine/rt/rt_left.o: $(top_srcdir)/engine/rt/rt_left.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_left.c -o $@
engine/rt/rt_buffer.o: $(top_srcdir)/engine/rt/rt_buffer.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_buffer.c -o $@
engine/rt/rt_chunk.o: $(top_srcdir)/engine/rt/rt_chunk.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_chunk.c -o $@
engine/rt/rt_addup.o: $(top_srcdir)/engine/rt/rt_addup.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_addup.c -o $@
engine/rt/rt_act.o: $(top_srcdir)/engine/rt/rt_act.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_act.c -o $@
engine/rt/rt_code.o: $(top_srcdir)/engine/rt/rt_code.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) $(RT_DEEPER) -c $(top_srcdir)/engine/rt/rt_code.c -o $@
engine/rt/rt_data.o: $(top_srcdir)/engine/rt/rt_data.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) $(RT_DEEPER) -c $(top_srcdir)/engine/rt/rt_data.c -o $@
engine/rt/rt_read.o: $(top_srcdir)/engine/rt/rt_read.c $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_read.c -o $@
engine/rt/rt_fragment.o: $(top_srcdir)/engine/rt/rt_fragment.c $(top_srcdir)/modules/ezt_fragment.h $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) $(RT_CFLAGS) -c $(top_srcdir)/engine/rt/rt_fragment.c -o $@
engine/rt/rt_switch.o: $(top_srcdir)/arch/$(EZ_ARCH)/rt_fragment.S $(top_srcdir)/modules/ezt_fragment.h $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) -fPIC -c $(top_srcdir)/arch/$(EZ_ARCH)/rt_fragment.S -o $@
engine/rt/rt_keep.o: $(top_srcdir)/arch/$(EZ_ARCH)/rt_keep.S $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) -fPIC -c $(top_srcdir)/arch/$(EZ_ARCH)/rt_keep.S -o $@
engine/rt/rt_entry.o: $(top_srcdir)/arch/$(EZ_ARCH)/rt_entry.S $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) -fPIC -c $(top_srcdir)/arch/$(EZ_ARCH)/rt_entry.S -o $@
engine/rt/rt_pool.o: $(top_srcdir)/arch/$(EZ_ARCH)/rt_pool.S $(RT_DEPS)
	@$(MKDIR_P) engine/rt
	$(AM_V_CC)$(CC) $(RT_CPPFLAGS) -fPIC -c $(top_srcdir)/arch/$(EZ_ARCH)/rt_pool.S -o $@
RT_OBJS = engine/rt/rt_entry.o engine/rt/rt_keep.o engine/rt/rt_pool.o engine/rt/rt_c.o engine/rt/rt_chunk.o engine/rt/rt_hook.o \
	engine/rt/rt_act.o engine/rt/rt_addup.o engine/rt/rt_clock.o engine/rt/rt_code.o engine/rt/rt_data.o engine/rt/rt_dl.o engine/rt/rt_event.o engine/rt/rt_fragment.o engine/rt/rt_switch.o engine/rt/rt_buffer.o engine/rt/rt_left.o engine/rt/rt_read.o engine/rt/rt_trap.o
engine/rt/blob.elf: $(RT_OBJS) $(top_srcdir)/engine/rt/blob.ld
	$(AM_V_GEN)$(LD) -static -nostdlib --no-undefined --emit-relocs -z noexecstack \
	  --no-warn-rwx-segments -T $(top_srcdir)/engine/rt/blob.ld -o $@ \
	  $(RT_OBJS)
	@$(READELF) -rW $@ | awk '/^Relocation section/ { sec = $$3 } \
	  $$3 ~ /^$(RT_ARCH_RELOCS)$$/ && sec !~ /ezhdr|rodata/ || $$3 ~ /GOT|RELATIVE|TPOFF/ \
	  { print "a relocation is left in the runtime: " $$0; bad = 1 } END { exit bad }' >&2 \
	  || { rm -f $@; exit 1; }
engine/rt/blob.bin: engine/rt/blob.elf
	$(AM_V_GEN)$(OBJCOPY) -O binary -j .ezhdr -j .text -j .rodata -j .eh_frame $< $@
engine/rt/blob.o: engine/rt/blob.bin
	$(AM_V_GEN)printf '.section .rodata,"a"\n.balign 16\n.globl ez_blob, ez_blob_end\n.hidden ez_blob, ez_blob_end\nez_blob:\n.incbin "engine/rt/blob.bin"\nez_blob_end:\n.section .note.GNU-stack,"",@progbits\n' > engine/rt/blob.s; $(CC) -c engine/rt/blob.s -o $@
CLEANFILES += $(RT_OBJS) engine/rt/blob.elf engine/rt/blob.bin \
	engine/rt/blob.s engine/rt/blob.o
