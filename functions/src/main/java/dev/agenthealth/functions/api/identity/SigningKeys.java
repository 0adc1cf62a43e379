package dev.agenthealth.functions.api.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The public keys of a provider that may sign tokens. Immutable and thread-safe.
 *
 * @param keys without keys for encryption, symmetric keys, and keys that are too short
 */
public record SigningKeys(List<JWK> keys) {

    private static final int MAX_KEYS = 100;
    private static final int MIN_RSA_BITS = 2_048;

    /** The use of the keys in a SPIFFE bundle that sign certificates, and no tokens. */
    private static final KeyUse X509_SVID = new KeyUse("x509-svid");

    /** The bytes before the 32 bytes of an Ed25519 key in its X.509 form (RFC 8410 §4). */
    private static final String ED25519_PREFIX = "302a300506032b6570032100";

    public SigningKeys {
        keys = List.copyOf(keys);
    }

    /** Returns the keys of a JSON Web Key Set, at most the first 100; empty if the text is no key set. Unusable keys are left out. */
    public static Optional<SigningKeys> of(String jwks) {
        try {
            JsonNode array = Json.received(jwks).path("keys");
            List<JWK> keys = new ArrayList<>();
            for (JsonNode element : array) {
                if (element.isObject() && keys.size() < MAX_KEYS) {
                    key(element).ifPresent(keys::add);
                }
            }
            return array.isArray() ? Optional.of(new SigningKeys(keys)) : Optional.empty();
        } catch (UnreadableJsonException e) {
            return Optional.empty();
        }
    }

    private static Optional<JWK> key(JsonNode element) {
        try {
            // A symmetric key has no public form.
            return Optional.ofNullable(JWK.parse(Json.text(element)).toPublicJWK())
                    .filter(key -> !KeyUse.ENCRYPTION.equals(key.getKeyUse()) && !X509_SVID.equals(key.getKeyUse()))
                    .filter(key -> key.getKeyOperations() == null
                            || key.getKeyOperations().contains(KeyOperation.VERIFY))
                    .filter(key -> !(key instanceof RSAKey) || key.size() >= MIN_RSA_BITS);
        } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** Returns the key set as JSON. */
    public String json() {
        return new JWKSet(keys).toString();
    }

    /** Returns the keys with this id; the only key if the token names none. */
    List<JWK> find(String keyId) {
        return keyId.isEmpty()
                ? keys.size() == 1 ? keys : List.of()
                : keys.stream().filter(key -> keyId.equals(key.getKeyID())).toList();
    }

    /** Returns whether a key made the signature of a token. The algorithm must be the algorithm of the token and of the key. */
    static boolean verifies(JWK key, Token token) {
        JWSAlgorithm algorithm = JWSAlgorithm.parse(token.algorithm());
        if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
            return false;
        }
        Base64URL signature = new Base64URL(token.signature());
        JWSHeader header = new JWSHeader(algorithm);
        try {
            if (key instanceof RSAKey rsa) {
                return JWSAlgorithm.Family.RSA.contains(algorithm)
                        && new RSASSAVerifier(rsa).verify(header, token.signed(), signature);
            }
            if (key instanceof ECKey ec) {
                return JWSAlgorithm.Family.EC.contains(algorithm)
                        && new ECDSAVerifier(ec).verify(header, token.signed(), signature);
            }
            return key instanceof OctetKeyPair edwards
                    && algorithm.equals(JWSAlgorithm.EdDSA)
                    && verifies(edwards, token.signed(), signature.decode());
        } catch (JOSEException | GeneralSecurityException e) {
            // The key is for another algorithm, or the signature has another form.
            return false;
        }
    }

    /** Verifies by the JDK, because the library would need a further library. */
    private static boolean verifies(OctetKeyPair key, byte[] signed, byte[] signature) throws GeneralSecurityException {
        if (!Curve.Ed25519.equals(key.getCurve())) {
            return false;
        }
        byte[] encoded = HexFormat.of().parseHex(ED25519_PREFIX + HexFormat.of().formatHex(key.getDecodedX()));
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
        verifier.update(signed);
        return verifier.verify(signature);
    }
}
