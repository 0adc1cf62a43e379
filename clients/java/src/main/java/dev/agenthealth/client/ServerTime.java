package dev.agenthealth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The registry's time, from its answers and the time that passed since: the clock of this machine may be wrong by a day. Guarded by its session's lock.
 */
final class ServerTime {

    private Optional<Instant> anchor = Optional.empty();
    private long anchorNanos;

    /** Takes the time of an answer, if it has one. */
    void sync(Optional<Instant> serverNow, long nanos) {
        if (serverNow.isPresent()) {
            anchor = serverNow;
            anchorNanos = nanos;
        }
    }

    /** The registry's time at a moment of the scheduler; empty before its first answer. */
    Optional<Instant> at(long nanos) {
        return anchor.map(instant -> instant.plusNanos(nanos - anchorNanos));
    }

    /** The difference of this clock from the registry's, without a sign; zero where that is unknown. */
    Duration drift(Instant clockNow, long nanos) {
        return at(nanos).map(server -> Duration.between(server, clockNow).abs()).orElse(Duration.ZERO);
    }
}
