package dev.agenthealth.functions.outcomes;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.trust.EvidenceStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * Stores reports of outcomes (Agent Health State §4.4). A batch is stored as a whole or not at all, and a repeated batch counts once.
 * Thread-safe.
 */
public final class OutcomeReports {

    /** The reporter where the agent reports itself, with whichever key. */
    private static final String THE_AGENT_ITSELF = "";

    private final AgentStore agents;
    private final AgentAccess access;
    private final OutcomeStore outcomes;
    private final EvidenceStore evidence;
    private final Clock clock;

    private OutcomeReports(AgentStore agents, OutcomeStore outcomes, EvidenceStore evidence, Clock clock) {
        this.agents = agents;
        this.access = new AgentAccess(agents);
        this.outcomes = outcomes;
        this.evidence = evidence;
        this.clock = clock;
    }

    /** Reports to these stores; cheap to make. */
    public static OutcomeReports to(Stores stores, Clock clock) {
        return new OutcomeReports(stores.agents(), stores.outcomes(), stores.evidence(), clock);
    }

    /**
     * {@code POST /api/v1/agents/{agent_id}/outcomes}. Outcomes of dead, deregistered and archived agents are stored too.
     *
     * @throws Problem 400 for an invalid body, 404 for an unknown agent, 403 for an agent of another key
     */
    OutcomeReceipt take(Caller caller, String agentId, Fields body) {
        StoredAgent agent = access.find(caller, agentId);
        boolean itself = caller.owns(agent.pulse().credential());
        Expectations expected = expectations(agent.profile());
        List<Fields> elements = OutcomeFields.elements(body);
        OutcomeFields.requireOutcomes(body, elements);
        OutcomeBatch batch = read(
                agentId,
                itself ? OutcomeSource.SELF : OutcomeSource.COORDINATOR,
                itself ? THE_AGENT_ITSELF : caller.keyId(),
                body,
                elements,
                expected.window());
        body.refuseUnknown();
        body.check();
        boolean counted = outcomes.count(batch, agent.profile());
        boolean added = evidence.count(batch, agent.profile().providerId());
        return new OutcomeReceipt(batch.outcomes().size(), !(counted || added));
    }

    /**
     * Outcomes in a heartbeat with the agent's key. Other fields of the body are ignored.
     *
     * @throws Problem 400 for invalid outcomes
     */
    public OutcomeReceipt ofHeartbeat(String agentId, Fields body) {
        List<Fields> elements = OutcomeFields.elements(body);
        if (elements.isEmpty() && body.errorCount() == 0) {
            return OutcomeReceipt.OF_NOTHING;
        }
        AgentProfile profile = agents.profile(agentId)
                .orElseThrow(() -> new IllegalStateException("agent " + agentId + " has a pulse but no profile"));
        OutcomeBatch batch = read(
                agentId,
                OutcomeSource.SELF,
                THE_AGENT_ITSELF,
                body,
                elements,
                expectations(profile).window());
        body.check();
        return new OutcomeReceipt(batch.outcomes().size(), !outcomes.count(batch, profile));
    }

    private OutcomeBatch read(
            String agentId,
            OutcomeSource source,
            String reporter,
            Fields body,
            List<Fields> elements,
            MeasurementWindow window) {
        String batchId = OutcomeFields.batchId(body);
        Instant now = clock.instant();
        List<Outcome> read = elements.stream()
                .map(element -> OutcomeFields.outcome(element, window, now))
                .toList();
        return new OutcomeBatch(agentId, source, reporter, batchId, read);
    }

    private static Expectations expectations(AgentProfile profile) {
        return new Expectations(profile.expectations());
    }
}
