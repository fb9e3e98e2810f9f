# Tests of the trace: from shared memory to the file and back.
check_PROGRAMS += tests/check_calls
TESTS += tests/check_calls
tests_check_calls_SOURCES = tests/unit/engine/check_calls.c
tests_check_calls_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_switches
TESTS += tests/check_switches
tests_check_switches_SOURCES = tests/unit/engine/check_switches.c
tests_check_switches_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_drain
TESTS += tests/check_drain
tests_check_drain_SOURCES = tests/unit/engine/check_drain.c \
	tests/unit/engine/drain_harness.h
tests_check_drain_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=drain_file_checkpoint -Wl,--wrap=drain_buffers
tests_check_drain_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_job
TESTS += tests/check_job
tests_check_job_SOURCES = tests/unit/engine/check_job.c
tests_check_job_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_budget
TESTS += tests/check_budget
tests_check_budget_SOURCES = tests/unit/engine/check_budget.c
tests_check_budget_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_fxt
TESTS += tests/check_fxt
tests_check_fxt_SOURCES = tests/unit/engine/check_fxt.c
tests_check_fxt_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_convert
TESTS += tests/check_convert
tests_check_convert_SOURCES = tests/unit/engine/check_convert.c
tests_check_convert_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_replay
TESTS += tests/check_replay
tests_check_replay_SOURCES = tests/unit/engine/check_replay.c tests/unit/engine/trace_file.h
tests_check_replay_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_model
TESTS += tests/check_model
tests_check_model_SOURCES = tests/unit/engine/check_model.c tests/unit/engine/trace_file.h
tests_check_model_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_mpi
TESTS += tests/check_mpi
tests_check_mpi_SOURCES = tests/unit/engine/check_mpi.c
tests_check_mpi_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_messages
TESTS += tests/check_messages
tests_check_messages_SOURCES = tests/unit/engine/check_messages.c
tests_check_messages_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_adds
TESTS += tests/check_adds
tests_check_adds_SOURCES = tests/unit/engine/check_adds.c tests/unit/engine/trace_file.h
tests_check_adds_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_throttle
TESTS += tests/check_throttle
tests_check_throttle_SOURCES = tests/unit/engine/check_throttle.c tests/unit/engine/trace_file.h
tests_check_throttle_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_values
TESTS += tests/check_values
tests_check_values_SOURCES = tests/unit/engine/check_values.c \
	tests/unit/engine/formats_story.h tests/unit/tool.h
tests_check_values_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_formats
TESTS += tests/check_formats
tests_check_formats_SOURCES = tests/unit/engine/check_formats.c \
	tests/unit/engine/formats_story.h
tests_check_formats_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_html
TESTS += tests/check_html
tests_check_html_SOURCES = tests/unit/engine/check_html.c
tests_check_html_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open
tests_check_html_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_outputs
TESTS += tests/check_outputs
tests_check_outputs_SOURCES = tests/unit/engine/check_outputs.c \
	tests/unit/engine/formats_story.h
tests_check_outputs_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_stats
TESTS += tests/check_stats
tests_check_stats_SOURCES = tests/unit/engine/check_stats.c tests/unit/engine/trace_file.h
tests_check_stats_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_stats_rows
TESTS += tests/check_stats_rows
tests_check_stats_rows_SOURCES = tests/unit/engine/check_stats_rows.c
tests_check_stats_rows_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_clock
TESTS += tests/check_clock
tests_check_clock_SOURCES = tests/unit/engine/check_clock.c
tests_check_clock_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_gtg
TESTS += tests/check_gtg
tests_check_gtg_SOURCES = tests/unit/engine/check_gtg.c
tests_check_gtg_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS) -lm
check_PROGRAMS += tests/check_convert_out
TESTS += tests/check_convert_out
tests_check_convert_out_SOURCES = tests/unit/engine/check_convert_out.c \
	tests/unit/engine/trace_file.h
tests_check_convert_out_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/check_gtg_feed
TESTS += tests/check_gtg_feed
tests_check_gtg_feed_SOURCES = tests/unit/engine/check_gtg_feed.c
tests_check_gtg_feed_LDADD = $(CHECK_LIBS)

check_PROGRAMS += tests/check_read
TESTS += tests/check_read
tests_check_read_SOURCES = tests/unit/engine/check_read.c tests/unit/engine/trace_file.h
tests_check_read_LDADD = $(EZ_ENGINE_LIBS) $(FXT_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_kept
TESTS += tests/check_kept
tests_check_kept_SOURCES = tests/unit/engine/check_kept.c
tests_check_kept_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_chunks
TESTS += tests/check_chunks
tests_check_chunks_SOURCES = tests/unit/engine/check_chunks.c engine/rt/rt_chunk.c
tests_check_chunks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/arch/$(EZ_ARCH)
tests_check_chunks_LDADD = $(CHECK_LIBS)

check_PROGRAMS += tests/check_unreadable
TESTS += tests/check_unreadable
tests_check_unreadable_SOURCES = tests/unit/engine/check_unreadable.c \
	tests/unit/engine/trace_file.h
tests_check_unreadable_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pread -Wl,--wrap=pwrite -Wl,--wrap=read \
	-Wl,--wrap=ftruncate -Wl,--wrap=fstat -Wl,--wrap=rename -Wl,--wrap=renameat2 -Wl,--wrap=open \
	-Wl,--wrap=deflateInit2_
tests_check_unreadable_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_drain_said
TESTS += tests/check_drain_said
tests_check_drain_said_SOURCES = tests/unit/engine/check_drain_said.c tests/unit/engine/drain_harness.h
tests_check_drain_said_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_otf2
TESTS += tests/check_otf2
wrap_otf2 = -Wl,--wrap=OTF2_Archive_
tests_check_otf2_SOURCES = tests/unit/engine/check_otf2.c tests/unit/engine/trace_file.h
tests_check_otf2_LDFLAGS = $(AM_LDFLAGS) $(wrap_otf2)SetCreator $(wrap_otf2)OpenEvtFiles $(wrap_otf2)GetEvtWriter \
	$(wrap_otf2)CloseEvtWriter $(wrap_otf2)CloseEvtFiles $(wrap_otf2)OpenDefFiles \
	$(wrap_otf2)GetDefWriter $(wrap_otf2)CloseDefWriter $(wrap_otf2)CloseDefFiles \
	$(wrap_otf2)GetGlobalDefWriter $(wrap_otf2)CloseGlobalDefWriter $(wrap_otf2)Close \
	$(wrap_otf2)Open $(wrap_otf2)SetFlushCallbacks $(wrap_otf2)SetMemoryCallbacks \
	$(wrap_otf2)SetSerialCollectiveCallbacks \
	-Wl,--wrap=OTF2_AttributeList_New -Wl,--wrap=OTF2_GlobalDefWriter_WriteString \
	-Wl,--wrap=fallocate
tests_check_otf2_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_text
TESTS += tests/check_text
tests_check_text_SOURCES = tests/unit/engine/check_text.c
tests_check_text_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_about
TESTS += tests/check_about
tests_check_about_SOURCES = tests/unit/engine/check_about.c
tests_check_about_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_zst
TESTS += tests/check_zst
tests_check_zst_SOURCES = tests/unit/engine/check_zst.c tests/unit/engine/trace_file.h
tests_check_zst_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=pread
tests_check_zst_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_filter
TESTS += tests/check_filter
tests_check_filter_SOURCES = tests/unit/engine/check_filter.c tests/unit/engine/drain_harness.h
tests_check_filter_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/check_snapshot
TESTS += tests/check_snapshot
tests_check_snapshot_SOURCES = tests/unit/engine/check_snapshot.c tests/unit/engine/drain_harness.h
tests_check_snapshot_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS)
