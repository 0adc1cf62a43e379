package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
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

    /** Set where functions are deployed with signatures: the ARN of a key of KMS. */
    String KMS_KEY = "CARD_KEY_ARN";

    int COORDINATE_BYTES = 32;

    /**
     * The public half as JSON Web Key, whose {@code kid} is its thumbprint (RFC 7638).
     *
     * @throws StorageBusyException if KMS does not answer: a retry may succeed
     */
    ObjectNode publicKey();

    /**
     * The signature of ES256 (RFC 7518 §3.4).
     *
     * @throws StorageBusyException if KMS does not answer: a retry may succeed
     */
    byte[] sign(byte[] input);

    /** The key of this installation: that of a local run where there is one, else that of KMS which the template names; empty where cards are unsigned. */
    static Optional<CardKey> of(Wiring wiring) {
        if (wiring.environment().containsKey(LocalCardKey.VARIABLE)) {
            return Optional.of(LocalCardKey.read(wiring.required(LocalCardKey.VARIABLE)));
        }
        return wiring.environment().containsKey(KMS_KEY)
                ? Optional.of(new KmsCardKey(wiring.kms(), wiring.required(KMS_KEY)))
                : Optional.empty();
    }

    /** A public key as JSON Web Key. */
    static ObjectNode jwk(ECPublicKey key) {
        String x = coordinate(key.getW().getAffineX());
        String y = coordinate(key.getW().getAffineY());
        // The members of the thumbprint, in its order.
        ObjectNode jwk =
                Json.object().put("crv", "P-256").put("kty", "EC").put("x", x).put("y", y);
        String thumbprint = base64(Sha256.of(Json.text(jwk)));
        return jwk.put("kid", thumbprint).put("use", "sig").put("alg", "ES256");
    }

    /** A number as JSON Web Keys have it: all 32 bytes in base64. */
    static String coordinate(BigInteger number) {
        return base64(fixed(number));
    }

    /** The number in 32 bytes. */
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

    /** The two numbers of a signature in ASN.1, one after the other in 32 bytes each, as JSON Web Signatures have them. */
    static byte[] concatenated(byte[] asn1) {
        int lengthOfR = asn1[3];
        byte[] r = Arrays.copyOfRange(asn1, 4, 4 + lengthOfR);
        byte[] s = Arrays.copyOfRange(asn1, 4 + lengthOfR + 2, asn1.length);
        byte[] both = Arrays.copyOf(fixed(new BigInteger(1, r)), 2 * COORDINATE_BYTES);
        System.arraycopy(fixed(new BigInteger(1, s)), 0, both, COORDINATE_BYTES, COORDINATE_BYTES);
        return both;
    }
}
