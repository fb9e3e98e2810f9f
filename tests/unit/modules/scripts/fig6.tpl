# Paper 002 (CCGrid 2011), figure 6. It lacks the frame: BEGIN_MODULE and END_MODULE, and an ID,
# are added.
BEGIN_MODULE
NAME foo
DESC "Plugin for the foo library"
LANGUAGE C
TYPE LIBRARY
ID 10
int foo(int arg1, int arg2)
BEGIN
RECORD_STATE("doing function foo")
END
void bar(int arg1)
BEGIN
EVENT("function bar called")
END
END_MODULE
