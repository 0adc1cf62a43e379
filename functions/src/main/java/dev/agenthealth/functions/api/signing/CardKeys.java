package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWK;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.gateway.Endpoint;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/**
 * The public keys of cards: keys that the operator trusts, and keys that the host of a card serves itself. Keys of a host are kept for
 * {@link #KEPT}. Thread-safe.
 */
public final class CardKeys {

    static final Duration KEPT = Duration.ofMinutes(10);

    /** The time after which a host's keys are read again if they lack a key: the host may have a new key. */
    static final Duration KEPT_WITHOUT = Duration.ofSeconds(10);

    private static final int MAX_TEXT = 4_000;

    private static final int MAX_HOSTS = 1_000;

    private final Supplier<List<String>> trusted;
    private final Function<Endpoint, Optional<String>> fetch;
    private final Clock clock;
    private final Map<String, Served> served = new LinkedHashMap<>();

    private record Served(List<JWK> keys, Instant at) {}

    /**
     * @param trusted returns the operator's keys, each a JSON Web Key
     * @param fetch returns the JSON Web Key Set at an address; empty if nothing answers
     */
    public CardKeys(Supplier<List<String>> trusted, Function<Endpoint, Optional<String>> fetch, Clock clock) {
        this.trusted = trusted;
        this.fetch = fetch;
        this.clock = clock;
    }

    /**
     * Returns the keys with this id.
     *
     * @param keySet the address that the signature names; read only if it is on the card's own host
     * @param card the address at which the card was received
     */
    List<JWK> find(String keyId, String keySet, String card) {
        List<JWK> found = trusted.get().stream()
                .flatMap(text -> key(text).stream())
                .filter(key -> keyId.equals(key.getKeyID()))
                .toList();
        return found.isEmpty() ? ofHost(keyId, keySet, card) : found;
    }

    /** Returns the public key in this text; empty if the text is no public key with an id. */
    public static Optional<JWK> key(String text) {
        try {
            // A symmetric key has no public form, and the parser fails on null.
            return text.length() > MAX_TEXT || !text.startsWith("{")
                    ? Optional.empty()
                    : Optional.ofNullable(JWK.parse(text).toPublicJWK()).filter(key -> key.getKeyID() != null);
        } catch (ParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private List<JWK> ofHost(String keyId, String keySet, String card) {
        Optional<Endpoint> address = Endpoint.of(keySet).filter(endpoint -> Endpoint.of(card)
                .filter(of -> of.secure() == endpoint.secure() && of.authority().equals(endpoint.authority()))
                .isPresent());
        if (address.isEmpty()) {
            return List.of();
        }
        Instant now = clock.instant();
        synchronized (served) {
            Served kept = served.get(keySet);
            if (kept != null) {
                List<JWK> found = with(keyId, kept.keys());
                if (!ClockRule.hasPassed(kept.at(), found.isEmpty() ? KEPT_WITHOUT : KEPT, now)) {
                    return found;
                }
            }
        }
        Optional<List<JWK>> keys = fetch.apply(address.get()).flatMap(CardKeys::keys);
        keys.ifPresent(read -> keep(keySet, new Served(read, now)));
        return with(keyId, keys.orElse(List.of()));
    }

    private static List<JWK> with(String keyId, List<JWK> keys) {
        return keys.stream().filter(key -> keyId.equals(key.getKeyID())).toList();
    }

    private static Optional<List<JWK>> keys(String keySet) {
        try {
            JsonNode keys = Json.received(keySet).path("keys");
            return keys.isArray()
                    ? Optional.of(StreamSupport.stream(keys.spliterator(), false)
                            .flatMap(key -> key(Json.text(key)).stream())
                            .toList())
                    : Optional.empty();
        } catch (UnreadableJsonException e) {
            return Optional.empty();
        }
    }

    private void keep(String keySet, Served read) {
        synchronized (served) {
            served.remove(keySet);
            if (served.size() >= MAX_HOSTS) {
                served.remove(served.keySet().iterator().next());
            }
            served.put(keySet, read);
        }
    }
}
