#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what eztsh-instrument says of routines with the debug information of the original program.

   dwarf.py routines PROGRAM FILE REPORT [names]
                                                names, lines and (not with `names`) signatures of the functions of FILE
   dwarf.py calls PROGRAM FILE REPORT PLAIN PROBED [unordered]
                                                what was entered and left: PLAIN has addresses, PROBED signatures

REPORT is what -report=json printed. PROGRAM was not instrumented. Status 1: they differ, and how is printed.
What is known to be spelled in two ways (doc/HOWTO_SPEC.md) is made one here, and nothing else: arguments of templates are
taken out, scopes of types, too, lambdas have no name, a Fortran program without a name is `main`, and of a routine that has no code (a
template that is not used, a constexpr function) the debug information may know nothing."""
import json
import os
import re
import subprocess
import sys


class Dies:
    """The entries of readelf's text: tag, attributes, parent, children."""

    def __init__(self, program):
        text = subprocess.run(["readelf", "--debug-dump=info,rawline", program], check=True, capture_output=True,
                              env=dict(os.environ, LC_ALL="C"), text=True, errors="replace").stdout
        self.at, self.order, self.files = {}, [], {}
        stack, die, table, files = [], None, None, False
        for line in text.splitlines():
            m = re.match(r" *<(\w+)><(\w+)>: Abbrev Number: (\d+)(?: \((\w+)\))?", line)
            if m:
                depth, at = int(m[1], 16), int(m[2], 16)
                del stack[depth:]
                if m[3] == "0":
                    continue
                die = {"tag": m[4][7:], "up": stack[-1] if stack else None, "in": []}
                if stack:
                    stack[-1]["in"].append(die)
                stack.append(die)
                self.at[at] = die
                self.order.append(die)
                continue
            m = re.match(r" +<\w+> +DW_AT_(\w+) *: (.*)", line)
            if m and die is not None:
                value = re.sub(r"^\((?:alt )?(?:indirect|indexed) (?:line )?string[^)]*\): ", "", m[2])
                die[m[1]] = re.sub(r"\t\(.*", "", value).strip()
                continue
            m = re.match(r"  Offset: +(0x\w+|\d+)", line)
            if m:
                die, table = None, self.files.setdefault(int(m[1], 0), {})
            files = line.startswith(" The File Name Table") or (files and line.startswith("  "))
            m = re.match(r"  (\d+)\t(?:.*\t)?(?:\(indirect line string[^)]*\): )?(.*)$", line)
            if m and files:
                table[int(m[1])] = m[2]

    def ref(self, die, name):
        m = re.search(r"<0x(\w+)>", die.get(name, ""))
        return self.at.get(int(m[1], 16)) if m else None

    def get(self, die, name):
        """An attribute, or that of what the entry completes."""
        while die is not None:
            if name in die:
                return die[name]
            die = self.ref(die, "abstract_origin") or self.ref(die, "specification")
        return None

    def declared(self, die):
        while True:
            other = self.ref(die, "abstract_origin") or self.ref(die, "specification")
            if other is None:
                return die
            die = other

    def unit(self, die):
        while die["up"] is not None:
            die = die["up"]
        return die

    def scope(self, die):
        parts, die = [], self.declared(die)["up"]
        while die is not None:
            name = self.get(die, "name")
            if die["tag"] == "namespace":
                parts.insert(0, name or "(anonymous namespace)")
            elif die["tag"] in ("structure_type", "class_type", "union_type", "module", "subprogram"):
                if name and not name.startswith("<lambda"):
                    parts.insert(0, name)
            die = self.declared(die)["up"]
        return "".join(p + "::" for p in parts)

    def spell(self, die, inner=""):
        """A type around a declarator, as C writes it."""
        around = {"const_type": "const", "volatile_type": "volatile", "restrict_type": "restrict"}
        if die is None:
            return "void" + (" " + inner if inner else "")
        tag, to = die["tag"], self.ref(die, "type")
        if tag in ("pointer_type", "reference_type", "rvalue_reference_type"):
            mark = {"p": "*", "r": "&"}[tag[0]] if tag[1] != "v" else "&&"
            part = mark + inner
            if to is not None and to["tag"] in ("subroutine_type", "array_type"):
                part = "(" + part + ")"
            return self.spell(to, part)
        if tag in around:
            if to is not None and to["tag"] in ("pointer_type",):
                return self.spell(to, around[tag] + (" " + inner if inner else ""))
            return around[tag] + " " + self.spell(to, inner)
        if tag == "array_type":
            bound = next((k.get("upper_bound") for k in die["in"] if k["tag"] == "subrange_type"), None)
            return self.spell(to, inner + (f"[{int(bound, 0) + 1}]" if bound and bound[:2] != "<0" else "[]"))
        if tag == "subroutine_type":
            none = "void" if die.get("prototyped") and self.is_c(die) else ""
            return self.spell(to, inner + "(" + (self.parameters(die) or none) + ")")
        word = {"structure_type": "struct ", "union_type": "union ", "enumeration_type": "enum "}.get(tag, "")
        word = word if self.is_c(die) else ""
        return word + self.scope(die) + self.get(die, "name") + (" " + inner if inner else "")

    def is_c(self, die):
        return self.unit(die)["producer"].split()[1].startswith("C") and "C++" not in self.unit(die)["producer"]

    def parameters(self, die):
        words = []
        for k in die["in"]:
            if k["tag"] == "unspecified_parameters" and (words or not self.is_c(die)):
                words.append("...")
            elif k["tag"] == "formal_parameter" and not self.get(k, "artificial"):
                words.append(self.spell(self.ref(k, "type") or self.ref(self.declared(k), "type")))
        return ", ".join(words)


def plain(name):
    """Without arguments of templates, and blanks that are no matter; GCC's names of integers are C's."""
    name = re.sub(r"\b((?:long |short )+)unsigned int\b", r"unsigned \1", name)
    name = re.sub(r"\b(long|short) int\b", r"\1", name)
    name = re.sub(r'operator"" ', 'operator""', name)
    out, depth, i = "", 0, 0
    while i < len(name):
        m = re.match(r"operator *(<=>|<<=?|>>=?|->\*?|<=?|>=?)", name[i:])
        if m and not depth and not re.match(r"\w", out[-1:] or " "):
            out, i = out + m[0].replace(" ", ""), i + len(m[0])
            continue
        depth += name[i] == "<"
        out += name[i] if not depth else ""
        depth -= name[i] == ">" and depth > 0
        i += 1
    return re.sub(r"\s*([*&,()\[\]])\s*", r"\1", " ".join(out.split()))


def bare(signature):
    """The names of types without their scopes, which a source has as far as they were written; and what GCC writes of
    pointers that are parameters: that they are const, and how it names the structure of va_list."""
    signature = re.sub(r"(?:struct |typedef \w+ )__va_list_tag \*", "va_list", signature)
    signature = re.sub(r"typedef \w+ ", "", plain(signature))
    return re.sub(r"\w+::|(?<=\*)const(?=[,)])", "", signature)


def functions(dies, file):
    """Those of the file that have code: address, name, line, signature or None."""
    found = []
    for die in dies.order:
        unit, name, place = dies.unit(die), dies.get(die, "name"), die
        if die["tag"] != "subprogram" or "low_pc" not in die or name is None or dies.get(die, "defaulted"):
            continue
        if name == "operator()" and dies.get(die, "artificial"):
            place = dies.declared(die)["up"] # a lambda: its type has the place
        elif dies.get(die, "artificial"):
            continue
        line = dies.get(place, "decl_line")
        table = dies.files.get(int(unit["stmt_list"], 0), {})
        if line is None or \
           os.path.basename(table.get(int(dies.get(place, "decl_file"), 0), "")) != os.path.basename(file):
            continue
        fortran = "Fortran" in unit["producer"]
        full = dies.scope(die) + name
        if fortran and (name == "main" or name.startswith("__")):
            continue # the compiler's own: it calls the program; copies and finalises types
        full = "main" if fortran and name == "MAIN__" else full
        signature = None
        if not fortran and place is die and "<" not in re.sub(r"operator *[-<>=]+", "", full):
            declared = dies.declared(die)
            kind = dies.ref(declared, "type")
            this = dies.ref(declared, "object_pointer") or dies.ref(die, "object_pointer")
            const = ""
            if this is not None:
                to = dies.ref(this, "type") or dies.ref(dies.declared(this), "type")
                to = dies.ref(to, "type") if to and to["tag"] == "const_type" else to
                pointed = dies.ref(to, "type") if to else None
                const = " const" if pointed is not None and pointed["tag"] == "const_type" else ""
            made = "operator " in name or name.startswith("~") or full.split("::")[-2:-1] == [re.sub("<.*", "", name)]
            result = "" if made else dies.spell(kind) + " "
            signature = result + full + "(" + dies.parameters(declared) + ")" + const
        found.append((die["low_pc"], plain(full), int(line, 0), signature))
    return found


def reported(path):
    with open(path, encoding="utf-8") as f:
        routines = json.load(f)["routines"]
    return [(plain(r["name"]), r["line"], r["routine"], r["left"]) for r in routines]


def compare_routines(program, file, report, spelled=True):
    there = functions(Dies(program), file)
    told = reported(report)
    names = {(n, line) for _, n, line, _ in there}
    done = {(n, line) for n, line, _, left in told if not left}
    every = {(n, line) for n, line, _, _ in told}
    bad = 0
    for n in sorted(names - every):
        print(f"only in the program: {n[0]} line {n[1]}")
        bad = 1
    for n in sorted(done - names):
        print(f"only in the report: {n[0]} line {n[1]}")
        bad = 1
    signatures = {(n, line): s for _, n, line, s in there if s}
    for n, line, s, _ in told:
        want = signatures.get((n, line))
        if want and bare(want) != bare(s) and spelled is True:
            print(f"line {line}: the debug information has '{want}', the report '{s}'")
            bad = 1
    print(f"{len(names)} routines, {len(signatures)} with signatures")
    return bad or not names


def calls(path, names, several):
    """The lines of a file as "> NAME line N"; where a name is that of several routines, without the line."""
    out = []
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            key = line[2:].rstrip("\n")
            if key in names:
                name, at = names[key]
                out.append(line[:2] + (name if name in several else f"{name} line {at}"))
    return out


def compare_calls(program, file, report, before, after, unordered=False):
    there = functions(Dies(program), file)
    told = reported(report)
    left = {(n, line) for n, line, _, why in told if why}
    native = {at: (n, line) for at, n, line, _ in there if (n, line) not in left}
    signatures = [s for _, _, s, _ in told]
    several = {n for n, _, s, _ in told if signatures.count(s) > 1}
    plain_calls = calls(before, native, several)
    probed = calls(after, {s: (n, line) for n, line, s, _ in told}, several)
    if unordered:
        plain_calls.sort()
        probed.sort()
    for i, (a, b) in enumerate(zip(plain_calls + ["end"], probed + ["end"])):
        if a != b:
            print(f"call {i + 1}: the program '{a}', instrumented '{b}'")
            return 1
    print(f"{len(probed)} entries and exits")
    return len(plain_calls) != len(probed) or not probed


if __name__ == "__main__":
    what = {"routines": compare_routines, "calls": compare_calls}[sys.argv[1]]
    sys.exit(what(*sys.argv[2:]))
