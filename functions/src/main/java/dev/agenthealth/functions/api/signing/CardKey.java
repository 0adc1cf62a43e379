package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.Sha256;
import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** A key on the curve P-256 that signs agent cards. Thread-safe. */
interface CardKey {

    int COORDINATE_BYTES = 32;

    /**
     * Returns the public half as JSON Web Key, with its thumbprint as {@code kid} (RFC 7638).
     *
     * @throws StorageBusyException if KMS does not answer: a retry may succeed
     */
    ObjectNode publicKey();

    /**
     * Returns the signature of ES256 (RFC 7518 §3.4).
     *
     * @throws StorageBusyException if KMS does not answer: a retry may succeed
     */
    byte[] sign(byte[] input);

    /** Returns the key of this installation: the key of a local run if it is set, else the KMS key of the template. Empty if cards are unsigned. */
    static Optional<CardKey> of(Wiring wiring) {
        if (wiring.has(FunctionSettings.CARD_LOCAL_KEY)) {
            return Optional.of(LocalCardKey.read(wiring.get(FunctionSettings.CARD_LOCAL_KEY)));
        }
        return wiring.has(FunctionSettings.CARD_KEY_ARN)
                ? Optional.of(new KmsCardKey(wiring.kms(), wiring.get(FunctionSettings.CARD_KEY_ARN)))
                : Optional.empty();
    }

    /** Returns a public key as JSON Web Key. */
    static ObjectNode jwk(ECPublicKey key) {
        String x = coordinate(key.getW().getAffineX());
        String y = coordinate(key.getW().getAffineY());
        // These are the members of the thumbprint, in its order.
        ObjectNode jwk =
                Json.object().put("crv", "P-256").put("kty", "EC").put("x", x).put("y", y);
        String thumbprint = base64(Sha256.of(Json.text(jwk)));
        return jwk.put("kid", thumbprint).put("use", "sig").put("alg", "ES256");
    }

    /** Returns a number in the form of JSON Web Keys: all 32 bytes in base64. */
    static String coordinate(BigInteger number) {
        return base64(fixed(number));
    }

    /** Returns the number in 32 bytes. */
    static byte[] fixed(BigInteger number) {
        byte[] signed = number.toByteArray();
        byte[] fixed = new byte[COORDINATE_BYTES];
        int length = Math.min(signed.length, COORDINATE_BYTES);
        System.arraycopy(signed, signed.length - length, fixed, COORDINATE_BYTES - length, length);
        return fixed;
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the two numbers of an ASN.1 signature, one after the other in 32 bytes each, as JSON Web Signatures require. */
    static byte[] concatenated(byte[] asn1) {
        int lengthOfR = asn1[3];
        byte[] r = Arrays.copyOfRange(asn1, 4, 4 + lengthOfR);
        byte[] s = Arrays.copyOfRange(asn1, 4 + lengthOfR + 2, asn1.length);
        byte[] both = Arrays.copyOf(fixed(new BigInteger(1, r)), 2 * COORDINATE_BYTES);
        System.arraycopy(fixed(new BigInteger(1, s)), 0, both, COORDINATE_BYTES, COORDINATE_BYTES);
        return both;
    }
}
