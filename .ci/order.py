"""Whether resources of a CloudFormation template wait for each other in a circle, or refer to something that the template does not have.
CloudFormation refuses such a template, but only when it is deployed."""

import re

PLACEHOLDER = re.compile(r"\$\{([^!}][^}]*)}")


def references(value):
    """The names that a value refers to, in whichever of CloudFormation's ways."""
    if isinstance(value, dict):
        for key, argument in value.items():
            if key == "Ref":
                yield argument
            elif key == "Fn::GetAtt":
                yield argument[0] if isinstance(argument, list) else argument.split(".")[0]
            elif key == "Fn::Sub":
                text, variables = (argument, {}) if isinstance(argument, str) else argument
                yield from (name for name in (n.split(".")[0] for n in PLACEHOLDER.findall(text)) if name not in variables)
                yield from references(variables)
            else:
                yield from references(argument)
    elif isinstance(value, list):
        for element in value:
            yield from references(element)


def waits(template):
    """What each resource waits for, by name."""
    result = {}
    for name, resource in template["Resources"].items():
        named = resource.get("DependsOn", [])
        result[name] = {*references(resource), *([named] if isinstance(named, str) else named)}
    return result


def unresolved(template):
    """The names that a template refers to and does not have. CloudFormation refuses such a template when it is deployed."""
    has = {*template["Resources"], *template.get("Parameters", {})}
    named = {*references(template["Resources"]), *references(template.get("Outputs", {}))}
    return {name for name in named if name not in has and not name.startswith("AWS::")}


def circle(waits):
    """The resources that are in a circle or wait for one; none where each can be made after those that it waits for."""
    rest = dict(waits)
    while True:
        ready = [name for name, others in rest.items() if not others & rest.keys()]
        if not ready:
            return sorted(rest)
        for name in ready:
            del rest[name]


def check_itself():
    assert not circle({"a": {"b"}, "b": {"c", "AWS::Region"}, "c": set()})
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert unresolved({"Resources": {"a": {"x": {"Fn::Sub": "${b.Arn} ${a} ${AWS::Region}"}}}, "Outputs": {"o": {"Ref": "c"}}}) == {"b", "c"}
    assert list(references({"x": [{"Fn::Sub": "${!no} ${a.Arn} ${b}"}, {"Fn::GetAtt": "c.Arn"}, {"Ref": "d"}]})) == ["a", "b", "c", "d"]
