# files of examples/
