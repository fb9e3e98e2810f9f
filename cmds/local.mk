# files of cmds/
