package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Signs the cards that the registry serves (A2A 1.0 §8.4.2), if the registry has a key. Signatures are cached, because each costs a request
 * to KMS. Thread-safe.
 */
public final class CardSigner {

    /** The path of the public keys below the origin of a request. */
    public static final String KEYS_PATH = "/.well-known/jwks.json";

    /** The signer of an installation without a key: it adds no signature. */
    public static final CardSigner NONE = new CardSigner(Optional.empty());

    private static final int MAX_CACHED = 1_000;

    private final Optional<CardKey> key;
    private final Map<ByteBuffer, ArrayNode> cached = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, ArrayNode> eldest) {
            return size() > MAX_CACHED;
        }
    };

    private CardSigner(Optional<CardKey> key) {
        this.key = key;
    }

    /** Returns the signer of this installation. */
    public static CardSigner of(Wiring wiring) {
        return new CardSigner(CardKey.of(wiring));
    }

    /** Returns a signer with this key. */
    public static CardSigner with(LocalCardKey key) {
        return new CardSigner(Optional.of(key));
    }

    /**
     * Returns the id of the key; empty if cards are unsigned.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if KMS does not answer: a retry may succeed
     */
    public String keyId() {
        return key.map(CardKey::publicKey)
                .map(json -> json.path("kid").textValue())
                .orElse("");
    }

    /**
     * Returns the public keys as JSON Web Key Set (RFC 7517 §5), which is empty if cards are unsigned.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if KMS does not answer: a retry may succeed
     */
    public ObjectNode keys() {
        ObjectNode json = Json.object();
        ArrayNode keys = json.putArray("keys");
        key.map(CardKey::publicKey).ifPresent(keys::add);
        return json;
    }

    /**
     * Adds {@code signatures} to a card in the layout of A2A 1.0: one signature, or two if the official SDKs and the specification differ
     * about the card.
     *
     * @param origin the origin that serves the keys
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if KMS does not answer: a retry may succeed
     */
    public ObjectNode sign(ObjectNode card, String origin) {
        if (key.isPresent()) {
            String header = header(origin);
            ByteBuffer name = ByteBuffer.wrap(Sha256.of(header + Json.text(card)));
            ArrayNode signatures;
            synchronized (cached) {
                signatures = cached.get(name);
            }
            if (signatures == null) {
                signatures = signatures(card, header);
                synchronized (cached) {
                    cached.put(name, signatures);
                }
            }
            card.set("signatures", signatures);
        }
        return card;
    }

    private String header(String origin) {
        ObjectNode header = Json.object().put("alg", "ES256").put("typ", "JOSE").put("kid", keyId());
        return CardKey.base64(Json.text(header.put("jku", origin + KEYS_PATH)).getBytes(StandardCharsets.UTF_8));
    }

    private ArrayNode signatures(ObjectNode card, String header) {
        ArrayNode signatures = JsonNodeFactory.instance.arrayNode();
        for (byte[] form : CardForms.toSign(card)) {
            String input = header + "." + CardKey.base64(form);
            byte[] signature = key.orElseThrow().sign(input.getBytes(StandardCharsets.US_ASCII));
            signatures.addObject().put("protected", header).put("signature", CardKey.base64(signature));
        }
        return signatures;
    }
}
