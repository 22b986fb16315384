"""Usage: contents.py copyright|sbom PROGRAM BINARIES CHECKOUTS VERSION

Lists what a program contains: from the list of objects that the linker got (BINARIES/PROGRAM.product), the packages
that SwiftPM checked out (CHECKOUTS), their versions in dependencies.txt, and the works of others that they and the
toolchain include (bundled.txt). `copyright` writes Debian's copyright file, `sbom` a bill of materials (CycloneDX 1.5,
JSON).
"""

import datetime
import json
import os
import re
import sys
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent.parent
OWN = "Tour Chat maintainers"


def linked_modules(binaries, program):
    """The modules whose objects the linker received."""
    path = binaries / f"{program}.product" / "Objects.LinkFileList"
    if not path.is_file():
        sys.exit(f"error: {path} is missing: it says what is inside {program}. Name the folder that swift build made.")
    modules = set()
    for line in path.read_text().splitlines():
        found = re.findall(r"([^/]+)\.build/", line)
        if found:
            modules.add(found[-1])
    return modules


# The packages of modules whose folders have other names.
PACKAGES = {"SystemPackage": "swift-system", "ServiceContextModuleCompatibility": "swift-service-context"}


def package_of(module, checkouts):
    """The checked out package that a module belongs to; None for a module of this repository."""
    if any((TOP / "Sources" / name).is_dir() for name in (module, module.replace("_", "-"))):
        return None
    if module in PACKAGES:
        return checkouts / PACKAGES[module]
    for package in sorted(checkouts.iterdir()):
        if any((package / place / module).is_dir() for place in ("Sources", "", "Sources/protobuf")):
            return package
    sys.exit(f"error: no package in {checkouts} has the module {module}")


def listed():
    rows = (TOP / "Scripts/support/dependencies.txt").read_text().splitlines()
    return {row.split()[0]: row.split()[1:] for row in rows if row and not row.startswith("#")}


def addresses():
    """The address of each package in Package.swift, where all indirect dependencies have the same owner."""
    text = (TOP / "Package.swift").read_text()
    known = {url.rsplit("/", 1)[1].lower(): url for url in re.findall(r'url: "(https://[^"\\]+)"', text)}
    owner = re.search(r'url: "(https://[^"\\]+)/\\\(', text)
    return known, owner.group(1)


def bundled():
    """The works of others in packages and the toolchain: fields of paragraphs, as in Debian's files."""
    for paragraph in re.split(r"\n\n(?=Name:)", (HERE / "bundled.txt").read_text().split("\n\n", 1)[1].strip()):
        fields, key = {}, ""
        for line in paragraph.splitlines():
            if line.startswith(" "):
                fields[key] += "\n" + ("" if line == " ." else line[1:])
            else:
                key, value = line.split(":", 1)
                fields[key] = value.strip()
        yield fields


def licence_of(package):
    """The short name of a package's licence and, if Debian has no file of it, its text."""
    path = next((package / name for name in ("LICENSE.txt", "LICENSE", "LICENSE.md") if (package / name).is_file()), None)
    if path is None:
        sys.exit(f"error: {package.name} has no licence file")
    text = path.read_text()
    if "Apache License" in text:
        return ("Apache-2.0 with Swift exception" if "Runtime Library Exception" in text else "Apache-2.0"), None
    if "Permission is hereby granted, free of charge" in text:
        return "MIT", text
    sys.exit(f"error: what licence is that of {package.name}? Teach {Path(__file__).name} to tell.")


def holder_of(package, text):
    """The copyright holder that a licence, or a notice, names."""
    for source in [text] + [(package / name).read_text() for name in ("NOTICE.txt", "NOTICES.txt", "README.md")
                            if (package / name).is_file()]:
        found = re.search(r"(?im)^\W*copyright\s+(?:\(c\)\s+|©\s*)?(\d{4}.*)$", source or "")
        if found:
            return found.group(1).strip().rstrip(".")
    for source in sorted(package.glob("Sources/**/*.swift")):
        found = re.search(r"(?i)copyright\s+(?:\(c\)\s+)?(\d{4}.*)$", source.read_text()[:800], re.MULTILINE)
        if found:
            return found.group(1).strip().rstrip(".")
    sys.exit(f"error: nothing says who has the copyright of {package.name}")


def components(program, binaries, checkouts):
    """The contents of a program, in the order of their names."""
    modules = linked_modules(binaries, program)
    packages = {package_of(module, checkouts) for module in modules} - {None}
    versions, (urls, owner) = listed(), addresses()
    rows = []
    for package in packages:
        name = package.name.lower()
        if name not in versions:
            sys.exit(f"error: {name} is in {program}, and not in dependencies.txt")
        licence, text = licence_of(package)
        rows.append({"name": package.name, "version": versions[name][0], "tree": versions[name][1],
                     "url": urls.get(name.removesuffix(".git"), f"{owner}/{package.name}"), "licence": licence,
                     "text": text, "copyright": holder_of(package, text)})
    for fields in bundled():
        if fields["Within"] == "toolchain" or fields["Within"] in modules:
            rows.append({"name": fields["Name"], "version": None, "tree": None, "url": fields["Source"],
                         "licence": fields["License"], "text": fields.get("Text"), "copyright": fields["Copyright"],
                         "within": fields["Within"]})
    return sorted(rows, key=lambda row: row["name"].lower())


def indented(text):
    return "\n".join(" " + (line.rstrip() or ".") for line in text.strip().splitlines())


COMMON = {
    "Apache-2.0": "On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.",
    "GPL-3+ with GCC exception": "On Debian systems the text of the GNU General Public License, version 3, is in "
                                 "/usr/share/common-licenses/GPL-3.",
    "Apache-2.0 with Swift exception": "On Debian systems the text of the licence is in "
                                       "/usr/share/common-licenses/Apache-2.0.",
}


def copyright_file(program, rows):
    text = (TOP / "LICENSE").read_text()
    if "Apache License" not in text:
        sys.exit("error: the licence of this project is another one: change contents.py")
    out = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/", f"Upstream-Name: {program}",
           "Comment: What follows the first paragraph is linked into the program.", "", "Files: *",
           f"Copyright: 2026 {OWN}", "License: Apache-2.0", ""]
    own_texts, used = {}, {"Apache-2.0"}
    for row in rows:
        licence = row["licence"]
        if licence not in COMMON:
            # Each name must stand for one text.
            same = [name for name, text in own_texts.items() if text == row["text"]]
            licence = same[0] if same else f"{licence}-{row['name'].lower().replace(' ', '-')}"
            own_texts[licence] = row["text"]
        else:
            used.add(licence)
        version = f" {row['version']}" if row["version"] else ""
        within = f", within {row['within']}" if row.get("within") else ""
        out += [f"Files: linked/{row['name'].replace(' ', '-')}/*",
                "Copyright: " + "\n           ".join(row["copyright"].splitlines()), f"License: {licence}",
                f"Comment: {row['name']}{version}{within}, {row['url']}", ""]
    exceptions = {fields["License"]: fields["Text"] for fields in bundled() if fields["License"] in COMMON
                  and fields.get("Text")}
    for licence in sorted(used):
        body = COMMON[licence]
        if licence in exceptions:
            body = exceptions[licence] + "\n\n" + body
        elif licence.startswith("Apache"):
            body = ("Licensed under the Apache License, Version 2.0; distributed on an \"AS IS\" basis, without "
                    "warranties\nor conditions of any kind, either express or implied.\n\n" + body)
        out += [f"License: {licence}", indented(body), ""]
    for licence, body in sorted(own_texts.items()):
        out += [f"License: {licence}", indented(body), ""]
    return "\n".join(out).rstrip() + "\n"


SPDX = {"Apache-2.0 with Swift exception": "Apache-2.0 WITH Swift-exception",
        "GPL-3+ with GCC exception": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def bill(program, version, rows):
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    root = f"{program}@{version}"
    parts = []
    for row in rows:
        part = {"type": "library", "bom-ref": row["name"], "name": row["name"]}
        if row["version"]:
            place = re.sub(r"^https://", "", row["url"])
            part |= {"version": row["version"], "purl": f"pkg:swift/{place}@{row['version']}",
                     "properties": [{"name": "git:tree", "value": row["tree"]}]}
        else:
            part["description"] = f"within {row['within']}"
        part["licenses"] = [{"expression": SPDX.get(row["licence"], row["licence"])}]
        part["externalReferences"] = [{"type": "vcs", "url": row["url"]}]
        parts.append(part)
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5",
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([root, parts]))), "version": 1,
        "metadata": {"timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": {"type": "application", "bom-ref": root, "name": program, "version": version,
                                   "licenses": [{"expression": "Apache-2.0"}]}},
        "components": parts,
        "dependencies": [{"ref": root, "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def main(kind, program, binaries, checkouts, version):
    rows = components(program, Path(binaries), Path(checkouts))
    if kind == "copyright":
        print(copyright_file(program, rows), end="")
    elif kind == "sbom":
        print(json.dumps(bill(program, version, rows), indent=1))
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
