package dev.agenthealth.functions.api.access;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.address.CallerNetwork;
import dev.agenthealth.model.identity.KeyHash;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The wrong keys that each address sent within a minute. After {@link #MAX_GUESSES} different ones, the deployment's own key is not compared any more
 * for requests of the address: of all keys, people chose it, and somebody may guess it. A program that repeats one wrong key, or sends an issued key that
 * was revoked, guesses nothing. No request waits. Thread-safe.
 */
final class WrongKeys {

    /** The number of different wrong keys of an address within {@link #WINDOW}. */
    static final int MAX_GUESSES = 10;

    /** The time after which an address begins anew. */
    static final Duration WINDOW = Duration.ofMinutes(1);

    /** The number of addresses; beyond it, the one without a wrong key for the longest time leaves. */
    static final int MAX_ADDRESSES = 10_000;

    private final Clock clock;
    private final Map<String, Guesses> byNetwork = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Guesses> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    private record Guesses(Set<KeyHash> keys, Instant end) {}

    WrongKeys(Clock clock) {
        this.clock = clock;
    }

    /** Notes a wrong key that a person may have chosen. */
    synchronized void note(String address, KeyHash key) {
        if (address.isEmpty()) {
            return;
        }
        String network = CallerNetwork.of(address);
        Guesses before = current(network)
                .orElseGet(() -> new Guesses(Set.of(), clock.instant().plus(WINDOW)));
        if (before.keys().size() < MAX_GUESSES) {
            Set<KeyHash> keys = new HashSet<>(before.keys());
            keys.add(key);
            byNetwork.put(network, new Guesses(Collections.unmodifiableSet(keys), before.end()));
        }
    }

    /** Returns how long an address has to wait before the deployment's own key is compared again; empty if it need not wait. */
    synchronized Optional<Duration> wait(String address) {
        return address.isEmpty()
                ? Optional.empty()
                : current(CallerNetwork.of(address))
                        .filter(guesses -> guesses.keys().size() >= MAX_GUESSES)
                        .map(guesses -> Duration.between(clock.instant(), guesses.end()));
    }

    private Optional<Guesses> current(String network) {
        return Optional.ofNullable(byNetwork.get(network))
                .filter(guesses -> ClockRule.holds(guesses.end(), WINDOW, clock.instant()));
    }
}
