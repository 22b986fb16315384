"""Usage: manual.py PROGRAM FOLDER DATE VERSION

Writes manual pages from the program's own description of its commands (--experimental-dump-help): PROGRAM.1 with the
list of all, and a page for each command with its subcommands. DATE is YYYY-MM-DD.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path


def escaped(text):
    """The text in a form that troff shows unchanged."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    # A line that begins with one of these would be a request to troff.
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def names(argument):
    """The names of an option, the long one first."""
    words = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names") or []]
    return sorted(words, key=len, reverse=True)


def arguments(command):
    shown = (row for row in command.get("arguments") or [] if row.get("shouldDisplay", True))
    return [row for row in shown if row["kind"] == "positional" or names(row)[:1] not in (["--help"], ["--version"])]


def children(command):
    return [row for row in command.get("subcommands") or [] if row["commandName"] != "help"]


def synopsis(words, command):
    parts = [r"\fB" + escaped(" ".join(words)) + r"\fR"]
    if children(command):
        parts.append(r"\fICOMMAND\fR")
    rows = arguments(command)
    if any(row["kind"] != "positional" for row in rows):
        parts.append("[OPTION]...")
    for row in rows:
        if row["kind"] == "positional":
            value = r"\fI" + escaped(row.get("valueName") or "value") + r"\fR"
            value += "..." if row.get("isRepeating") else ""
            parts.append(f"[{value}]" if row.get("isOptional") else value)
    return " ".join(parts)


def prose(text):
    """Paragraphs, with headings in capitals and with examples unchanged."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip()):
        rows = block.split("\n")
        while rows:
            row = rows.pop(0)
            if re.fullmatch(r"[A-Z][A-Z ]+", row):
                lines += [".PP", r"\fB" + row.capitalize() + r"\fR"]
            elif row.startswith("  "):
                lines += [".nf", ".RS"]
                lines.append(escaped(row[2:]))
                while rows and rows[0].startswith("  "):
                    lines.append(escaped(rows.pop(0)[2:]))
                lines += [".RE", ".fi"]
            else:
                lines += [".PP", escaped(row)] if not lines or lines[-1] != ".PP" else [escaped(row)]
    return lines


def described(command):
    lines = prose(command["discussion"]) if command.get("discussion") else []
    for row in arguments(command):
        label = r"\fI" + escaped(row.get("valueName") or "value") + r"\fR"
        if row["kind"] != "positional":
            value = " " + label if row["kind"] == "option" else ""
            label = ", ".join(r"\fB" + escaped(name) + r"\fR" for name in names(row)) + value
        lines += [".TP", label]
        text = row.get("abstract") or ""
        default = row.get("defaultValue")
        if default and row["kind"] != "flag":
            text += f" (default: {default})"
        lines.append(escaped(text) or r"\&")
    return lines


def head(name, about, date, version):
    return [f'.TH "{escaped(name.upper())}" 1 "{date}" "{escaped(version)}" "User Commands"', ".SH NAME",
            f"{escaped(name)} \\- {escaped(about.rstrip('.'))}"]


def page(words, command, date, version):
    lines = head("-".join(words), command.get("abstract") or words[-1], date, version)

    def tell(words, command):
        nonlocal lines
        lines += [".SS " + escaped(" ".join(words)), escaped(command.get("abstract") or ""), ".PP",
                  synopsis(words, command)] + described(command)
        for child in children(command):
            tell(words + [child["commandName"]], child)

    lines += [".SH SYNOPSIS", synopsis(words, command), ".SH DESCRIPTION", escaped(command.get("abstract") or "")]
    lines += described(command)
    if children(command):
        lines.append(".SH COMMANDS")
        for child in children(command):
            tell(words + [child["commandName"]], child)
    return lines + [".SH SEE ALSO", rf"\fB{escaped(words[0])}\fR(1)"]


def overview(root, date, version):
    name = root["commandName"]
    lines = head(name, root.get("abstract") or name, date, version)
    lines += [".SH SYNOPSIS", synopsis([name], root), ".SH DESCRIPTION"] + described(root) + [".SH COMMANDS"]
    for child in children(root):
        lines += [".TP", rf"\fB{escaped(name + '-' + child['commandName'])}\fR(1)",
                  escaped(child.get("abstract") or "") or r"\&"]
    return lines


def main(program, folder, date, version):
    environment = os.environ | {"LC_ALL": "C.UTF-8", "COLUMNS": "120"}
    told = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, env=environment)
    root = json.loads(told.stdout)["command"]
    name = root["commandName"]
    pages = {name: overview(root, date, version)}
    for child in children(root):
        pages[f"{name}-{child['commandName']}"] = page([name, child["commandName"]], child, date, version)
    for name, lines in pages.items():
        Path(folder, f"{name}.1").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
