package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The time at which the next request of one agent is due. Guarded by its session's lock. */
final class RequestSchedule {

    /** Doubles with every failure in a row, up to the interval. */
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

    /** The number of requests in a row that failed. */
    int failures() {
        return failures;
    }

    /** The time of the next request; empty while one is in flight. */
    OptionalLong dueAt() {
        return inFlight ? OptionalLong.empty() : OptionalLong.of(dueAt);
    }

    boolean isDue(long now) {
        return !inFlight && dueAt <= now;
    }

    void sent() {
        inFlight = true;
    }

    /** The request was answered; the registry may have said when it wants the next one. */
    void answered(Optional<Duration> nextIn) {
        failures = 0;
        ended(again ? Duration.ZERO : nextIn.orElseGet(() -> backoff.shortened(interval)));
    }

    /** No answer, or the registry is busy: soon again, later with each failure, at least as often as the interval. */
    void failed(Optional<Duration> retryAfter) {
        failures++;
        ended(backoff.after(failures, FIRST_RETRY, interval, retryAfter));
    }

    /** Another process has the id, and may end at any moment: the pause stays the same. */
    void waiting(Optional<Duration> retryAfter) {
        failures++;
        ended(retryAfter.orElse(WAIT).plus(backoff.upTo(FIRST_RETRY)));
    }

    /** The registry refused the request. The interval stays, as what is wrong, such as the key, may be mended at any time. */
    void refused() {
        failures++;
        ended(backoff.shortened(interval));
    }

    /** The agent is dead and registers again: soon, but not all agents of an outage at the same moment. */
    void registerAgain() {
        failures = 0;
        Duration half = interval.dividedBy(2);
        ended(backoff.upTo(half.compareTo(MAX_BEFORE_REGISTRATION) < 0 ? half : MAX_BEFORE_REGISTRATION));
    }

    /** Does not wait for the interval; a request in flight is followed by another one. */
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
