# files of engine/gtg/
