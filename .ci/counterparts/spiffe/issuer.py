"""Serves the keys of a trust domain at the port of the first argument, as the OIDC Discovery Provider of SPIRE does, and answers GET /svid?sub=ID&… with a JWT-SVID of
that subject. Other parameters are further claims. The SPIFFE library for Python accepts each token before it is answered."""

import http.server
import json
import sys
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from spiffe import JwtBundle, JwtSvid, TrustDomain

URL = f"http://127.0.0.1:{sys.argv[1]}"
KEY = ec.generate_private_key(ec.SECP256R1())
KEYS = json.dumps({"keys": [{**json.loads(ECAlgorithm.to_jwk(KEY.public_key())), "kid": "svid", "use": "jwt-svid"}], "spiffe_sequence": 1, "spiffe_refresh_hint": 300})


def svid(parameters):
    claims = {"aud": ["agent-health"], "exp": int(time.time()) + 300, **parameters}
    token = jwt.encode(claims, KEY, "ES256", headers={"kid": "svid", "typ": "JWT"})
    domain = TrustDomain(claims["sub"].removeprefix("spiffe://").split("/")[0])
    accepted = JwtSvid.parse_and_validate(token, JwtBundle.parse(domain, KEYS.encode()), {"agent-health"})
    assert str(accepted.spiffe_id) == claims["sub"]
    return token


class Issuer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        answers = {
            "/.well-known/openid-configuration": lambda: json.dumps({"issuer": URL, "jwks_uri": URL + "/keys"}),
            "/keys": lambda: KEYS,
            "/svid": lambda: json.dumps(svid(dict(urllib.parse.parse_qsl(query)))),
        }
        body = answers[path]().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Issuer).serve_forever()
