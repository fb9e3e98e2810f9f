# SPDX-License-Identifier: GPL-3.0-or-later
"""check_completion.py SHELL FILES: what Tab makes of a command line in an interactive bash or zsh that has the
completion of FILES. There `eztsh` is a function that prints its words, and a mark. Nothing is typed while a command
runs, for the terminal would write it between the words."""
import os
import pty
import re
import subprocess
import sys
import tempfile
import time

SETUP = {
    "bash": ["bind 'set enable-bracketed-paste off'", ". '%s/eztsh.bash'"],
    # -D: no dump file; -u: whoever owns the folder
    "zsh": ["fpath=('%s' $fpath)", "autoload -Uz compinit", "compinit -D -u", "zstyle ':completion:*' list-prompt ''"],
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}
# what is typed, Tab behind it: the words that the program then gets
CASES = [
    ("-pt", "-ptrace-log="),
    ("--pt", "--ptrace-log="),
    ("-batc", "-batch"),
    ("--batc", "--batch"),
    ("--arg", "--args"),
    ("-interpreter=j", "-interpreter=json"),
    ("--interpreter=c", "--interpreter=console"),
    ("-ptrace-log=lo", "-ptrace-log=log.jsonl"),
    ("-x scr", "-x script.ezt"),
    ("--x scr", "--x script.ezt"),
    ("-cd fol", "-cd folder/"),
    ("-m mem", "-m memory"),
    ("-p %d", "-p PID"),
    ("my", "my prog"),
    ("-x two", "-x two words.ezt"),
    ("-x script.ezt -batch --args my", "-x script.ezt -batch --args my prog"),
    ("--args prog scr", "--args prog script.ezt"),
    ("-ex scr", "-ex scr"),
    ("repo", "report"),
    ("-q -x script.ezt stat", "-q -x script.ezt stats"),
    ("stats ru", "stats run.fxt"),
    ("stats run.fxt -me", "stats run.fxt -messages"),
    ("stats --me", "stats --messages"),
    ("stats -sort se", "stats -sort self"),
    ("convert -t chr", "convert -t chrome"),
    ("report -o scr", "report -o script.ezt"),
    ("attach %d", "attach PID"),
    ("help tim", "help timeline"),
    ("record -budg", "record -budget"),
    ("record -m pth", "record -m pthread"),
    ("record -F x my", "record -F x my prog"),
    ("record script.ezt -budg", "record script.ezt -budg"),
    ("record script.ezt two", "record script.ezt two words.ezt"),
]


# What is typed before the shell prompts for it is read by the terminal, to which Tab is a letter.
def read_until(fd, text, mark):
    end = time.monotonic() + 60
    while not re.search(mark, text):
        if time.monotonic() > end:
            raise TimeoutError(text)
        text += os.read(fd, 65536).decode(errors="replace")
    return text


def main():
    shell, files = sys.argv[1:]
    folder = tempfile.mkdtemp()
    for name in ("script.ezt", "my prog", "two words.ezt", "log.jsonl", "run.fxt"):
        open(os.path.join(folder, name), "w").close()
    os.mkdir(folder + "/folder")
    sleeper = subprocess.Popen(["sleep", "1000"])
    pid, fd = pty.fork()
    if not pid:
        os.chdir(folder)
        os.environ.update(TERM="xterm", HOME=folder, ZDOTDIR=folder, PS1="typed> ", INPUTRC="/dev/null", LC_ALL="C.UTF-8")
        os.execvp(shell, START[shell])
    wrong = 0
    try:
        for n, line in enumerate([*(s.replace("%s", files) for s in SETUP[shell]), "eztsh() { printf '<%s>' \"$@\"; echo; echo printed; }"]):
            os.write(fd, ("%s; echo rea''dy%d\n" % (line, n)).encode())
            read_until(fd, "", r"ready%d\r[\s\S]*typed> " % n)
        for typed, want in CASES:
            part, whole = str(sleeper.pid)[:-1], str(sleeper.pid)
            if "PID" in want and sum(p.startswith(part) for p in os.listdir("/proc")) > 1:
                part = whole
            os.write(fd, b"eztsh " + typed.replace("%d", part).encode() + b"\t\n")
            got = re.findall(r"^(<.*>)\r$", read_until(fd, "", r"\nprinted\r[\s\S]*typed> "), re.M)
            got = " ".join(re.findall(r"<([^>]*)>", got[-1] if got else ""))
            want = want.replace("PID", whole)
            if shell == "zsh":  # takes such an end away when the line is entered
                want = re.sub("[/=]$", "", want)
            if got != want:
                print("%s: Tab behind \"eztsh %s\" makes <%s>, not <%s>" % (shell, typed, got, want))
                wrong += 1
    finally:
        os.write(fd, b"\x03\nexit\n")
        sleeper.kill()
        sleeper.wait()
        os.waitpid(pid, 0)
        subprocess.run(["rm", "-rf", folder], check=True)
    return wrong


sys.exit(1 if main() else 0)
