libezt_engine_a_SOURCES += arch/arch.h
