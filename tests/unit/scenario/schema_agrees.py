"""The same scenarios through the loader and through the JSON Schema.

Good files are accepted by both. A bad file is refused by the loader; its second line says what the
schema does: `refuses`, `accepts` (no schema can express the fault: duplicate keys, bounds of sizes,
rules between sections, what a plan needs), or `unreadable` (the fault is YAML's own).
"""

import glob
import json
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"vmtax-skip: {missing.name} is not installed (python3-jsonschema, python3-yaml)")
    sys.exit(0)


class CoreSchemaLoader(yaml.SafeLoader):
    """Plain values as YAML 1.2's core schema has them, like the editors that use the schema."""

    yaml_implicit_resolvers = {}


def resolve(kind, pattern, first, construct=None):
    tag = f"tag:yaml.org,2002:{kind}"
    CoreSchemaLoader.add_implicit_resolver(tag, re.compile(pattern), list(first))
    if construct:
        CoreSchemaLoader.add_constructor(tag, lambda loader, node: construct(node.value))


resolve("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""])
resolve("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF")
resolve("int", r"^[-+]?[0-9]+$", "-+0123456789", int)
number = r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"
resolve("float", number, "-+.0123456789", float)


def by_schema(validator, path):
    try:
        with open(path, "rb") as file:
            document = yaml.load(file, CoreSchemaLoader)
    except (yaml.YAMLError, UnicodeDecodeError, TypeError):
        return "unreadable"
    return "accepts" if validator.is_valid(document) else "refuses"


def by_loader(probe, paths):
    lines = subprocess.run([probe, *paths], check=True, capture_output=True).stdout
    return ["accepts" if line == "ok" else "refuses" for line in lines.decode().splitlines()]


def expected(path):
    with open(path, "rb") as file:
        return re.match(rb"# expect: .*\n# schema: (\w+)\n", file.read()).group(1).decode()


def main():
    probe, source = sys.argv[1:]
    schema = json.loads(subprocess.run([probe, "--schema"], check=True, capture_output=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    good = sorted(glob.glob(f"{source}/scenarios/*.yaml"))
    good += sorted(glob.glob(f"{source}/tests/unit/scenario/good/*.yaml"))
    bad = sorted(glob.glob(f"{source}/tests/faults/scenarios/*.yaml"))
    wrong = []
    for path, verdict in zip(good, by_loader(probe, good), strict=True):
        if (verdict, by_schema(validator, path)) != ("accepts", "accepts"):
            wrong.append(f"{path}: loader {verdict}, schema {by_schema(validator, path)}")
    for path, verdict in zip(bad, by_loader(probe, bad), strict=True):
        wanted = "accepts" if path.rsplit("/", 1)[1].startswith("plan-") else "refuses"
        if (verdict, by_schema(validator, path)) != (wanted, expected(path)):
            wrong.append(f"{path}: loader {verdict}, schema {by_schema(validator, path)}")
    print(f"{len(good)} good and {len(bad)} bad scenarios, {len(wrong)} disagreements", *wrong, sep="\n")
    return 1 if wrong or len(good) < 5 or len(bad) < 60 else 0


sys.exit(main())
