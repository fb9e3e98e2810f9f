if HAVE_JSON_C
check_PROGRAMS += tests/check_context tests/check_driver tests/check_front tests/check_reply tests/check_series
TESTS += tests/check_context tests/check_driver tests/check_front tests/check_reply tests/check_series
tests_check_context_SOURCES = tests/unit/jobs/check_context.c
tests_check_context_LDADD = $(EZ_ENGINE_LIBS) $(JSON_LIBS) $(CHECK_LIBS)
tests_check_driver_SOURCES = tests/unit/jobs/check_driver.c
tests_check_driver_LDADD = $(EZ_ENGINE_LIBS) $(JSON_LIBS) $(CHECK_LIBS)
tests_check_front_SOURCES = tests/unit/jobs/check_front.c
tests_check_front_LDADD = $(EZ_ENGINE_LIBS) $(JSON_LIBS) $(CHECK_LIBS)
tests_check_reply_SOURCES = tests/unit/jobs/check_reply.c
tests_check_reply_LDADD = $(EZ_ENGINE_LIBS) $(JSON_LIBS) $(CHECK_LIBS)
tests_check_series_SOURCES = tests/unit/jobs/check_series.c
tests_check_series_LDADD = $(EZ_ENGINE_LIBS) $(JSON_LIBS) $(CHECK_LIBS)
endif
