package dev.agenthealth.functions.operations.signin;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.address.CallerNetwork;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The places for requests to identity providers. They need no key, so one address gets a share only, and cannot keep everybody else from signing
 * in. Nobody waits for a place. Thread-safe.
 */
final class ProviderPlaces {

    /** Requests to providers at once: more would take the threads from those that need no provider. */
    static final int MAX_AT_ONCE = 16;

    /** Requests of one address at once. */
    static final int MAX_OF_ADDRESS = 4;

    /** The number of requests of each address that has any; at most {@link #MAX_AT_ONCE} entries. */
    private final Map<String, Integer> taken = new HashMap<>();

    /**
     * Does some work in a place of an address.
     *
     * @throws ApiError 429 if no place is free
     */
    <T> T in(String address, Supplier<T> work) {
        String network = CallerNetwork.of(address);
        take(network);
        try {
            return work.get();
        } finally {
            release(network);
        }
    }

    private synchronized void take(String network) {
        int all = taken.values().stream().mapToInt(Integer::intValue).sum();
        if (all >= MAX_AT_ONCE || taken.getOrDefault(network, 0) >= MAX_OF_ADDRESS) {
            throw ApiError.tooManyRequests("Too many people sign in at once.", Duration.ofSeconds(1));
        }
        taken.merge(network, 1, Integer::sum);
    }

    private synchronized void release(String network) {
        taken.computeIfPresent(network, (address, number) -> number == 1 ? null : number - 1);
    }
}
