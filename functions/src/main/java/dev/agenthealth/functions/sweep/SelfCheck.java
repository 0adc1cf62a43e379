package dev.agenthealth.functions.sweep;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.model.identity.KeyHash;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Checks that heartbeats arrive: canaries send some through every address that agents use, and their rows are read back. Each check has its own ids and
 * credentials, so that no secret is stored. Thread-safe.
 */
final class SelfCheck {

    /** Canaries of one check. */
    static final int CANARIES = 5;

    private static final int TRIES = 2;
    private static final int KEY_BYTES = 32;

    private final CanaryStore canaries;
    private final List<PublicApi> addresses;
    private final Executor executor;
    private final Clock clock;

    /** @param addresses where agents send heartbeats; the canaries take turns */
    SelfCheck(CanaryStore canaries, List<PublicApi> addresses, Executor executor, Clock clock) {
        this.canaries = canaries;
        this.addresses = List.copyOf(addresses);
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Sends the heartbeats of the canaries, and repeats those that did not arrive once.
     *
     * @return how many of {@link #CANARIES} arrived; no check goes on when it returns or throws
     */
    int answered() {
        // Created per check: a generator in a snapshot would repeat its numbers in every instance.
        SecureRandom random = new SecureRandom();
        List<Supplier<Boolean>> checks = IntStream.range(0, CANARIES)
                .<Supplier<Boolean>>mapToObj(i -> {
                    byte[] key = new byte[KEY_BYTES];
                    random.nextBytes(key);
                    String apiKey = HexFormat.of().formatHex(key);
                    return () ->
                            isAnswered(addresses.get(i % addresses.size()), "canary-" + UlidCreator.getUlid(), apiKey);
                })
                .toList();
        // Where one fails, the others end first: each removes its row.
        return (int) Waiting.onAll(checks, Supplier::get, executor).stream()
                .filter(isAnswered -> isAnswered)
                .count();
    }

    private boolean isAnswered(PublicApi address, String canaryId, String apiKey) {
        canaries.place(canaryId, KeyHash.ofKey(apiKey), clock.instant());
        try {
            for (int i = 0; i < TRIES; i++) {
                if (address.sendHeartbeat(canaryId, apiKey) && canaries.hasHeartbeat(canaryId)) {
                    return true;
                }
            }
            return false;
        } finally {
            canaries.remove(canaryId);
        }
    }
}
