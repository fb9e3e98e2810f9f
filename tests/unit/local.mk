# Unit tests, a folder for each room. The program tests/unit/ROOM/check_NAME is made of check_NAME.c there and
# the engine (LDADD); what else a program needs is below.
LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
unit_tests = \
	tests/unit/analysis/check_analysis \
	tests/unit/arch/check_a64 tests/unit/arch/check_decode tests/unit/arch/check_operand tests/unit/arch/check_plain \
	tests/unit/arch/check_reloc tests/unit/arch/check_restorer tests/unit/arch/check_results \
	tests/unit/arch/check_scan tests/unit/arch/check_straight tests/unit/arch/check_syscalls \
	tests/unit/base/check_foreign tests/unit/base/check_newfile tests/unit/base/check_outputs \
	tests/unit/base/check_text tests/unit/base/check_unreadable tests/unit/base/check_zst \
	tests/unit/check/check_check tests/unit/check/check_cost tests/unit/code/check_analyze \
	tests/unit/code/check_frame tests/unit/code/check_leads tests/unit/code/check_patch_region \
	tests/unit/dwarf/check_dwarf tests/unit/dwarf/check_srcline tests/unit/eval/check_eval \
	tests/unit/expr/check_expr tests/unit/expr/check_plain tests/unit/format/check_convert \
	tests/unit/format/check_convert_out tests/unit/format/check_formats tests/unit/format/check_gtg \
	tests/unit/format/check_gtg_feed tests/unit/format/check_otf2 tests/unit/format/check_proto tests/unit/inferior/check_called \
	tests/unit/inferior/check_inject tests/unit/inferior/check_live tests/unit/inferior/check_places \
	tests/unit/inferior/check_steps tests/unit/inferior/check_stuck tests/unit/inferior/check_two \
	tests/unit/jobs/check_context tests/unit/jobs/check_driver tests/unit/jobs/check_front \
	tests/unit/jobs/check_mpir \
	tests/unit/jobs/check_reply tests/unit/jobs/check_series tests/unit/modules/check_emit \
	tests/unit/modules/check_module tests/unit/modules/check_script tests/unit/modules/check_spec \
	tests/unit/patch/check_alone tests/unit/patch/check_denied tests/unit/patch/check_islands \
	tests/unit/patch/check_layout tests/unit/patch/check_patch tests/unit/patch/check_refer \
	tests/unit/patch/check_refused tests/unit/patch/check_room tests/unit/patch/check_trap \
	tests/unit/patch/check_unfit tests/unit/plugin/check_plugin tests/unit/probe/check_budget \
	tests/unit/probe/check_probe_spec tests/unit/process/check_adopt tests/unit/process/check_kept \
	tests/unit/process/check_life tests/unit/process/check_restore tests/unit/record/check_calls \
	tests/unit/record/check_clock tests/unit/record/check_drain tests/unit/record/check_drain_said \
	tests/unit/record/check_filter tests/unit/record/check_forged tests/unit/record/check_fxt \
	tests/unit/record/check_job tests/unit/record/check_snapshot tests/unit/record/check_switches \
	tests/unit/rt/check_chunks tests/unit/rt/check_code tests/unit/rt/check_code_adds \
	tests/unit/rt/check_event tests/unit/rt/check_fragment tests/unit/rt/check_rt tests/unit/shell/check_back \
	tests/unit/shell/check_long tests/unit/shell/check_quit tests/unit/shell/check_repl \
	tests/unit/shell/check_shell tests/unit/sym/check_fde tests/unit/sym/check_stap tests/unit/sym/check_sym \
	tests/unit/trace/check_about tests/unit/trace/check_adds tests/unit/trace/check_calltree \
	tests/unit/trace/check_by_thread tests/unit/trace/check_diff tests/unit/trace/check_filter \
	tests/unit/trace/check_html tests/unit/trace/check_html_links tests/unit/trace/check_index \
	tests/unit/trace/check_intervals tests/unit/trace/check_locks tests/unit/trace/check_messages \
	tests/unit/trace/check_model tests/unit/trace/check_mpi tests/unit/trace/check_nesting \
	tests/unit/trace/check_noise tests/unit/trace/check_read tests/unit/trace/check_replay tests/unit/trace/check_roles \
	tests/unit/trace/check_slowest tests/unit/trace/check_stats tests/unit/trace/check_stats_rows \
	tests/unit/trace/check_throttle tests/unit/trace/check_values
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

# Files of the engine alone, in a process that is made up (fake.h).
fake = -Wl,--wrap=ez_mem_read_some -Wl,--wrap=ez_mem_read -Wl,--wrap=ez_mem_write \
	-Wl,--wrap=ez_object_syms -Wl,--wrap=ez_object_find_addr -Wl,--wrap=ez_symbol_addr \
	-Wl,--wrap=ez_object_relocs -Wl,--wrap=ez_dynreloc_name -Wl,--wrap=ez_dynreloc_in_got \
	-Wl,--wrap=ez_object_section -Wl,--wrap=ez_object_read_text -Wl,--wrap=ez_object_interp
wrap_otf2 = -Wl,--wrap=OTF2_Archive_

# check_a64 decodes AArch64's instructions on any processor; on an AArch64 one the engine has the decoder.
tests_unit_arch_check_a64_SOURCES = tests/unit/arch/check_a64.c
if !ARCH_AARCH64
tests_unit_arch_check_a64_SOURCES += arch/aarch64/decode.c
endif
tests_unit_arch_check_decode_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=x64_split
tests_unit_base_check_unreadable_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pread -Wl,--wrap=pwrite -Wl,--wrap=read \
	-Wl,--wrap=ftruncate -Wl,--wrap=fstat -Wl,--wrap=rename -Wl,--wrap=renameat2 -Wl,--wrap=open \
	-Wl,--wrap=deflateInit2_
tests_unit_base_check_zst_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=pread
tests_unit_check_check_check_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_read_some
tests_unit_check_check_cost_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pipe2 -Wl,--wrap=posix_spawn \
	-Wl,--wrap=ez_now_exact
tests_unit_code_check_frame_SOURCES = tests/unit/code/check_frame.c tests/unit/code/frame_cases.S
tests_unit_expr_check_expr_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_arch_host
tests_unit_format_check_gtg_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS) -lm
tests_unit_format_check_gtg_feed_LDADD = $(CHECK_LIBS)
tests_unit_format_check_otf2_LDFLAGS = $(AM_LDFLAGS) $(wrap_otf2)SetCreator $(wrap_otf2)OpenEvtFiles \
	$(wrap_otf2)GetEvtWriter $(wrap_otf2)CloseEvtWriter $(wrap_otf2)CloseEvtFiles $(wrap_otf2)OpenDefFiles \
	$(wrap_otf2)GetDefWriter $(wrap_otf2)CloseDefWriter $(wrap_otf2)CloseDefFiles $(wrap_otf2)GetGlobalDefWriter \
	$(wrap_otf2)CloseGlobalDefWriter $(wrap_otf2)Close $(wrap_otf2)Open $(wrap_otf2)SetFlushCallbacks \
	$(wrap_otf2)SetMemoryCallbacks $(wrap_otf2)SetSerialCollectiveCallbacks -Wl,--wrap=OTF2_AttributeList_New \
	-Wl,--wrap=OTF2_GlobalDefWriter_WriteString -Wl,--wrap=fallocate
tests_unit_inferior_check_called_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pt_poke
tests_unit_inferior_check_inject_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_restorer_for
tests_unit_inferior_check_stuck_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_maps_read -Wl,--wrap=ez_restorer_for \
	-Wl,--wrap=ez_thread_step -Wl,--wrap=ez_thread_report -Wl,--wrap=ez_inject_copy -Wl,--wrap=ez_now_ms \
	-Wl,--wrap=pt_syscall -Wl,--wrap=pt_interrupt -Wl,--wrap=pt_cont -Wl,--wrap=pt_step
tests_unit_modules_check_emit_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
tests_unit_modules_check_module_SOURCES = tests/unit/modules/check_module.c tests/unit/modules/host.cc
tests_unit_jobs_check_driver_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fork
tests_unit_jobs_check_mpir_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_unit_record_check_fxt_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=close
tests_unit_modules_check_module_LDFLAGS = $(AM_LDFLAGS) -rdynamic -Wl,--wrap=ez_header_folder
tests_unit_modules_check_module_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS) -ldl
tests_unit_modules_check_script_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
tests_unit_modules_check_spec_LDADD = $(EZ_MODULES_LIBS) $(CHECK_LIBS)
tests_unit_patch_check_alone_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_inject_thread \
	-Wl,--wrap=ez_inject_call
tests_unit_patch_check_denied_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_fetch_fd -Wl,--wrap=ftruncate \
	-Wl,--wrap=fallocate -Wl,--wrap=fcntl -Wl,--wrap=mmap -Wl,--wrap=pwritev -Wl,--wrap=sendmsg -Wl,--wrap=fstat \
	-Wl,--wrap=memfd_create -Wl,--wrap=open -Wl,--wrap=pthread_create
tests_unit_patch_check_islands_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_maps_read \
	-Wl,--wrap=ez_maps_free -Wl,--wrap=ez_inject_mmap
tests_unit_patch_check_layout_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_inject_thread \
	-Wl,--wrap=ez_inject_allowed -Wl,--wrap=ez_inject_syscall
tests_unit_patch_check_patch_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_write -Wl,--wrap=ez_pc_fixup
tests_unit_patch_check_refer_CFLAGS = $(AM_CFLAGS) -pthread
tests_unit_patch_check_refused_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwritev -Wl,--wrap=fork -Wl,--wrap=pipe2 \
	-Wl,--wrap=write -Wl,--wrap=pwrite -Wl,--wrap=eventfd -Wl,--wrap=signalfd
tests_unit_patch_check_room_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_maps_read -Wl,--wrap=ez_maps_gap \
	-Wl,--wrap=ez_inject_mmap -Wl,--wrap=ez_inject_syscall -Wl,--wrap=ez_inject_thread
tests_unit_patch_check_unfit_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_proc_status -Wl,--wrap=ez_object_machine \
	-Wl,--wrap=ez_island_mapped -Wl,--wrap=ez_progress_step
tests_unit_process_check_restore_LDFLAGS = $(AM_LDFLAGS) $(fake) -Wl,--wrap=ez_pc_fixup
tests_unit_record_check_drain_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=drain_file_checkpoint \
	-Wl,--wrap=drain_buffers
tests_unit_record_check_forged_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ez_mem_read
tests_unit_record_check_snapshot_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=drain_accounting
tests_unit_rt_check_chunks_SOURCES = tests/unit/rt/check_chunks.c engine/rt/rt_chunk.c
tests_unit_rt_check_chunks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_unit_rt_check_chunks_LDADD = $(CHECK_LIBS)
tests_unit_rt_check_code_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_unit_rt_check_code_adds_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_unit_rt_check_event_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_unit_rt_check_fragment_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH) \
	-I$(top_srcdir)/modules
tests_unit_rt_check_fragment_CFLAGS = $(AM_CFLAGS) -mno-red-zone -O1
tests_unit_rt_check_fragment_LDADD = engine/rt/rt_fragment.o engine/rt/rt_switch.o $(EZ_ENGINE_LIBS) \
	$(CHECK_LIBS) -lm
tests_unit_rt_check_rt_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_unit_rt_check_rt_LDADD = $(CHECK_LIBS)
tests_unit_shell_check_back_LDADD = $(EZ_SHELL_LIBS) $(CHECK_LIBS)
tests_unit_shell_check_long_SOURCES = tests/unit/shell/check_long.c tests/unit/shell/pty.c
tests_unit_shell_check_long_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS) -lutil
tests_unit_shell_check_quit_SOURCES = tests/unit/shell/check_quit.c tests/unit/shell/pty.c
tests_unit_shell_check_quit_LDADD = $(CHECK_LIBS) -lutil
tests_unit_shell_check_repl_SOURCES = tests/unit/shell/check_repl.c tests/unit/shell/pty.c
tests_unit_shell_check_repl_LDADD = $(CHECK_LIBS) -lutil
tests_unit_shell_check_shell_SOURCES = tests/unit/shell/check_shell.c tests/unit/shell/check_table.c \
	tests/unit/shell/check_lex.c tests/unit/shell/check_out.c tests/unit/shell/check_dispatch.c \
	tests/unit/shell/check_options.c tests/unit/shell/check_opt.c tests/unit/shell/check_read.c \
	tests/unit/shell/check_loop.c tests/unit/shell/check_mask.c
tests_unit_shell_check_shell_LDADD = $(EZ_SHELL_LIBS) $(CHECK_LIBS)
tests_unit_sym_check_sym_SOURCES = tests/unit/sym/check_sym.c tests/unit/sym/check_elf.c
tests_unit_trace_check_html_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open
tests_unit_trace_check_read_LDADD = $(EZ_ENGINE_LIBS) $(FXT_LIBS) $(CHECK_LIBS)
