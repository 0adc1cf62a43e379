"""Verifies the card at the URL of the first argument with the official A2A SDK for Python, and that an altered one is refused."""

import json
import sys
import urllib.request

from a2a.types import AgentCard
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from google.protobuf.json_format import ParseDict
from jwt.api_jwk import PyJWK


def read(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


def key(kid, jku):
    return next(PyJWK(jwk) for jwk in read(jku)["keys"] if jwk["kid"] == kid)


card = ParseDict(read(sys.argv[1]), AgentCard(), ignore_unknown_fields=True)
verify = create_signature_verifier(key, ["ES256"])
verify(card)
card.name = "altered"
try:
    verify(card)
except InvalidSignaturesError:
    print("verified")
