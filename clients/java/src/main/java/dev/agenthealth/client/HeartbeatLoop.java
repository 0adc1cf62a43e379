package dev.agenthealth.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Sends the requests of all agents of a client when they are due. A heartbeat that is due within half of its interval joins a request that
 * is sent anyway. The agents of a process therefore share their requests from the second heartbeat on. Thread-safe; calls no session while
 * it holds its lock.
 */
final class HeartbeatLoop {

    private final Scheduler scheduler;
    private final HeartbeatRequests requests;
    private final Set<AgentSession> sessions = new LinkedHashSet<>();
    private Scheduler.Waiting waiting = () -> {};
    private long wakesAt = Long.MAX_VALUE;

    HeartbeatLoop(Scheduler scheduler, Api api) {
        this.scheduler = scheduler;
        this.requests = new HeartbeatRequests(api);
    }

    void add(AgentSession session) {
        synchronized (this) {
            sessions.add(session);
        }
        wake();
    }

    synchronized void remove(AgentSession session) {
        sessions.remove(session);
    }

    /** Returns the agents that have not ended, in the order of their addition. */
    synchronized List<AgentSession> sessions() {
        return List.copyOf(sessions);
    }

    /** Reads the times of all agents again after a change. A time that became later costs one wake-up without a request. */
    void wake() {
        long next = sessions().stream()
                .map(AgentSession::dueAt)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .min()
                .orElse(Long.MAX_VALUE);
        synchronized (this) {
            if (next < wakesAt) {
                waiting.cancel();
                wakesAt = next;
                waiting = scheduler.schedule(Duration.ofNanos(Math.max(0, next - scheduler.nanoTime())), this::sendDue);
            }
        }
    }

    private void sendDue() {
        synchronized (this) {
            wakesAt = Long.MAX_VALUE;
        }
        long now = scheduler.nanoTime();
        List<AgentSession> current = sessions();
        List<HeartbeatEntry> heartbeats = new ArrayList<>();
        if (current.stream().map(AgentSession::dueAt).anyMatch(due -> due.isPresent() && due.getAsLong() <= now)) {
            for (AgentSession session : current) {
                session.beginRegistration(now).ifPresent(this::inBackground);
                session.beginHeartbeat(now).ifPresent(heartbeats::add);
            }
        }
        requests.grouped(heartbeats).forEach(group -> inBackground(() -> requests.send(group)));
        wake();
    }

    private void inBackground(Runnable request) {
        scheduler.schedule(Duration.ZERO, () -> {
            request.run();
            wake();
        });
    }
}
