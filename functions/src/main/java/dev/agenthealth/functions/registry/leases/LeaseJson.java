package dev.agenthealth.functions.registry.leases;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import java.time.Instant;

/** The JSON of leases with their current status. A lease is expired from its expiry on, whether it is marked or not. */
public final class LeaseJson {

    private LeaseJson() {}

    public static ObjectNode of(Lease lease, Instant now) {
        LeaseStatus status = LeaseRule.statusAt(lease, now);
        boolean ranOut = status == LeaseStatus.EXPIRED && lease.status() == LeaseStatus.ACTIVE;
        LeaseReason reason = ranOut ? LeaseReason.TIMEOUT : lease.reason();
        ObjectNode json = Json.object();
        json.put("id", lease.id());
        json.put("intent_id", lease.intentId());
        json.put("agent_id", lease.agentId());
        json.put("scope", lease.scope());
        json.put("status", status.wireName());
        json.put("fencing_token", lease.fencingToken());
        json.put("acquired_at", Timestamps.text(lease.acquiredAt()));
        json.put("expires_at", Timestamps.text(lease.expiresAt()));
        json.put("released_at", status == LeaseStatus.RELEASED ? Timestamps.text(lease.endedAt()) : null);
        if (status != LeaseStatus.ACTIVE) {
            json.put("ended_at", Timestamps.text(LeaseRule.endedAt(lease, now)));
        }
        if (reason != LeaseReason.NONE) {
            json.put("reason", reason.wireName());
        }
        return json;
    }
}
