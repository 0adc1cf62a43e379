package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A request for a lease. Not thread-safe. */
public final class LeaseRequest {

    private static final int NEW = 201;

    private final AgentSession session;
    private final String intentId;
    private final String scope;
    private Duration duration = Duration.ofSeconds(60);
    private Consumer<HeldLease> onLost = lease -> {};

    LeaseRequest(AgentSession session, String intentId, String scope) {
        this.session = session;
        this.intentId = intentId;
        this.scope = scope;
    }

    /**
     * Sets the time that the lease lasts without a renewal: whole seconds, up to a day; 60 s by default. The lease is renewed every third
     * of this time.
     */
    public LeaseRequest duration(Duration time) {
        duration = Duration.ofSeconds(time.toSeconds());
        return this;
    }

    /** Sets the callback for a lost lease. It must stop the work under the lease. It is not called for a closed lease. */
    public LeaseRequest onLost(Consumer<HeldLease> callback) {
        onLost = callback;
        return this;
    }

    /**
     * Acquires the lease for the agent, or returns its current lease.
     *
     * @throws ConflictException {@code lease_held} or {@code lease_just_expired} if another agent has it ({@code available_at} in the
     *     document), {@code agent_takes_no_work} for a draining agent
     * @throws LeaseLostException if the agent ended meanwhile
     * @throws AgentHealthException if the agent is not registered yet: the failure of the last attempt, or {@code lease_held} if it runs
     *     elsewhere
     */
    public HeldLease acquire() {
        requireRegistered();
        Scheduler scheduler = session.context().scheduler();
        long sentAt = scheduler.nanoTime();
        ObjectNode body = Json.object()
                .put("agent_id", session.agentId())
                .put("scope", scope)
                .put("duration_seconds", duration.toSeconds());
        if (session.incarnation() > 0) {
            body.put("incarnation", session.incarnation());
        }
        Api.Reply reply = session.context()
                .api()
                .exchange(Call.post("/api/v1/intents")
                        .segment(intentId)
                        .path("/leases")
                        .body(body));
        HeldLease lease = new HeldLease(session, reply.json(), duration, onLost, sentAt);
        boolean held = session.hold(lease);
        if (reply.status() == NEW) {
            lease.keep();
        } else {
            // The agent had the lease before, so that it ends sooner than its duration.
            lease.renew();
        }
        if (!held) {
            lease.lose("its agent has ended");
        }
        lease.requireHeld();
        return lease;
    }

    /** Throws if the agent is not registered. Without an incarnation the process would get the leases of its predecessor. */
    private void requireRegistered() {
        Optional<AgentHealthException> failure = session.lastFailure();
        if (session.incarnation() > 0 || failure.isEmpty()) {
            return;
        }
        if (!(failure.get() instanceof AgentAlreadyRunningException)) {
            throw failure.get();
        }
        String detail = "Agent '" + session.agentId() + "' runs as another instance, which may hold the lease.";
        ObjectNode document = Json.object().put("error", "lease_held").put("detail", detail);
        throw new Refusal(409, document, Optional.empty()).exception();
    }

    /** Acquires the lease; returns empty if another agent has it. */
    public Optional<HeldLease> tryAcquire() {
        try {
            return Optional.of(acquire());
        } catch (ConflictException e) {
            if (e.code().equals("agent_takes_no_work")) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
