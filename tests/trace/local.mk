# Traces through the formats, judged by the formats' own tools.
trace_tests = tests/trace/formats.sh tests/trace/vite.sh tests/trace/interrupt.sh
TESTS += $(trace_tests)
dist_check_SCRIPTS += $(trace_tests)
EXTRA_DIST += tests/trace/totals.py
