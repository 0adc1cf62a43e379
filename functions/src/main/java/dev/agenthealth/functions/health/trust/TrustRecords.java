package dev.agenthealth.functions.health.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.OnlineStatus;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Current trust and health records of agents and providers, in the order of the subjects. Thread-safe. */
final class TrustRecords {

    private final TrackRecordStore trackRecords;
    private final BlockStore blocks;
    private final Clock clock;

    TrustRecords(TrackRecordStore trackRecords, BlockStore blocks, Clock clock) {
        this.trackRecords = trackRecords;
        this.blocks = blocks;
        this.clock = clock;
    }

    /** Returns trust records for this caller (ServiceNet, Trust record fields). */
    List<ObjectNode> trust(Caller caller, List<RatedSubject> known) {
        List<TrustSubject> subjects = known.stream().map(RatedSubject::subject).toList();
        Supplier<Map<TrustSubject, TrackRecord>> reading = trackRecords.reading(subjects);
        Map<TrustSubject, Block> decided = blocks.of(subjects);
        Map<TrustSubject, TrackRecord> records = reading.get();
        return known.stream()
                .filter(one -> !one.needsEvidence()
                        || !records.get(one.subject()).isNone()
                        || decided.get(one.subject()).inForce())
                .map(one -> trust(caller, one, records.get(one.subject()), decided.get(one.subject())))
                .toList();
    }

    /** Returns health records, computed only from invocations through the gateway (ServiceNet, Health record fields). */
    List<ObjectNode> health(List<RatedSubject> known) {
        Map<TrustSubject, TrackRecord> records =
                trackRecords.of(known.stream().map(RatedSubject::subject).toList());
        return known.stream()
                // A blocked id that no agent has registered has no status.
                .filter(one -> !one.isAgent() || !one.lifecycle().isEmpty())
                .filter(one ->
                        !one.needsEvidence() || !records.get(one.subject()).isNone())
                .map(one -> health(one, records.get(one.subject())))
                .toList();
    }

    /** Returns a trust record with the block of an agent or provider, or the stop that covers it if it has no block of its own. */
    private ObjectNode trust(Caller caller, RatedSubject known, TrackRecord record, Block decided) {
        boolean isOnlyStopped = !decided.inForce() && known.stopped().inForce();
        Block block = isOnlyStopped ? known.stopped() : decided;
        ObjectNode json = withId(known);
        json.put("reputation_score", record.evidence().at(clock.instant()).reputation());
        json.put("blocked", block.inForce());
        // Operators see the reason, the agent does not.
        boolean reasoned =
                block.inForce() && caller.mayListAgents() && !block.reason().isEmpty();
        json.put("block_reason", reasoned ? block.reason() : null);
        if (isOnlyStopped) {
            json.put("stopped", true).put("stopped_at", Timestamps.text(block.at()));
        }
        json.put("blocked_until", block.inForce() && block.hasEnd() ? Timestamps.text(block.until()) : null);
        return updatedAt(json, known.since(), record.evidenceAt(), block.at());
    }

    private ObjectNode health(RatedSubject known, TrackRecord record) {
        Optional<Call> last = record.last();
        ObjectNode json = withId(known);
        if (known.isAgent()) {
            json.put("provider_id", known.providerId().isEmpty() ? null : known.providerId());
            json.put("lifecycle_status", known.lifecycle());
        }
        json.put("status", onlineStatus(known, record).wireName());
        json.put("last_seen_at", last.map(Call::at).map(Timestamps::text).orElse(null));
        json.put("last_latency_ms", last.map(Call::latencyMs).orElse(null));
        json.put("success_count", record.successes());
        json.put("failure_count", record.failures());
        json.put("success_rate", record.successRate());
        return updatedAt(json, known.since(), last.map(Call::at).orElse(Instant.EPOCH));
    }

    /** Returns the online status. Calls of a provider are judged by the expectations that its agents declared at the time of the call. */
    private OnlineStatus onlineStatus(RatedSubject known, TrackRecord record) {
        return known.isAgent()
                ? OnlineStatus.of(record.latest(), known.expected(), clock.instant())
                : OnlineStatus.of(record.latest(), clock.instant());
    }

    private static ObjectNode withId(RatedSubject known) {
        return Json.object()
                .put(
                        known.isAgent() ? "agent_id" : "provider_id",
                        known.subject().id());
    }

    /** Puts the latest of the times; null if all are {@link Instant#EPOCH}. */
    private static ObjectNode updatedAt(ObjectNode json, Instant... moments) {
        Instant latest = Stream.of(moments).max(Instant::compareTo).orElse(Instant.EPOCH);
        return json.put("updated_at", latest.equals(Instant.EPOCH) ? null : Timestamps.text(latest));
    }
}
