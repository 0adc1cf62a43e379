package dev.agenthealth.functions.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.OnlineStatus;
import dev.agenthealth.model.trust.TrackRecord;
import dev.agenthealth.model.trust.TrustSubject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Health records, made from invocations through the gateway only (ServiceNet, Health record fields). Thread-safe. */
final class HealthRecords implements Records {

    private final TrackRecordStore trackRecords;
    private final Clock clock;

    HealthRecords(TrackRecordStore trackRecords, Clock clock) {
        this.trackRecords = trackRecords;
        this.clock = clock;
    }

    @Override
    public List<ObjectNode> of(Caller caller, List<KnownSubject> subjects) {
        Map<TrustSubject, TrackRecord> records =
                trackRecords.of(subjects.stream().map(KnownSubject::subject).toList());
        return subjects.stream()
                .map(known -> json(known, records.get(known.subject())))
                .toList();
    }

    private ObjectNode json(KnownSubject known, TrackRecord record) {
        Optional<Call> last = record.last();
        ObjectNode json = Json.object();
        Records.putId(json, known);
        if (known.isAgent()) {
            json.put("provider_id", known.providerId().isEmpty() ? null : known.providerId());
        }
        json.put(
                "status",
                OnlineStatus.of(record.latest(), known.expected(), clock.instant())
                        .word());
        json.put("last_seen_at", last.map(Call::at).map(Instant::toString).orElse(null));
        json.put("last_latency_ms", last.map(Call::latencyMs).orElse(null));
        json.put("success_count", record.successes());
        json.put("failure_count", record.failures());
        json.put("success_rate", record.successRate());
        Records.putUpdatedAt(json, known.since(), last.map(Call::at).orElse(Instant.EPOCH));
        return json;
    }
}
