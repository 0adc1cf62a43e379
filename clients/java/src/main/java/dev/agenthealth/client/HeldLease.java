package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A lease on a scope of an intent, renewed in the background until it is closed (RFC-0003, RFC-0016 §9). Thread-safe.
 *
 * <p>The client measures the time since it sent the last answered renewal, by a monotonic clock. {@link #isHeld} therefore returns false no
 * later than the lease expires at the registry, even if the registry is unreachable or this machine's clock is wrong. A resource that must
 * never accept two writers compares {@link #fencingToken} as well.
 */
public final class HeldLease implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final int RENEWALS_PER_DURATION = 3;
    private static final String TOO_LATE = "no renewal was answered in time";

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    private final AgentSession session;
    private final Duration duration;
    private final Consumer<HeldLease> onLost;
    private final String id;
    private final String intentId;
    private final String scope;
    private final long fencingToken;

    private State state = State.HELD;
    private String lostBecause = "";
    private long endsAt;
    private int failures;
    private Scheduler.Waiting next = () -> {};

    /** @param sentAt the time at which the request for the lease was sent, in the scheduler's time */
    HeldLease(AgentSession session, JsonNode json, Duration duration, Consumer<HeldLease> onLost, long sentAt) {
        this.session = session;
        this.duration = duration;
        this.onLost = onLost;
        this.id = Json.text(json, "id");
        this.intentId = Json.text(json, "intent_id");
        this.scope = Json.text(json, "scope");
        this.fencingToken = json.path("fencing_token").asLong();
        this.endsAt = sentAt + duration.toNanos();
    }

    public String id() {
        return id;
    }

    public String intentId() {
        return intentId;
    }

    public String scope() {
        return scope;
    }

    /**
     * Returns the fencing token, which rises with every lease of the scope. A resource refuses a token that is lower than the highest token
     * so far.
     */
    public long fencingToken() {
        return fencingToken;
    }

    /** Returns true while the lease is held. */
    public boolean isHeld() {
        synchronized (session) {
            return state == State.HELD && remainingNanos() > 0;
        }
    }

    /**
     * Does nothing while the lease is held.
     *
     * @throws LeaseLostException if it is not held, so that nothing may be written under it
     */
    public void requireHeld() {
        synchronized (session) {
            if (!isHeld()) {
                String lost = state == State.LOST ? lostBecause : TOO_LATE;
                throw new LeaseLostException(
                        this + " is not held: " + (state == State.RELEASED ? "it was released" : lost));
            }
        }
    }

    /** Returns the minimum remaining time of the lease if no renewal succeeds; zero if it is not held. */
    public Duration remaining() {
        synchronized (session) {
            return isHeld() ? Duration.ofNanos(remainingNanos()) : Duration.ZERO;
        }
    }

    /**
     * Releases the lease; does nothing if it is released or lost. If the registry is unreachable, this returns after one attempt. The
     * client retries in the background until the lease has expired.
     */
    @Override
    public void close() {
        synchronized (session) {
            if (state != State.HELD) {
                return;
            }
            state = State.RELEASED;
            next.cancel();
        }
        release();
        session.leases().remove(this);
        session.workChanged();
    }

    private void release() {
        try {
            session.context().api().sendOnce(path(Call.delete("/api/v1/intents")));
        } catch (AgentHealthException e) {
            LOG.log(Level.INFO, this + " is not released yet: " + e.getMessage());
            retryRelease(e);
        }
    }

    private void retryRelease(AgentHealthException failure) {
        synchronized (session) {
            failures++;
            if (failure.isPassing() && remainingNanos() > 0) {
                session.context().scheduler().schedule(retryWait(failure), this::release);
            }
        }
    }

    /** Schedules the next renewal. */
    void keep() {
        synchronized (session) {
            Duration third = duration.dividedBy(RENEWALS_PER_DURATION);
            renewAfter(session.context().backoff().shortened(third));
        }
    }

    /** Renews the lease at once. */
    void renew() {
        long sentAt = session.context().scheduler().nanoTime();
        if (!isHeld()) {
            lose(TOO_LATE);
            return;
        }
        ObjectNode body =
                Json.object().put("duration_seconds", duration.toSeconds()).put("incarnation", session.incarnation());
        try {
            session.context().api().sendOnce(path(Call.patch("/api/v1/intents")).body(body));
            synchronized (session) {
                endsAt = sentAt + duration.toNanos();
                failures = 0;
                keep();
            }
        } catch (RuntimeException | Error e) {
            AgentHealthException failure = AgentHealthException.of(e);
            // A key may be rotated, or a proxy repaired, before the lease expires.
            if (failure.isPassing()
                    || failure instanceof UnauthenticatedException
                    || failure instanceof UnexpectedAnswerException) {
                synchronized (session) {
                    failures++;
                    renewAfter(retryWait(failure));
                }
            } else {
                lose(failure.getMessage());
            }
        }
    }

    private Duration retryWait(AgentHealthException failure) {
        Duration maximum = duration.dividedBy(RENEWALS_PER_DURATION);
        return session.context().backoff().after(failures, FIRST_RETRY, maximum, failure.waitAtLeast());
    }

    /** Checks the lease no later than at its end, so that its loss is reported when it happens. */
    private void renewAfter(Duration wait) {
        if (state == State.HELD) {
            Duration left = Duration.ofNanos(Math.max(0, remainingNanos()));
            next = session.context().scheduler().schedule(wait.compareTo(left) < 0 ? wait : left, this::renew);
        }
    }

    /** Marks the lease as lost. */
    void lose(String reason) {
        synchronized (session) {
            if (state != State.HELD) {
                return;
            }
            state = State.LOST;
            lostBecause = reason;
            next.cancel();
        }
        LOG.log(Level.WARNING, this + " is lost: " + reason);
        session.leases().remove(this);
        session.context().scheduler().schedule(Duration.ZERO, () -> {
            AgentSession.call(onLost, this);
            session.workChanged();
        });
    }

    private Call path(Call call) {
        return call.segment(intentId).path("/leases").segment(id);
    }

    private long remainingNanos() {
        return endsAt - session.context().scheduler().nanoTime();
    }

    @Override
    public String toString() {
        return "lease " + id + " on " + scope + " of " + intentId + ", token " + fencingToken;
    }
}
