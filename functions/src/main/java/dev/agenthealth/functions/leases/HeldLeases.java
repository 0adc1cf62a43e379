package dev.agenthealth.functions.leases;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.NamedIncarnation;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseRule;
import dev.agenthealth.model.lease.LeaseStatus;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Shows, renews, releases, revokes and verifies leases. Thread-safe. */
final class HeldLeases {

    private final LeaseStore leases;
    private final AgentStore agents;
    private final AgentAccess access;
    private final Clock clock;

    HeldLeases(LeaseStore leases, AgentStore agents, AgentAccess access, Clock clock) {
        this.leases = leases;
        this.agents = agents;
        this.access = access;
        this.clock = clock;
    }

    /** {@code GET …/leases/{lease_id}}: the lease, ended or not; where its holder is gone, as the clean-up ends it. */
    ApiResponse get(ApiRequest request) {
        Lease lease = find(key(request));
        Pulse holder = access.find(request.caller(), lease.agentId()).pulse();
        Instant now = clock.instant();
        boolean abandoned = LeaseRule.isInForce(lease, now) && !LeaseRule.isHeldBy(lease, holder);
        Lease shown = abandoned ? LeaseCleanUp.ended(lease, holder, holder.statusSince()) : lease;
        return LeaseJson.response(200, shown, now);
    }

    /**
     * {@code PATCH …/leases/{lease_id}}: renews the lease for the given duration from now.
     *
     * @throws Problem 412 where the lease is no longer in force, 410 for an incarnation that was replaced
     */
    ApiResponse renew(ApiRequest request) {
        Key key = key(request);
        Fields body = request.fields();
        body.require("duration_seconds");
        int seconds = body.integer("duration_seconds", Lease.MIN_SECONDS, Lease.MAX_SECONDS)
                .orElse(Lease.DEFAULT_SECONDS);
        long incarnation = NamedIncarnation.in(body);
        body.refuseUnknown();
        body.check();
        Lease lasting = Attempts.untilPresent(() -> {
            Lease lease = find(key);
            Pulse holder = access.find(request.caller(), lease.agentId()).pulse();
            NamedIncarnation.check(holder, incarnation);
            Instant now = clock.instant();
            requireInForce(lease, now);
            requireLivingHolder(lease, Optional.of(holder));
            Lease renewed = lease.renewedUntil(now.plusSeconds(seconds));
            return leases.renew(lease, renewed) ? Optional.of(renewed) : Optional.empty();
        });
        return LeaseJson.response(200, lasting, clock.instant());
    }

    /** {@code DELETE …/leases/{lease_id}}: releases the lease, unless it ended. May complete the holder's drain. */
    ApiResponse release(ApiRequest request) {
        end(request, LeaseStatus.RELEASED, LeaseReason.NONE);
        return ApiResponse.noContent();
    }

    /** {@code POST …/leases/{lease_id}/revoke}: revokes the lease, unless it ended. May complete the holder's drain. */
    ApiResponse revoke(ApiRequest request) {
        Lease last = end(request, LeaseStatus.REVOKED, LeaseReason.REVOKED);
        return LeaseJson.response(200, last, clock.instant());
    }

    /**
     * {@code POST …/leases/{lease_id}/verify}: checks that the holder of this lease and token may write now.
     *
     * @throws Problem 412 where the lease expired or ended, its holder is dead or superseded, or the token is not the lease's
     */
    ApiResponse verify(ApiRequest request) {
        Key key = key(request);
        Fields body = request.fields();
        body.require("fencing_token");
        long token = body.wholeNumber("fencing_token").orElse(0);
        body.refuseUnknown();
        body.check();
        Lease lease = find(key);
        Instant now = clock.instant();
        requireInForce(lease, now);
        if (lease.fencingToken() != token) {
            throw Problem.failedPrecondition("fencing_token_stale", "The fencing token is not the lease's.");
        }
        requireLivingHolder(lease, agents.find(lease.agentId()).map(StoredAgent::pulse));
        return ApiResponse.json(
                200, Json.object().put("valid", true).put("expires_at", Timestamps.text(lease.expiresAt())));
    }

    private Lease end(ApiRequest request, LeaseStatus status, LeaseReason reason) {
        Key key = key(request);
        Lease last = Attempts.untilPresent(() -> {
            Lease lease = find(request.caller(), key);
            if (lease.status() != LeaseStatus.ACTIVE) {
                return Optional.of(lease);
            }
            Instant now = clock.instant();
            boolean ranOut = !LeaseRule.isInForce(lease, now);
            Lease ended = ranOut
                    ? lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now)
                    : lease.ended(status, reason, now);
            return leases.end(List.of(lease), List.of(ended)) ? Optional.of(ended) : Optional.empty();
        });
        // Also where the lease had ended: the request may be the retry of one that ended the lease and then failed.
        Attempts.untilDone(() -> {
            Optional<StoredAgent> holder = agents.find(last.agentId());
            return holder.isEmpty() || completeDrain(last, holder.get());
        });
        return last;
    }

    /** Completes the holder's drain if this was its last lease; {@code false} where a concurrent write changed the holder. */
    private boolean completeDrain(Lease last, StoredAgent holder) {
        Pulse pulse = holder.pulse();
        Instant now = clock.instant();
        return !LeaseRule.completesDrain(last, pulse)
                || leases.holdsAny(pulse, now)
                || agents.change(DrainRule.completion(pulse, now), holder.profile());
    }

    private record Key(String intentId, String leaseId) {}

    private static Key key(ApiRequest request) {
        return new Key(request.pathId("intent_id"), request.pathId("lease_id"));
    }

    private Lease find(Caller caller, Key key) {
        Lease lease = find(key);
        access.find(caller, lease.agentId());
        return lease;
    }

    private Lease find(Key key) {
        return leases.find(key.intentId(), key.leaseId())
                .orElseThrow(
                        () -> Problem.notFound("lease_not_found", "The intent has no lease '" + key.leaseId() + "'."));
    }

    private static void requireInForce(Lease lease, Instant now) {
        LeaseStatus status = LeaseRule.statusAt(lease, now);
        if (status != LeaseStatus.ACTIVE) {
            throw notInForce(lease, "is " + status.wireName() + " since " + LeaseRule.endedAt(lease, now));
        }
    }

    /** The leases of a dead agent end a moment after its death; writes in between must be refused. */
    private static void requireLivingHolder(Lease lease, Optional<Pulse> holder) {
        if (holder.filter(pulse -> LeaseRule.isHeldBy(lease, pulse)).isEmpty()) {
            throw notInForce(lease, "is no longer held: its agent is dead, deregistered or registered again");
        }
    }

    private static Problem notInForce(Lease lease, String state) {
        return Problem.failedPrecondition(
                "lease_not_in_force", "Lease '" + lease.id() + "' " + state + ". Nothing may be written under it.");
    }
}
