package dev.agenthealth.functions.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import dev.agenthealth.functions.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Tokens of an identity provider, signed in the test. */
public final class TestTokens {

    public static final String ISSUER = "https://sso.example.com/realms/acme";
    public static final String AUDIENCE = "agent-health";

    public static final ECKey EC = ec("ec-1");
    public static final ECKey OTHER_EC = ec("ec-2");

    private TestTokens() {}

    /** An RSA key, which takes seconds to generate. It is generated when the first test uses it. */
    private static final class Rsa {

        static final RSAKey KEY = generated();

        private static RSAKey generated() {
            try {
                return new RSAKeyGenerator(2_048).keyID("rsa-1").generate();
            } catch (JOSEException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns an RSA key, always the same one. */
    public static RSAKey rsa() {
        return Rsa.KEY;
    }

    private static ECKey ec(String keyId) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(keyId).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The JSON Web Key Set of the public parts of keys. */
    public static String jwks(JWK... keys) {
        return Arrays.stream(keys)
                .map(key -> key.toPublicJWK().toJSONString())
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    /** The claims of a token that is issued now, for five minutes. */
    public static ObjectNode claims(String subject, Instant now) {
        long seconds = now.getEpochSecond();
        return Json.object()
                .put("iss", ISSUER)
                .put("aud", AUDIENCE)
                .put("sub", subject)
                .put("iat", seconds)
                .put("exp", seconds + 300);
    }

    /** A token that a key signs by its usual algorithm. */
    public static String token(ObjectNode claims, JWK key) {
        String algorithm = key instanceof RSAKey ? "RS256" : "ES256";
        return token(
                "{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\",\"kid\":\"" + key.getKeyID() + "\"}",
                Json.text(claims),
                key,
                algorithm);
    }

    /** A token with this header, whatever it says. */
    public static String token(String header, String claims, JWK key, String algorithm) {
        try {
            JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner((ECKey) key);
            return signed(header, claims, signer, algorithm);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token that is signed by HS256 with this text as the secret. */
    public static String symmetric(String header, String claims, String secret) {
        try {
            return signed(header, claims, new MACSigner(secret), "HS256");
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String signed(String header, String claims, JWSSigner signer, String algorithm)
            throws JOSEException {
        String input = Base64URL.encode(header) + "." + Base64URL.encode(claims);
        return input + "."
                + signer.sign(new JWSHeader(JWSAlgorithm.parse(algorithm)), input.getBytes(StandardCharsets.US_ASCII));
    }

    /** Configures a provider with these keys; apostrophes in the grants stand for quotation marks. */
    public static void configure(TestApi api, String name, String grants, JWK... keys) {
        String body = "{\"issuer\":\"" + ISSUER + "\",\"audiences\":[\"" + AUDIENCE + "\"],\"jwks\":" + jwks(keys)
                + ",\"grants\":" + grants.replace('\'', '"') + "}";
        TestApi.Response response = api.put("/v1/admin/identity-providers/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
        if (response.status() > 201) {
            throw new AssertionError(response.text());
        }
    }

    /** What a caller with a token is, or why it is refused. */
    public static JsonNode me(TestApi api, String token) {
        return api.get("/api/v1/me")
                .header("authorization", "Bearer " + token)
                .send()
                .json();
    }
}
