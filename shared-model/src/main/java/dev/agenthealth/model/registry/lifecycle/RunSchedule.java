package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** The schedule of an agent that does not run all the time, such as a job. Immutable and thread-safe. */
public interface RunSchedule {

    /** The maximum grace period: thirty days. */
    int MAX_GRACE_SECONDS = HeartbeatConfig.MAX_THRESHOLD_SECONDS;

    /** The grace period if a schedule declares none. */
    int DEFAULT_GRACE_SECONDS = 300;

    /** Returns the first expected run that is not covered by a sign of life at {@code seenAt}; later than {@code seenAt}. */
    Instant expectedAfter(Instant seenAt);

    /** Returns the maximum delay of a sign of life after the expected run. */
    Duration grace();

    /** Returns the IANA time zone in which run times are shown. */
    String timeZone();
}
