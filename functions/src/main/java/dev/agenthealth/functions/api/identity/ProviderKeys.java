package dev.agenthealth.functions.api.identity;

import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The addresses and keys of one issuer, as they were last read. At most one thread reads at a time. Other threads use the previous keys,
 * and wait only if nothing was read before. Thread-safe.
 */
final class ProviderKeys {

    static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** The maximum age of keys while the provider cannot be reached. */
    static final Duration MAX_AGE_WITHOUT_PROVIDER = Duration.ofHours(24);

    /** The minimum time between two reads for an unknown key. */
    static final Duration PAUSE_FOR_UNKNOWN_KEY = Duration.ofSeconds(30);

    /** The time after a failure in which no request waits for the provider. */
    static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);

    private final String issuer;
    private final ProviderClient client;
    private final Clock clock;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Optional<Read> last = Optional.empty();
    private volatile Instant notBefore = Instant.MIN;

    /** The keys that were read, and the time of the read. */
    record Read(ProviderMetadata metadata, SigningKeys keys, Instant at) {}

    ProviderKeys(String issuer, ProviderClient client, Clock clock) {
        this.issuer = issuer;
        this.client = client;
        this.clock = clock;
    }

    /**
     * Returns the keys of the issuer.
     *
     * @param suffices whether the keys that were read before are sufficient; otherwise they are read again, at most once in
     *     {@link #PAUSE_FOR_UNKNOWN_KEY}
     * @throws ApiError 503 if nothing was read within a day, and a new read fails
     */
    Read read(Predicate<SigningKeys> suffices) {
        Optional<Read> before = last;
        if (before.isPresent() && !isDue(before.get(), suffices)) {
            return before.get();
        }
        if (before.isEmpty()) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return usable(before);
        }
        try {
            if (last.isEmpty() || isDue(last.get(), suffices)) {
                refresh();
            }
        } finally {
            reading.unlock();
        }
        return usable(last);
    }

    private boolean isDue(Read read, Predicate<SigningKeys> suffices) {
        Instant now = clock.instant();
        return ClockRule.hasPassed(read.at(), MAX_AGE, now)
                || ClockRule.hasPassed(read.at(), PAUSE_FOR_UNKNOWN_KEY, now) && !suffices.test(read.keys());
    }

    private void refresh() {
        if (ClockRule.holds(notBefore, PAUSE_AFTER_FAILURE, clock.instant())) {
            return;
        }
        try {
            Instant deadline = client.deadline();
            ProviderMetadata metadata = ProviderMetadata.of(
                            issuer, client.get(ProviderMetadata.address(issuer), deadline))
                    .orElseThrow(() -> new CallFailedException(InvocationFailure.MALFORMED));
            SigningKeys keys = SigningKeys.of(Json.text(client.get(metadata.jwksUri(), deadline)))
                    .orElseThrow(() -> new CallFailedException(InvocationFailure.MALFORMED));
            last = Optional.of(new Read(metadata, keys, clock.instant()));
        } catch (CallFailedException e) {
            notBefore = clock.instant().plus(PAUSE_AFTER_FAILURE);
        }
    }

    private Read usable(Optional<Read> read) {
        return read.filter(found -> !ClockRule.hasPassed(found.at(), MAX_AGE_WITHOUT_PROVIDER, clock.instant()))
                .orElseThrow(AccessError::identityProviderUnavailable);
    }
}
