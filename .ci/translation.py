"""template.yaml as CloudFormation gets it: translated with SAM's own translator."""

import importlib.util
import logging
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "template.yaml"

# What `sam package` does: the jar is in a bucket by then.
CODE_BUCKET = "code-bucket"
CODE_KEY = "code.jar"

MANAGED_POLICIES = {
    name: f"arn:aws:iam::aws:policy/service-role/{name}"
    for name in ("AWSLambdaBasicExecutionRole", "AWSLambdaDynamoDBExecutionRole", "AWSLambdaSQSQueueExecutionRole")
}


class TranslationError(Exception):
    """SAM cannot translate the template."""


def installed(*packages):
    """Whether all these Python packages are there."""
    return all(importlib.util.find_spec(package) is not None for package in packages)


def translated(**parameters):
    """The CloudFormation template, for these values of parameters and the defaults of the others. Needs the package samtranslator."""
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    # The translator warns of a feature toggle that only its service has.
    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    from samtranslator.model.exceptions import InvalidDocumentException
    from samtranslator.parser.parser import Parser
    from samtranslator.translator.translator import Translator
    from samtranslator.yaml_helper import yaml_parse

    document = yaml_parse(TEMPLATE.read_text())
    document["Globals"]["Function"]["CodeUri"] = f"s3://{CODE_BUCKET}/{CODE_KEY}"
    try:
        return Translator(MANAGED_POLICIES, Parser()).translate(document, parameters)
    except InvalidDocumentException as e:
        raise TranslationError("; ".join(str(cause.message) for cause in e.causes)) from e
