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
 * Takes reports of outcomes (Agent Health State §4.4). A batch is taken whole or not at all, and counted once however often it is sent.
 * Thread-safe.
 */
public final class OutcomeReports {

    /** There is one agent, whichever key it has. */
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

    /** Reports that go to these stores; cheap to make. */
    public static OutcomeReports to(Stores stores, Clock clock) {
        return new OutcomeReports(stores.agents(), stores.outcomes(), stores.evidence(), clock);
    }

    /**
     * {@code POST /api/v1/agents/{agent_id}/outcomes}. An agent that is dead, deregistered or buried did what it did: its outcomes are taken
     * for as long as the registry knows it.
     *
     * @throws Problem 400 for a body that breaks a rule, 404 for an unknown agent, 403 for another's
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
     * Outcomes that ride on a heartbeat, whose key is known to be the agent's own. Other fields of the body are not looked at.
     *
     * @throws Problem 400 for outcomes that break a rule
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
