"""What `sam deploy` reads besides the template, held against the template. Needs Python 3.11."""

import re

from translation import ROOT, TEMPLATE

SAMCONFIG = ROOT / "samconfig.toml"


def faults(template):
    """What is wrong with samconfig.toml, in words."""
    import tomllib

    file = tomllib.loads(SAMCONFIG.read_text())
    environments = {name: section["deploy"]["parameters"] for name, section in file.items() if name != "version"}
    if not {"default", "prod"} <= environments.keys():
        yield "an environment is missing"
    if len({deploy["stack_name"] for deploy in environments.values()}) < len(environments):
        yield "two environments deploy the same stack"
    for environment, deploy in environments.items():
        # Named, it wins over what an earlier `sam build` may have left.
        if deploy.get("template_file") != TEMPLATE.name:
            yield f"{environment} must name the template"
        for text in deploy.get("parameter_overrides", []):
            name, _, value = text.partition("=")
            fault = parameter_fault(template["Parameters"], name, value)
            if fault:
                yield f"{environment}: {fault}"


def parameter_fault(declared, name, value):
    """Why the template would not take the value, or None."""
    if name not in declared:
        return f"the template has no parameter {name}"
    rules = declared[name]
    if rules.get("NoEcho"):
        return f"{name} is a secret and has no place in a file"
    refused = (
        ("AllowedValues" in rules and value not in [str(v) for v in rules["AllowedValues"]])
        or ("AllowedPattern" in rules and not re.fullmatch(rules["AllowedPattern"], value))
        or (rules["Type"] == "Number" and not rules.get("MinValue", float("-inf")) <= float(value) <= rules.get("MaxValue", float("inf")))
    )
    return f"{name} may not be {value}" if refused else None
