package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.util.Base64URL;
import dev.agenthealth.model.registry.profile.CardSignature;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Verifies the signatures of a card (A2A 1.0 §8.4.3). A single valid signature is enough. It need not cover fields that A2A 1.0 does not
 * have, because the official SDKs add fields of version 0.3 after they signed. Thread-safe as far as the keys are.
 */
public final class CardVerifier {

    private static final int MAX_SIGNATURES = 8;

    /** The maximum number of key sets of the card's host that are read for one card. */
    private static final int MAX_KEY_SETS = 2;

    /** The maximum number of keys with one id that are tried for a signature. Each trial takes time. */
    private static final int MAX_KEYS = 2;

    private static final int MIN_RSA_BITS = 2_048;

    private static final int MAX_RSA_BITS = 8_192;

    /** The maximum size of a public exponent. Verifying takes a multiple of the time with a large one, which no real key has. */
    private static final int MAX_EXPONENT_BITS = 33;

    /** The accepted algorithms, all with public keys: a symmetric key that verifies also signs. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512);

    private final CardKeys keys;

    public CardVerifier(CardKeys keys) {
        this.keys = keys;
    }

    /**
     * Returns the result of verifying the signatures of a card.
     *
     * @param card the card as it was received
     * @param address the address at which the card was received
     */
    public CardSignature verify(ObjectNode card, String address) {
        JsonNode signatures = card.path("signatures");
        if (signatures.isMissingNode() || signatures.isNull() || signatures.isArray() && signatures.isEmpty()) {
            return CardSignature.UNSIGNED;
        }
        if (!signatures.isArray() || signatures.size() > MAX_SIGNATURES) {
            return CardSignature.INVALID;
        }
        List<byte[]> forms;
        try {
            forms = CardForms.toVerify(card);
        } catch (IllegalArgumentException e) {
            return CardSignature.INVALID;
        }
        CardSignature worst = CardSignature.UNKNOWN_KEY;
        Set<String> keySets = new HashSet<>();
        for (JsonNode signature : signatures) {
            CardSignature found = verify(signature, forms, address, keySets);
            if (found == CardSignature.VALID) {
                return found;
            }
            worst = found == CardSignature.INVALID ? found : worst;
        }
        return worst;
    }

    /** @param keySets the key sets of the card's host that were read for this card */
    private CardSignature verify(JsonNode signature, List<byte[]> forms, String address, Set<String> keySets) {
        String encodedHeader = signature.path("protected").asText();
        JWSHeader header;
        try {
            header = JWSHeader.parse(new Base64URL(encodedHeader));
        } catch (ParseException | IllegalArgumentException e) {
            return CardSignature.INVALID;
        }
        // Signatures of cards have no critical extensions and no unencoded payloads.
        if (!ALGORITHMS.contains(header.getAlgorithm())
                || header.getKeyID() == null
                || header.getCriticalParams() != null) {
            return CardSignature.INVALID;
        }
        String keySet = header.getJWKURL() == null ? "" : header.getJWKURL().toString();
        if (CardKeys.addressOfHost(keySet, address).isPresent() && keySets.size() < MAX_KEY_SETS) {
            keySets.add(keySet);
        }
        List<JWK> known = keys.find(header.getKeyID(), keySets.contains(keySet) ? keySet : "", address).stream()
                .limit(MAX_KEYS)
                .toList();
        if (known.isEmpty()) {
            return CardSignature.UNKNOWN_KEY;
        }
        Base64URL bytes = new Base64URL(signature.path("signature").asText());
        return known.stream().anyMatch(key -> forms.stream()
                        .anyMatch(form -> verifies(key, header, encodedHeader, form, bytes)))
                ? CardSignature.VALID
                : CardSignature.INVALID;
    }

    private static boolean verifies(JWK key, JWSHeader header, String encodedHeader, byte[] form, Base64URL signature) {
        byte[] input = (encodedHeader + "." + Base64URL.encode(form)).getBytes(StandardCharsets.US_ASCII);
        try {
            if (KeyUse.ENCRYPTION.equals(key.getKeyUse())) {
                return false;
            }
            if (key.getKeyType().equals(KeyType.EC)) {
                return new ECDSAVerifier(key.toECKey()).verify(header, input, signature);
            }
            return key.getKeyType().equals(KeyType.RSA)
                    && key.size() >= MIN_RSA_BITS
                    && key.size() <= MAX_RSA_BITS
                    && key.toRSAKey().getPublicExponent().decodeToBigInteger().bitLength() <= MAX_EXPONENT_BITS
                    && new RSASSAVerifier(key.toRSAKey()).verify(header, input, signature);
        } catch (JOSEException e) {
            // The key is for another algorithm.
            return false;
        }
    }
}
