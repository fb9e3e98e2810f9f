# Traces through the formats, judged by the formats' own tools; the report by a browser.
trace_tests = tests/trace/formats.sh tests/trace/vite.sh tests/trace/report.sh \
	tests/trace/interrupt.sh tests/trace/speedscope.sh
TESTS += $(trace_tests)
dist_check_SCRIPTS += $(trace_tests)
EXTRA_DIST += tests/trace/totals.py tests/trace/report.py tests/trace/webdriver.py tests/trace/speedscope.py
check_PROGRAMS += tests/trace/hostile tests/trace/pauses
tests_trace_pauses_SOURCES = tests/trace/pauses.c
tests_trace_pauses_LDADD = $(EZ_ENGINE_LIBS)
tests_trace_hostile_SOURCES = tests/trace/hostile.c
tests_trace_hostile_LDADD = $(EZ_ENGINE_LIBS)
