package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.io.IOException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** A key that the process holds. A local run uses it. Thread-safe. */
public final class LocalCardKey implements CardKey {

    private static final String CURVE = "secp256r1";

    private final ObjectNode publicKey;
    private final PrivateKey privateKey;

    private LocalCardKey(ECPublicKey publicKey, PrivateKey privateKey) {
        this.publicKey = CardKey.jwk(publicKey);
        this.privateKey = privateKey;
    }

    /** Returns a new key as private JSON Web Key. */
    public static String generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE));
            KeyPair pair = generator.generateKeyPair();
            return Json.text(CardKey.jwk((ECPublicKey) pair.getPublic())
                    .put("d", CardKey.coordinate(((ECPrivateKey) pair.getPrivate()).getS())));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has the curve P-256", e);
        }
    }

    /**
     * Reads a key.
     *
     * @throws IllegalArgumentException if the text is no private JSON Web Key on the curve P-256
     */
    public static LocalCardKey read(String jwk) {
        try {
            Map<String, String> members = members(jwk);
            AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
            curve.init(new ECGenParameterSpec(CURVE));
            ECParameterSpec parameters = curve.getParameterSpec(ECParameterSpec.class);
            KeyFactory keys = KeyFactory.getInstance("EC");
            ECPoint point = new ECPoint(number(members, "x"), number(members, "y"));
            return new LocalCardKey(
                    (ECPublicKey) keys.generatePublic(new ECPublicKeySpec(point, parameters)),
                    keys.generatePrivate(new ECPrivateKeySpec(number(members, "d"), parameters)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("no private JSON Web Key on the curve P-256", e);
        }
    }

    /** Returns the texts of a JSON object. The first answer of a local run would wait for the mapper of {@link Json}. */
    private static Map<String, String> members(String jwk) throws IOException {
        Map<String, String> members = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(jwk)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.VALUE_STRING) {
                    members.put(json.currentName(), json.getText());
                }
            }
        }
        return members;
    }

    private static BigInteger number(Map<String, String> jwk, String name) {
        byte[] bytes = Base64.getUrlDecoder().decode(jwk.getOrDefault(name, ""));
        if (bytes.length != COORDINATE_BYTES) {
            throw new IllegalArgumentException("no private JSON Web Key on the curve P-256");
        }
        return new BigInteger(1, bytes);
    }

    @Override
    public ObjectNode publicKey() {
        return publicKey.deepCopy();
    }

    @Override
    public byte[] sign(byte[] input) {
        try {
            // No field holds the signature: it is not thread-safe.
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(privateKey);
            signature.update(input);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has ES256", e);
        }
    }
}
