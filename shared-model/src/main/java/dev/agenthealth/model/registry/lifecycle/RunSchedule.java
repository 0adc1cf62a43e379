package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** The schedule of an agent that does not run all the time. Immutable and thread-safe. */
public interface RunSchedule {

    /** The longest grace period: thirty days. */
    int MAX_GRACE_SECONDS = HeartbeatConfig.MAX_THRESHOLD_SECONDS;

    /** The grace period of a schedule that declares none. */
    int DEFAULT_GRACE_SECONDS = 300;

    /** Returns the moment of the first run that a sign of life at {@code seenAt} says nothing about; later than {@code seenAt}. */
    Instant expectedAfter(Instant seenAt);

    /** The time after that moment within which the sign of life may come. */
    Duration grace();

    /** The IANA time zone in which its moments are shown. */
    String timeZone();
}
