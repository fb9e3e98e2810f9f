# files of doc/
