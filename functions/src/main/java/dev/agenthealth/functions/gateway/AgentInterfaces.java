package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.health.CardInterface;
import dev.agenthealth.functions.health.OwnCards;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;

/** The interfaces that agents name in their own cards, for calls that failed. Thread-safe. */
final class AgentInterfaces {

    private final OwnCards own;
    private final TrackRecordStore trackRecords;
    private final Log log;

    AgentInterfaces(OwnCards own, TrackRecordStore trackRecords, Log log) {
        this.own = own;
        this.trackRecords = trackRecords;
        this.log = log;
    }

    /**
     * Returns the interfaces in the card of an agent. The list is empty if the card contradicts the agent's behaviour, as it would hide the failing
     * calls.
     */
    List<CardInterface> of(AgentProfile agent) {
        List<CardInterface> named = own.ofEndpoint(agent);
        if (named.isEmpty() || CardInterface.preferred(named).isPresent()) {
            return named;
        }
        TrustSubject subject = new TrustSubject.OfAgent(agent.agentId());
        try {
            TrackRecord record = trackRecords.of(List.of(subject)).get(subject);
            return record.latest().stream().anyMatch(Call::success) ? List.of() : named;
        } catch (RuntimeException e) {
            // The call has failed already, and its failure is recorded.
            log.failure("track_record_not_read", agent.agentId(), e);
            return List.of();
        }
    }
}
