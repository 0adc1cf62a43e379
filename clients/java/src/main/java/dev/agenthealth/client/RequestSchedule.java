package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The time at which the next request of one agent is due. The session's lock guards it. */
final class RequestSchedule {

    /** The first wait before a retry. It doubles with every consecutive failure, up to the interval. */
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);
    private static final Duration MAX_BEFORE_REGISTRATION = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final Backoff backoff;
    private Duration interval = DEFAULT_INTERVAL;
    private int failures;
    private long dueAt;
    private boolean inFlight;
    private boolean again;

    RequestSchedule(Scheduler scheduler, Backoff backoff) {
        this.scheduler = scheduler;
        this.backoff = backoff;
    }

    void interval(Duration declared) {
        if (!declared.isZero()) {
            interval = declared;
        }
    }

    Duration interval() {
        return interval;
    }

    /** Returns the number of consecutive failed requests. */
    int failures() {
        return failures;
    }

    /** Returns the time of the next request; empty while a request is in flight. */
    OptionalLong dueAt() {
        return inFlight ? OptionalLong.empty() : OptionalLong.of(dueAt);
    }

    boolean isDue(long now) {
        return !inFlight && dueAt <= now;
    }

    void sent() {
        inFlight = true;
    }

    /** Schedules the next request after an answer, in which the registry may have named a time. */
    void answered(Optional<Duration> nextIn) {
        failures = 0;
        ended(again ? Duration.ZERO : nextIn.orElseGet(() -> backoff.shortened(interval)));
    }

    /** Schedules a retry after a missing answer or a busy registry. The wait grows with each failure, up to the interval. */
    void failed(Optional<Duration> retryAfter) {
        failures++;
        ended(backoff.after(failures, FIRST_RETRY, interval, retryAfter));
    }

    /** Schedules a retry with a constant pause, because the process that has the id may end at any moment. */
    void waiting(Optional<Duration> retryAfter) {
        failures++;
        ended(retryAfter.orElse(WAIT).plus(backoff.upTo(FIRST_RETRY)));
    }

    /** Schedules the next request after a refusal. The interval stays, since the reason, such as the key, may be corrected at any time. */
    void refused() {
        failures++;
        ended(backoff.shortened(interval));
    }

    /** Schedules the registration of a dead agent soon, with jitter, so that not all agents register at the same moment after an outage. */
    void registerAgain() {
        failures = 0;
        Duration half = interval.dividedBy(2);
        ended(backoff.upTo(half.compareTo(MAX_BEFORE_REGISTRATION) < 0 ? half : MAX_BEFORE_REGISTRATION));
    }

    /** Makes the next request due now; a request in flight is followed by another request. */
    void now() {
        again = inFlight;
        dueAt = scheduler.nanoTime();
    }

    private void ended(Duration wait) {
        inFlight = false;
        again = false;
        dueAt = scheduler.nanoTime() + wait.toNanos();
    }
}
