package dev.agenthealth.functions.operations.signin;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.address.CallerNetwork;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Limits the concurrent requests to identity providers. These requests need no key. Therefore each address has a maximum, so that one address
 * cannot prevent others from signing in. Requests do not wait. Thread-safe.
 */
final class ProviderPlaces {

    /** The maximum number of concurrent requests to providers. More requests would take threads away from requests without a provider. */
    static final int MAX_AT_ONCE = 16;

    /** The maximum number of concurrent requests per address. */
    static final int MAX_OF_ADDRESS = 4;

    /** The number of concurrent requests per address; at most {@link #MAX_AT_ONCE} entries. */
    private final Map<String, Integer> taken = new HashMap<>();

    /**
     * Does some work within the limits.
     *
     * @throws ApiError 429 if a limit is reached
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
