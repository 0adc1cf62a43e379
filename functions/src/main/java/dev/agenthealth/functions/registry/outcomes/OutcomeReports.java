package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.outcomes.BatchMatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.trust.EvidenceStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores reports of outcomes (Agent Health State §4.4). A batch is stored as a whole or not at all. A repeated batch counts once.
 * Thread-safe.
 */
public final class OutcomeReports {

    /** The reporter of outcomes that the agent reports itself, with any key of the agent. */
    private static final String THE_AGENT_ITSELF = "";

    /** The maximum number of receipts in one read request. */
    private static final int MAX_RECEIPTS = 100;

    private static final int MAX_LOGGED_FIELDS = 10;

    private final Database database;
    private final AgentStore agents;
    private final OutcomeStore outcomes;
    private final UpstreamCallStore upstreamCalls;
    private final Clock clock;

    private OutcomeReports(Database database, Clock clock) {
        this.database = database;
        this.agents = new AgentStore(database);
        this.outcomes = new OutcomeStore(database);
        this.upstreamCalls = new UpstreamCallStore(database);
        this.clock = clock;
    }

    /** Creates the service for this database. Creating it is cheap. */
    public static OutcomeReports to(Database database, Clock clock) {
        return new OutcomeReports(database, clock);
    }

    /**
     * {@code POST /api/v1/agents/{agent_id}/outcomes}. Outcomes of dead, deregistered and archived agents are stored too.
     *
     * @param signsOfLife receives the report as a sign of life: every report of the agent itself, and reports of its coordinators with a
     *     success
     * @throws ApiError 400 for an invalid body; 403 for an agent of another key; 404 for an unknown agent; 410 if the agent was erased
     *     after an operator ended it; 422 if the batch's id was used for other content
     */
    OutcomeReceipt take(Caller caller, String agentId, Fields body, DeclaredSigns signsOfLife) {
        AgentAccess access = new AgentAccess(agents);
        StoredAgent agent = access.findIfKnown(caller, agentId).orElseThrow(() -> {
            access.refuseWhereOperatorEnded(caller, agentId);
            return AgentError.unknownAgent(agentId);
        });
        boolean itself = caller.owns(agent.pulse().owner());
        List<Fields> elements = OutcomeFields.elements(body);
        OutcomeFields.requireOutcomes(body);
        List<ReportedOutcome> reported = read(elements);
        OutcomeBatch batch = batch(
                agentId,
                itself ? OutcomeSource.SELF : OutcomeSource.COORDINATOR,
                itself ? THE_AGENT_ITSELF : caller.keyId(),
                body,
                reported);
        List<Instant> clocks = OutcomeFields.clocks(clock.instant(), OutcomeFields.timeOfReport(body));
        body.refuseUnknown();
        OutcomeReceipt receipt = store(batch, reported, agent.profile(), body, clocks);
        upstreamCalls.add(agent.pulse(), upstreamCalls(reported, receipt.duplicate()));
        seenAt(itself, batch.outcomes())
                .filter(moment -> AgentAccess.mayCoordinate(caller, agent))
                .ifPresent(moment ->
                        signsOfLife.record(agent.pulse(), SignOfLife.OUTCOMES, moment, lastWork(batch.outcomes())));
        return receipt;
    }

    /** Returns the time of the last execution; now if the outcomes have no times. */
    private Instant lastWork(List<Outcome> outcomes) {
        return outcomes.stream()
                .map(outcome ->
                        outcome.occurredAt().equals(OutcomeBatch.ON_ARRIVAL) ? clock.instant() : outcome.occurredAt())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    /** Returns when a report shows that its agent was alive: now if the agent reports itself, otherwise at its last success. */
    private Optional<Instant> seenAt(boolean itself, List<Outcome> outcomes) {
        return itself
                ? Optional.of(clock.instant())
                : outcomes.stream()
                        .filter(outcome -> outcome.result() == OutcomeResult.SUCCESS)
                        .map(outcome -> outcome.occurredAt().equals(OutcomeBatch.ON_ARRIVAL)
                                ? clock.instant()
                                : outcome.occurredAt())
                        .max(Instant::compareTo);
    }

    /**
     * Stores the outcomes in a heartbeat with the agent's key. Ignores other fields of the body.
     *
     * @throws ApiError 400 for invalid outcomes; 422 if the batch's id was used for other content
     */
    public OutcomeReceipt ofHeartbeat(String agentId, Fields body) {
        List<Fields> elements = OutcomeFields.elements(body);
        if (elements.isEmpty() && body.errorCount() == 0) {
            return OutcomeReceipt.OF_NOTHING;
        }
        AgentProfile profile = agents.profile(agentId)
                .orElseThrow(() -> new IllegalStateException("agent " + agentId + " has a pulse but no profile"));
        List<ReportedOutcome> reported = read(elements);
        List<Instant> clocks = OutcomeFields.clocks(clock.instant(), OutcomeFields.timeOfHeartbeat(body));
        OutcomeBatch batch = batch(agentId, OutcomeSource.SELF, THE_AGENT_ITSELF, body, reported);
        OutcomeReceipt receipt = store(batch, reported, profile, body, clocks);
        List<UpstreamCall> calls = upstreamCalls(reported, receipt.duplicate());
        if (!calls.isEmpty()) {
            new PulseStore(database).find(agentId).ifPresent(pulse -> upstreamCalls.add(pulse, calls));
        }
        return receipt;
    }

    /**
     * Returns the calls of model providers in a report. A repeated report may be the retry of a request that failed half-way, so its calls count
     * once more by their times. Calls without a time count with the first report only.
     */
    private List<UpstreamCall> upstreamCalls(List<ReportedOutcome> reported, boolean duplicate) {
        return reported.stream()
                .flatMap(outcome -> outcome.upstream().stream())
                .filter(call -> !duplicate || !call.at().equals(OutcomeBatch.ON_ARRIVAL))
                .map(call -> call.at().equals(OutcomeBatch.ON_ARRIVAL) ? call.endingAt(clock.instant()) : call)
                .toList();
    }

    /**
     * Counts an outcome that the registry observed, as reported by the agent itself. Returns {@code false} if the batch was counted before,
     * with any content.
     */
    public boolean countOfAgent(String agentId, String batchId, Outcome outcome) {
        return agents.profile(agentId)
                .map(profile -> outcomes.count(
                        new OutcomeBatch(agentId, OutcomeSource.SELF, THE_AGENT_ITSELF, batchId, List.of(outcome)),
                        profile))
                .orElse(false);
    }

    private static List<ReportedOutcome> read(List<Fields> elements) {
        return elements.stream().map(OutcomeFields::outcome).toList();
    }

    private static OutcomeBatch batch(
            String agentId, OutcomeSource source, String reporter, Fields body, List<ReportedOutcome> reported) {
        return new OutcomeBatch(
                agentId,
                source,
                reporter,
                OutcomeFields.batchId(body),
                reported.stream().map(ReportedOutcome::outcome).toList());
    }

    private OutcomeReceipt store(
            OutcomeBatch batch,
            List<ReportedOutcome> reported,
            AgentProfile profile,
            Fields body,
            List<Instant> clocks) {
        refuseMoments(batch, reported, profile, body, clocks);
        Set<String> gateways = receiptsOfGateway(profile, reported, body);
        body.check();
        List<Outcome> counted = reported.stream()
                .filter(outcome -> !gateways.contains(outcome.receiptId()))
                .map(ReportedOutcome::outcome)
                .toList();
        List<Outcome> others = reported.stream()
                .filter(outcome -> gateways.contains(outcome.receiptId()))
                .map(ReportedOutcome::outcome)
                .toList();
        OutcomeBatch counting = batch.counting(counted, others);
        boolean added = !counting.isNothing() && count(counting, profile);
        return new OutcomeReceipt(reported.size(), reported.size() - counted.size(), !added && !counting.isNothing());
    }

    /** Refuses outcomes that are too old or too new, unless they are counted already: then the batch is a retry. */
    private void refuseMoments(
            OutcomeBatch batch,
            List<ReportedOutcome> reported,
            AgentProfile profile,
            Fields body,
            List<Instant> clocks) {
        MeasurementWindow window = profile.basis().window();
        List<ReportedOutcome> outside = reported.stream()
                .filter(one -> !OutcomeFields.isAccepted(one.outcome().occurredAt(), window, clocks))
                .toList();
        Set<Instant> counted = outside.isEmpty() || body.errorCount() > 0
                ? Set.of()
                : outcomes.counted(
                        batch,
                        outside.stream().map(one -> one.outcome().occurredAt()).toList(),
                        profile);
        outside.stream()
                .filter(one -> !counted.contains(one.outcome().occurredAt()))
                .forEach(one ->
                        OutcomeFields.refuseMoment(one.fields(), one.outcome().occurredAt(), window, clocks));
    }

    /**
     * Returns the receipts in the reports whose invocations the gateway counts. Unknown and expired receipts are left out, so that their
     * outcomes count.
     */
    private Set<String> receiptsOfGateway(AgentProfile profile, List<ReportedOutcome> reported, Fields body) {
        Set<String> named = reported.stream()
                .filter(ReportedOutcome::namesReceipt)
                .map(ReportedOutcome::receiptId)
                .collect(Collectors.toSet());
        if (named.size() > MAX_RECEIPTS) {
            OutcomeFields.refuseReceipts(body, MAX_RECEIPTS);
        }
        if (named.isEmpty() || body.errorCount() > 0) {
            return Set.of();
        }
        Map<String, Receipt> receipts = new ReceiptStore(database)
                .findAll(named).stream().collect(Collectors.toMap(Receipt::id, receipt -> receipt));
        reported.stream()
                .filter(one -> receipts.containsKey(one.receiptId())
                        && !receipts.get(one.receiptId()).agentId().equals(profile.agentId()))
                .forEach(one -> OutcomeFields.refuseReceipt(one.fields()));
        return receipts.values().stream()
                .filter(Receipt::counted)
                .map(Receipt::id)
                .collect(Collectors.toSet());
    }

    /**
     * Counts a batch in the health, and a coordinator's batch also in the reputation. Returns {@code false} if it was counted in both
     * before.
     */
    private boolean count(OutcomeBatch batch, AgentProfile profile) {
        EvidenceStore reputation = new EvidenceStore(database);
        // The arrival of a batch without times is stored before its evidence. A refused batch leaves no evidence.
        if (batch.dependsOnArrival() && reputation.isReused(batch)) {
            throw reused();
        }
        OutcomeStore.Counting counting = outcomes.find(batch, profile).orElseThrow(OutcomeReports::reused);
        BatchMatch evidence = reputation.count(batch, profile.description().providerId());
        if (evidence == BatchMatch.OTHER_CONTENT) {
            throw reused();
        }
        return counting.count() | evidence == BatchMatch.NEW;
    }

    /** Logs the fields because of which a batch was refused. */
    public static void logRefusal(Log log, String agentId, ApiError problem) {
        log.info(
                "outcomes_refused",
                Map.of(
                        "agent_id",
                        agentId,
                        "status",
                        problem.status(),
                        "fields",
                        problem.errors().stream()
                                .map(FieldError::field)
                                .limit(MAX_LOGGED_FIELDS)
                                .toList()));
    }

    private static ApiError reused() {
        return ApiError.unprocessable(
                "batch_id_reused", "The batch_id belongs to an earlier batch of this agent with other outcomes.");
    }
}
