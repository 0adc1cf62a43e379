package dev.agenthealth.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Drains agents and waits for them for a limited time. */
final class AgentShutdown {

    /** The maximum number of consecutive failures, so that an unreachable registry does not delay the end of a program. */
    private static final int MAX_FAILURES = 3;

    private static final int MAX_FURTHER_FAILURES = 2;

    /** The time for callbacks, and for outcomes that no heartbeat carried. */
    private static final Duration LAST_OUTCOMES = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(20);

    private final Scheduler scheduler;

    AgentShutdown(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Drains all agents at the same time, and ends agents that are not done in time. */
    void close(List<AgentSession> sessions, Drain.Cause cause) {
        long start = scheduler.nanoTime();
        Map<AgentSession, Integer> maxFailures = new HashMap<>();
        for (AgentSession session : sessions) {
            int failures = session.failures();
            maxFailures.put(session, failures == 0 ? MAX_FAILURES : failures + MAX_FURTHER_FAILURES);
            session.drain(new Drain(cause, "", session.settings().closeTimeout()));
        }
        try {
            while (sessions.stream().anyMatch(session -> isAwaited(session, maxFailures.get(session), start))) {
                scheduler.pause(STEP);
            }
            sessions.forEach(session -> session.end(AgentEnd.CLOSED));
            long ended = scheduler.nanoTime();
            while (sessions.stream().anyMatch(session -> !session.ended().isDone())
                    && scheduler.nanoTime() - ended < LAST_OUTCOMES.toNanos()) {
                scheduler.pause(STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sessions.forEach(session -> session.end(AgentEnd.CLOSED));
        }
    }

    private boolean isAwaited(AgentSession session, int maxFailures, long start) {
        Duration timeout = session.settings().closeTimeout();
        return !session.ended().isDone()
                && session.failures() < maxFailures
                && scheduler.nanoTime() - start < timeout.toNanos();
    }
}
