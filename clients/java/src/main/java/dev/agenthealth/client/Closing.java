package dev.agenthealth.client;

import java.time.Duration;
import java.util.List;

/** Drains agents and waits for them, for a limited time. */
final class Closing {

    /** A registry that is away must not hold up the end of a program. */
    private static final int MAX_FAILURES = 3;

    /** For outcomes that no heartbeat carried, and for callbacks. */
    private static final Duration LAST_OUTCOMES = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(20);

    private final Scheduler scheduler;

    Closing(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Drains the agents together, and ends those that are not done in time. */
    void close(List<AgentSession> sessions, Drain.Cause cause) {
        long start = scheduler.nanoTime();
        for (AgentSession session : sessions) {
            session.life().drain(new Drain(cause, "", session.settings().closeTimeout()));
        }
        try {
            while (sessions.stream().anyMatch(session -> isAwaited(session, start))) {
                scheduler.pause(STEP);
            }
            sessions.forEach(session -> session.life().end(AgentEnd.CLOSED));
            long ended = scheduler.nanoTime();
            while (sessions.stream().anyMatch(session -> !session.life().ended().isDone())
                    && scheduler.nanoTime() - ended < LAST_OUTCOMES.toNanos()) {
                scheduler.pause(STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sessions.forEach(session -> session.life().end(AgentEnd.CLOSED));
        }
    }

    private boolean isAwaited(AgentSession session, long start) {
        Duration timeout = session.settings().closeTimeout();
        return !session.life().ended().isDone()
                && session.failures() < MAX_FAILURES
                && scheduler.nanoTime() - start < timeout.toNanos();
    }
}
