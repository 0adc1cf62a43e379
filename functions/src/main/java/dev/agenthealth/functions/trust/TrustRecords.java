package dev.agenthealth.functions.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrackRecord;
import dev.agenthealth.model.trust.TrustSubject;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Trust records (ServiceNet, Trust record fields). Thread-safe. */
final class TrustRecords implements Records {

    private final TrackRecordStore trackRecords;
    private final BlockStore blocks;
    private final Clock clock;

    TrustRecords(TrackRecordStore trackRecords, BlockStore blocks, Clock clock) {
        this.trackRecords = trackRecords;
        this.blocks = blocks;
        this.clock = clock;
    }

    @Override
    public List<ObjectNode> of(Caller caller, List<KnownSubject> subjects) {
        List<TrustSubject> asked = subjects.stream().map(KnownSubject::subject).toList();
        Map<TrustSubject, Block> decided = blocks.of(asked);
        Map<TrustSubject, TrackRecord> records = trackRecords.of(asked);
        return subjects.stream()
                .map(known -> json(caller, known, records.get(known.subject()), decided.get(known.subject())))
                .toList();
    }

    private ObjectNode json(Caller caller, KnownSubject known, TrackRecord record, Block block) {
        ObjectNode json = Json.object();
        Records.putId(json, known);
        json.put("reputation_score", record.evidence().at(clock.instant()).reputation());
        json.put("blocked", block.inForce());
        // The reason is for operators, not for the agent.
        json.put("block_reason", block.inForce() && caller.mayListAgents() ? block.reason() : null);
        Records.putUpdatedAt(json, known.since(), record.evidenceAt(), block.at());
        return json;
    }
}
