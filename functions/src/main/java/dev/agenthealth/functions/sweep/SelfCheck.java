package dev.agenthealth.functions.sweep;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.model.identity.KeyHash;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * The registry listens to itself: canaries beat through the public front door and are read back. Each run has ids and credentials of its
 * own, so that no secret is kept. Thread-safe.
 */
final class SelfCheck {

    /** Canaries of one run. */
    static final int CANARIES = 5;

    private static final int TRIES = 2;
    private static final int KEY_BYTES = 32;

    private final CanaryStore canaries;
    private final PublicApi frontDoor;
    private final Executor executor;
    private final Clock clock;

    SelfCheck(CanaryStore canaries, PublicApi frontDoor, Executor executor, Clock clock) {
        this.canaries = canaries;
        this.frontDoor = frontDoor;
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Sends the canaries, those that were not heard a second time.
     *
     * @return how many of {@link #CANARIES} were heard
     */
    int heard() {
        // Made here rather than kept: a generator in a snapshot would repeat its numbers in every copy.
        SecureRandom random = new SecureRandom();
        List<CompletableFuture<Boolean>> runs = IntStream.range(0, CANARIES)
                .mapToObj(i -> {
                    byte[] key = new byte[KEY_BYTES];
                    random.nextBytes(key);
                    String apiKey = HexFormat.of().formatHex(key);
                    return CompletableFuture.supplyAsync(
                            () -> isHeard("canary-" + UlidCreator.getUlid(), apiKey), executor);
                })
                .toList();
        return (int) runs.stream().filter(Waiting::on).count();
    }

    private boolean isHeard(String canaryId, String apiKey) {
        canaries.place(canaryId, KeyHash.ofKey(apiKey), clock.instant());
        try {
            for (int i = 0; i < TRIES; i++) {
                if (frontDoor.beat(canaryId, apiKey) && canaries.hasHeartbeat(canaryId)) {
                    return true;
                }
            }
            return false;
        } finally {
            canaries.remove(canaryId);
        }
    }
}
