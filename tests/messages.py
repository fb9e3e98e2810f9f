# SPDX-License-Identifier: GPL-3.0-or-later
"""messages.py [TOP]: prints the error messages whose longest constant part no test has, a line each
with its file; then how many of how many. For whoever writes tests."""
import pathlib, re, sys

top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
CALL = re.compile(r'(?:ez_err_new\s*\(\s*\w+\s*,\s*[^,]+,|refuse\s*\([^,()]*(?:\([^)]*\))?[^,()]*,)'
                  r'\s*((?:"(?:[^"\\]|\\.)*"\s*|PRI\w+\s*)+)')
WORD = re.compile(r"%[-+ #0-9.*]*(?:l|ll|z)?[a-zA-Z]")

known = "".join(p.read_text(errors="replace") for p in sorted(top.glob("tests/**/*"))
                if p.suffix in (".c", ".h", ".S", ".sh", ".py", ".ezt", ".out"))
known = known.replace("\\", "") # as C and sed write them, quotes and backslashes differ
total = missing = 0
for folder in ("engine", "arch/x86_64", "cmds", "shell"):
    for path in sorted((top / folder).rglob("*.c")):
        for call in CALL.finditer(path.read_text()):
            text = re.sub(r"PRI\w+", '"d"', call.group(1)) # %" PRIu64 "
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace("\\", "")
            part = max(WORD.split(text), key=len).strip(" :;,.()")
            total += 1
            if part and part not in known:
                missing += 1
                print(f"{path.relative_to(top)}: {text}")
print(f"{missing} of {total} messages are in no test")
