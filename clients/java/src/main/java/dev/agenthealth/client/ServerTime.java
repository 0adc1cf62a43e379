package dev.agenthealth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The registry's time, computed from its answers and the time that passed since. The clock of this machine may be wrong by a day. The
 * session's lock guards it.
 */
final class ServerTime {

    private Optional<Instant> anchor = Optional.empty();
    private long anchorNanos;

    /** Takes the time of an answer, if the answer has a time. */
    void sync(Optional<Instant> serverNow, long nanos) {
        if (serverNow.isPresent()) {
            anchor = serverNow;
            anchorNanos = nanos;
        }
    }

    /** Returns the registry's time at a time of the scheduler; empty before the registry's first answer. */
    Optional<Instant> at(long nanos) {
        return anchor.map(instant -> instant.plusNanos(nanos - anchorNanos));
    }

    /** Returns the absolute difference between this clock and the registry's clock; zero if it is unknown. */
    Duration drift(Instant clockNow, long nanos) {
        return at(nanos).map(server -> Duration.between(server, clockNow).abs()).orElse(Duration.ZERO);
    }
}
