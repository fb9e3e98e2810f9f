BEGIN_MODULE
NAME example_lib
DESC "module for the example library"
LANGUAGE C
ID 42

int example_function2(int* array, int array_size)
BEGIN
    RECORD_STATE("running example_function2")
END
END_MODULE
