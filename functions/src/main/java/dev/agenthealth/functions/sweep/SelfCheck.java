package dev.agenthealth.functions.sweep;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.storage.keys.KeySecret;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.sweep.SelfCheckResult;
import dev.agenthealth.model.sweep.SelfCheckRule;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Checks that heartbeats and registrations reach the registry. Thread-safe.
 *
 * <p>Canaries send heartbeats to every address that agents use. The check then reads their rows back, and compares the clock that received
 * the heartbeats with the clock of the sweep. It sends to one address sequentially, because a small account runs few executions at once.
 * Each canary has its own id and credential, so that no secret is stored.
 */
final class SelfCheck {

    private static final SelfCheckResult ARRIVED = new SelfCheckResult(1, 0, 0);
    private static final SelfCheckResult LOST = new SelfCheckResult(0, 1, 0);
    private static final SelfCheckResult THROTTLED = new SelfCheckResult(0, 0, 1);

    private final CanaryStore canaries;
    private final List<PublicApi> addresses;
    private final Executor executor;
    private final Clock clock;

    /** @param addresses the addresses to which agents send heartbeats */
    SelfCheck(CanaryStore canaries, List<PublicApi> addresses, Executor executor, Clock clock) {
        this.canaries = canaries;
        this.addresses = List.copyOf(addresses);
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Sends heartbeats and registrations, and returns the result for each address. All checks have ended when this method returns or
     * throws.
     */
    List<SelfCheckResult> run() {
        // If one check fails, the others end first, because each removes its rows.
        return Waiting.onAll(addresses, address -> checked(address), executor).stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<SelfCheckResult> checked(PublicApi address) {
        SelfCheckResult heartbeats = decided(key -> sent(address, "canary-" + UlidCreator.getUlid(), key));
        // Agents that restart register before they send heartbeats.
        return heartbeats.verdict() == SelfCheckResult.Verdict.PASSED
                ? List.of(heartbeats, decided(key -> registered(address, key)))
                : List.of(heartbeats);
    }

    private static SelfCheckResult decided(Function<String, SelfCheckResult> canary) {
        SelfCheckResult result = SelfCheckResult.NONE;
        while (!result.isDecided()) {
            // In the form of issued keys: an unknown key of another form counts as a guess of the administrator's key.
            result = result.plus(canary.apply(KeySecret.random()));
        }
        return result;
    }

    /** Returns whether registrations are answered. A limit lets some registrations through; {@code MassRestartRule} counts them. */
    private static SelfCheckResult registered(PublicApi address, String unknownKey) {
        return address.sendRegistration(unknownKey) == PublicApi.Answer.FAILED ? LOST : ARRIVED;
    }

    private SelfCheckResult sent(PublicApi address, String canaryId, String apiKey) {
        Instant placedAt = clock.instant();
        canaries.place(canaryId, KeyHash.ofKey(apiKey), placedAt);
        try {
            return switch (address.sendHeartbeat(canaryId, apiKey)) {
                case ACKNOWLEDGED ->
                    canaries.heartbeatAt(canaryId)
                            .map(at -> SelfCheckRule.isTimely(at, placedAt, clock.instant()) ? ARRIVED : LOST)
                            .orElse(LOST);
                case THROTTLED -> THROTTLED;
                case FAILED -> LOST;
            };
        } finally {
            canaries.remove(canaryId);
        }
    }
}
