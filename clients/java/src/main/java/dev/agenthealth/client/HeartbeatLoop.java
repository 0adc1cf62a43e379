package dev.agenthealth.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Keeps the rhythm of all agents of a client. Agents whose heartbeats are due within half of their interval join a request that is sent
 * anyway, so that agents of one process share their requests from the second heartbeat on. Thread-safe.
 *
 * <p>An agent's lock may be taken while this object's is held, and never the other way round.
 */
final class HeartbeatLoop {

    private static final int PARTS_OF_INTERVAL = 2;

    private final Scheduler scheduler;
    private final HeartbeatRequests requests;
    private final Set<AgentSession> sessions = new LinkedHashSet<>();
    private Scheduler.Waiting waiting = () -> {};

    HeartbeatLoop(Scheduler scheduler, Api api) {
        this.scheduler = scheduler;
        this.requests = new HeartbeatRequests(api);
    }

    synchronized void add(AgentSession session) {
        sessions.add(session);
        wake();
    }

    synchronized void remove(AgentSession session) {
        sessions.remove(session);
    }

    /** The agents that are not ended, in the order in which they were added. */
    synchronized List<AgentSession> sessions() {
        return List.copyOf(sessions);
    }

    /** Looks at the times again, as one of them changed. */
    synchronized void wake() {
        waiting.cancel();
        OptionalLong next = sessions.stream()
                .map(AgentSession::dueAt)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .min();
        next.ifPresent(due ->
                waiting = scheduler.schedule(Duration.ofNanos(Math.max(0, due - scheduler.nanoTime())), this::tick));
    }

    private void tick() {
        List<HeartbeatPart> parts = new ArrayList<>();
        synchronized (this) {
            long now = scheduler.nanoTime();
            if (sessions.stream().anyMatch(session -> isDue(session, now))) {
                for (AgentSession session : sessions) {
                    if (session.registers()) {
                        registerIfDue(session, now);
                    } else if (isDue(session, now + session.interval().toNanos() / PARTS_OF_INTERVAL)) {
                        parts.add(session.beginHeartbeat());
                    }
                }
            }
        }
        for (List<HeartbeatPart> group : requests.grouped(parts)) {
            scheduler.schedule(Duration.ZERO, () -> {
                requests.send(group);
                wake();
            });
        }
        wake();
    }

    private void registerIfDue(AgentSession session, long now) {
        if (isDue(session, now)) {
            session.beginRegistration();
            scheduler.schedule(Duration.ZERO, () -> {
                session.register();
                wake();
            });
        }
    }

    private static boolean isDue(AgentSession session, long until) {
        OptionalLong due = session.dueAt();
        return due.isPresent() && due.getAsLong() <= until;
    }
}
