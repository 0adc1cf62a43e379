"""template.yaml as CloudFormation gets it: translated with SAM's own translator."""

import importlib.util
import logging
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "template.yaml"

# `sam package` puts the jars into a bucket.
CODE_BUCKET = "code-bucket"

class TranslationError(Exception):
    """SAM cannot translate the template."""


def installed(*packages):
    """Whether all these Python packages are there."""
    return all(importlib.util.find_spec(package) is not None for package in packages)


def with_code(document):
    """The globals and the functions of the template that name a jar."""
    functions = [r["Properties"] for r in document["Resources"].values() if r.get("Type") == "AWS::Serverless::Function"]
    return [properties for properties in [document["Globals"]["Function"], *functions] if "CodeUri" in properties]


def jars():
    """The jars that the template deploys. Needs the package samtranslator."""
    from samtranslator.yaml_helper import yaml_parse

    return [ROOT / properties["CodeUri"] for properties in with_code(yaml_parse(TEMPLATE.read_text()))]


def included(value, parse, template):
    """The template with each file of AWS::Include in its place, as CloudFormation has it before SAM translates."""
    if isinstance(value, list):
        return [included(element, parse, template) for element in value]
    if not isinstance(value, dict):
        return value
    result = {key: included(element, parse, template) for key, element in value.items() if key != "Fn::Transform"}
    if "Fn::Transform" in value:
        location = value["Fn::Transform"]["Parameters"]["Location"]
        # A template that a guide makes is deployed from the folder of template.yaml.
        file = template.parent / location
        # As CloudFormation has it: beside the other entries of the same map.
        result.update(parse((file if file.is_file() else ROOT / location).read_text()))
    return result


def translated(change=lambda document: None, template=TEMPLATE, **parameters):
    """A template in CloudFormation's form, after a change, for these values of parameters and the defaults of the others. Needs samtranslator."""
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    # The translator warns of a feature toggle that only its service has.
    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    from samtranslator.model.exceptions import InvalidDocumentException
    from samtranslator.parser.parser import Parser
    from samtranslator.translator.translator import Translator
    from samtranslator.yaml_helper import yaml_parse

    document = included(yaml_parse(template.read_text()), yaml_parse, template)
    change(document)
    for properties in with_code(document):
        properties["CodeUri"] = f"s3://{CODE_BUCKET}/{Path(properties['CodeUri']).name}"
    try:
        return Translator({}, Parser()).translate(document, parameters)
    except InvalidDocumentException as e:
        raise TranslationError("; ".join(str(cause.message) for cause in e.causes)) from e
