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
 * {@link #KEPT}, and a failure to read them for {@link #KEPT_WITHOUT}. Thread-safe.
 */
public final class CardKeys {

    static final Duration KEPT = Duration.ofMinutes(10);

    /** The time after which a host's keys are read again if they lack a key or were not readable: the host may have a new key. */
    static final Duration KEPT_WITHOUT = Duration.ofSeconds(10);

    private static final int MAX_TEXT = 4_000;

    private static final int MAX_HOSTS = 300;

    /** The maximum number of keys of a host that are kept. */
    private static final int MAX_KEYS = 50;

    private final Supplier<List<String>> trusted;
    private final Function<Endpoint, Optional<String>> fetch;
    private final Clock clock;
    private final Map<String, Served> served;

    /**
     * The keys of a host.
     *
     * @param at the time at which they were read
     * @param triedAt the time of the last attempt to read them
     */
    private record Served(List<JWK> keys, Instant at, Instant triedAt) {}

    /**
     * @param trusted returns the operator's keys, each a JSON Web Key
     * @param fetch returns the JSON Web Key Set at an address; empty if nothing answers
     */
    public CardKeys(Supplier<List<String>> trusted, Function<Endpoint, Optional<String>> fetch, Clock clock) {
        this(trusted, fetch, clock, new LinkedHashMap<>());
    }

    private CardKeys(
            Supplier<List<String>> trusted,
            Function<Endpoint, Optional<String>> fetch,
            Clock clock,
            Map<String, Served> served) {
        this.trusted = trusted;
        this.fetch = fetch;
        this.clock = clock;
        this.served = served;
    }

    /** Returns the same keys, of which other keys are read with this function. */
    public CardKeys reading(Function<Endpoint, Optional<String>> with) {
        return new CardKeys(trusted, with, clock, served);
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
        Optional<Endpoint> address = addressOfHost(keySet, card);
        if (address.isEmpty()) {
            return List.of();
        }
        Instant now = clock.instant();
        synchronized (served) {
            Served kept = served.get(keySet);
            if (kept != null) {
                List<JWK> found = ClockRule.hasPassed(kept.at(), KEPT, now) ? List.of() : with(keyId, kept.keys());
                if (!found.isEmpty() || !ClockRule.hasPassed(kept.triedAt(), KEPT_WITHOUT, now)) {
                    return found;
                }
            }
        }
        Optional<List<JWK>> keys = fetch.apply(address.get()).flatMap(CardKeys::keys);
        keep(keySet, keys, now);
        return with(keyId, keys.orElse(List.of()));
    }

    /** Returns the address of a key set; empty if it is not on the host of the card. */
    static Optional<Endpoint> addressOfHost(String keySet, String card) {
        return Endpoint.of(keySet).filter(endpoint -> Endpoint.of(card)
                .filter(of -> of.secure() == endpoint.secure() && of.authority().equals(endpoint.authority()))
                .isPresent());
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
                            .limit(MAX_KEYS)
                            .toList())
                    : Optional.empty();
        } catch (UnreadableJsonException e) {
            return Optional.empty();
        }
    }

    /** Keeps the keys that were read. If they were not readable, keeps the time and the keys before. */
    private void keep(String keySet, Optional<List<JWK>> keys, Instant now) {
        synchronized (served) {
            Optional<Served> before = Optional.ofNullable(served.remove(keySet));
            Served read = keys.map(found -> new Served(found, now, now))
                    .orElseGet(() -> before.map(kept -> new Served(kept.keys(), kept.at(), now))
                            .orElseGet(() -> new Served(List.of(), now, now)));
            if (served.size() >= MAX_HOSTS) {
                served.remove(served.keySet().iterator().next());
            }
            served.put(keySet, read);
        }
    }
}
