# files of shell/
