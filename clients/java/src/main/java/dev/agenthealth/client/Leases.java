package dev.agenthealth.client;

import java.util.stream.Stream;

/** The leases of a registry, for programs that coordinate work or guard a resource. Agents use {@link ManagedAgent#lease}. Thread-safe. */
public final class Leases {

    private static final String INTENTS = "/api/v1/intents";

    private final Api api;

    Leases(Api api) {
        this.api = api;
    }

    /**
     * Returns the leases of an intent.
     *
     * @param statuses {@code active}, {@code released}, {@code expired}, {@code revoked}; none for the leases in force
     */
    public Stream<LeaseRecord> ofIntent(String intentId, String... statuses) {
        String wanted = String.join(",", statuses);
        return Pages.stream(
                api,
                () -> Call.get(INTENTS).segment(intentId).path("/leases").query("status", wanted),
                "leases",
                LeaseRecord::new);
    }

    /** Returns the leases that an agent holds. */
    public Stream<LeaseRecord> ofAgent(String agentId) {
        return Pages.stream(
                api, () -> Call.get("/api/v1/agents").segment(agentId).path("/leases"), "leases", LeaseRecord::new);
    }

    /** Returns a lease, for up to 30 days after its end. */
    public LeaseRecord get(String intentId, String leaseId) {
        return new LeaseRecord(api.send(lease(Call.get(INTENTS), intentId, leaseId)));
    }

    /**
     * Checks a lease before a write under it. Returns normally if the lease is in force.
     *
     * @throws PreconditionFailedException if the lease is not in force, or the token is not the lease's token
     */
    public void verify(String intentId, String leaseId, long fencingToken) {
        Call call = lease(Call.post(INTENTS), intentId, leaseId).path("/verify");
        api.send(call.body(Json.object().put("fencing_token", fencingToken)));
    }

    /** Revokes a lease, so that its holder must not write under it any more. */
    public LeaseRecord revoke(String intentId, String leaseId) {
        return new LeaseRecord(
                api.send(lease(Call.post(INTENTS), intentId, leaseId).path("/revoke")));
    }

    private static Call lease(Call call, String intentId, String leaseId) {
        return call.segment(intentId).path("/leases").segment(leaseId);
    }
}
