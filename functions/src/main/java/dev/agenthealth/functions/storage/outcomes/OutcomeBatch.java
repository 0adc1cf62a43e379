package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Outcomes of one agent that one reporter sent together. Source, reporter and batch id identify the batch.
 *
 * @param agentId the agent of the executions
 * @param source the kind of reporter
 * @param reporter distinguishes the reporters of one source, without control characters; empty for the agent itself
 * @param batchId the reporter's own id of the batch, without control characters
 * @param outcomes the outcomes to count; an outcome with the moment {@link #ON_ARRIVAL} happened when the batch first arrived
 * @param hash recognises the batch and its whole content, including outcomes that are not counted
 */
public record OutcomeBatch(
        String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes, BatchHash hash) {

    /** The moment of an outcome without a time. */
    public static final Instant ON_ARRIVAL = Instant.MIN;

    public OutcomeBatch {
        outcomes = List.copyOf(outcomes);
    }

    /** Creates a batch whose outcomes are all counted. */
    public OutcomeBatch(String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes) {
        this(
                agentId,
                source,
                reporter,
                batchId,
                outcomes,
                new BatchHash(List.of(source.wireName(), reporter, batchId), content(outcomes)));
    }

    /** Returns the batch with only these outcomes to count. */
    public OutcomeBatch counting(List<Outcome> some) {
        return new OutcomeBatch(agentId, source, reporter, batchId, some, hash);
    }

    /** Returns whether the slices of the outcomes depend on the arrival of the batch. */
    public boolean dependsOnArrival() {
        return outcomes.stream().anyMatch(outcome -> outcome.occurredAt().equals(ON_ARRIVAL));
    }

    /**
     * Returns the counts that the outcomes add to each slice.
     *
     * @param arrival when the batch first arrived
     */
    SortedMap<Slice, OutcomeCounts> bySlice(MeasurementWindow window, Instant arrival, Expectations expected) {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        for (Outcome outcome : outcomes) {
            slices.merge(
                    window.sliceAt(moment(outcome, arrival)),
                    OutcomeCounts.of(outcome, source, expected),
                    OutcomeCounts::plus);
        }
        return slices;
    }

    /** Returns the evidence of the agent's reputation in the outcomes. */
    public EvidenceSums evidence(Instant arrival) {
        return outcomes.stream()
                .map(outcome -> EvidenceSums.reported(source, outcome.result(), moment(outcome, arrival)))
                .reduce(EvidenceSums.NONE, EvidenceSums::plus);
    }

    private static Instant moment(Outcome outcome, Instant arrival) {
        return outcome.occurredAt().equals(ON_ARRIVAL) ? arrival : outcome.occurredAt();
    }

    private static String content(List<Outcome> outcomes) {
        StringBuilder content = new StringBuilder();
        for (Outcome outcome : outcomes) {
            boolean failed = outcome.result() == OutcomeResult.FAILURE;
            content.append(outcome.result().wireName())
                    .append(' ')
                    .append(failed ? outcome.errorType().wireName() : "")
                    .append(' ')
                    .append(outcome.latencyMs())
                    .append(' ')
                    .append(outcome.occurredAt())
                    .append(' ')
                    .append(outcome.slaBreached())
                    .append('\n');
        }
        return content.toString();
    }
}
