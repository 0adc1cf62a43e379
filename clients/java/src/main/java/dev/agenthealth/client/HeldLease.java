package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A lease on a scope of an intent, renewed in the background until it is closed (RFC-0003, RFC-0016 §9). Thread-safe.
 *
 * <p>The client counts the time since it sent the last renewal that was answered, by a monotonic clock. So {@link #isHeld} turns
 * false no later than the lease expires at the registry, also while the registry is away and if this machine's clock is wrong. A resource
 * that must never accept two writers compares {@link #fencingToken} as well.
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

    /** @param sentAt when the request for the lease was sent, in the scheduler's time */
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

    /** Rises with every lease of the scope: a resource refuses a token that is lower than the highest it has seen. */
    public long fencingToken() {
        return fencingToken;
    }

    /** Whether the lease is held now. */
    public synchronized boolean isHeld() {
        return state == State.HELD && remainingNanos() > 0;
    }

    /**
     * Does nothing while the lease is held.
     *
     * @throws LeaseLostException when it is not: nothing may be written under it
     */
    public synchronized void requireHeld() {
        if (!isHeld()) {
            String lost = state == State.LOST ? lostBecause : TOO_LATE;
            throw new LeaseLostException(
                    this + " is not held: " + (state == State.RELEASED ? "it was released" : lost));
        }
    }

    /** How long the lease is held at least if no renewal succeeds; zero where it is not held. */
    public synchronized Duration remaining() {
        return isHeld() ? Duration.ofNanos(remainingNanos()) : Duration.ZERO;
    }

    /**
     * Releases the lease; does nothing where it is released or lost. If the registry is away, this returns after one attempt; the client
     * goes on trying in the background until the lease has expired.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.RELEASED;
            next.cancel();
        }
        release();
        session.activity().leases().remove(this);
        session.life().workChanged();
    }

    private void release() {
        try {
            session.parts().api().sendOnce(path(Call.delete("/api/v1/intents")));
        } catch (AgentHealthException e) {
            LOG.log(Level.INFO, this + " is not released yet: " + e.getMessage());
            retryRelease(e);
        }
    }

    private synchronized void retryRelease(AgentHealthException failure) {
        failures++;
        if (failure.isPassing() && remainingNanos() > 0) {
            session.parts().scheduler().schedule(retryWait(failure), this::release);
        }
    }

    /** Waits for the next renewal. */
    synchronized void keep() {
        Duration third = duration.dividedBy(RENEWALS_PER_DURATION);
        renewAfter(session.parts().backoff().shortened(third));
    }

    /** Renews the lease at once. */
    void renew() {
        long sentAt = session.parts().scheduler().nanoTime();
        if (!isHeld()) {
            lose(TOO_LATE);
            return;
        }
        ObjectNode body =
                Json.object().put("duration_seconds", duration.toSeconds()).put("incarnation", session.incarnation());
        try {
            session.parts().api().sendOnce(path(Call.patch("/api/v1/intents")).body(body));
            renewed(sentAt);
        } catch (AgentHealthException e) {
            // A key may be rotated, and a proxy be mended, before the lease expires.
            if (e.isPassing() || e instanceof UnauthenticatedException || e instanceof UnexpectedAnswerException) {
                tryAgain(e);
            } else {
                lose(e.getMessage());
            }
        } catch (RuntimeException | Error e) {
            tryAgain(new RegistryUnreachableException("the renewal could not be sent: " + e, e));
        }
    }

    private synchronized void renewed(long sentAt) {
        endsAt = sentAt + duration.toNanos();
        failures = 0;
        keep();
    }

    private synchronized void tryAgain(AgentHealthException failure) {
        failures++;
        renewAfter(retryWait(failure));
    }

    private Duration retryWait(AgentHealthException failure) {
        Duration maximum = duration.dividedBy(RENEWALS_PER_DURATION);
        return session.parts().backoff().after(failures, FIRST_RETRY, maximum, failure.waitAtLeast());
    }

    /** Looks at the lease no later than at its end, so that its loss is reported when it happens. */
    private void renewAfter(Duration wait) {
        if (state == State.HELD) {
            Duration left = Duration.ofNanos(Math.max(0, remainingNanos()));
            next = session.parts().scheduler().schedule(wait.compareTo(left) < 0 ? wait : left, this::renew);
        }
    }

    /** The lease is no longer held. */
    void lose(String reason) {
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.LOST;
            lostBecause = reason;
            next.cancel();
        }
        LOG.log(Level.WARNING, this + " is lost: " + reason);
        session.activity().leases().remove(this);
        session.parts().scheduler().schedule(Duration.ZERO, () -> {
            Callbacks.call(onLost, this);
            session.life().workChanged();
        });
    }

    private Call path(Call call) {
        return call.segment(intentId).path("/leases").segment(id);
    }

    private long remainingNanos() {
        return endsAt - session.parts().scheduler().nanoTime();
    }

    @Override
    public String toString() {
        return "lease " + id + " on " + scope + " of " + intentId + ", token " + fencingToken;
    }
}
