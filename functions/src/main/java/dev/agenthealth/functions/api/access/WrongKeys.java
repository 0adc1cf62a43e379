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
 * Counts the wrong keys that each address sent within a minute. After {@link #MAX_GUESSES} different wrong keys, the deployment's own key
 * is no longer compared for requests of the address. People chose this key, so somebody may guess it.
 *
 * <p>A program that repeats one wrong key, or sends a revoked issued key, makes no guess. No request waits. Thread-safe.
 */
final class WrongKeys {

    /** The maximum number of different wrong keys per address within {@link #WINDOW}. */
    static final int MAX_GUESSES = 10;

    /** The time after which the count of an address starts again at 0. */
    static final Duration WINDOW = Duration.ofMinutes(1);

    /** The maximum number of addresses. Beyond it, the address that was counted or checked longest ago is removed. */
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

    /** Counts a wrong key that a person may have chosen. */
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

    /** Returns the time until the deployment's own key is compared again for an address; empty if the address need not wait. */
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
