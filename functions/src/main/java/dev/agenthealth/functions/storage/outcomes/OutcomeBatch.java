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
 * Outcomes of one agent that one reporter sent together. Source, reporter and batch id identify it.
 *
 * @param agentId the agent whose executions they are
 * @param source the kind of reporter
 * @param reporter distinguishes the reporters of one source, without control characters; empty for the agent itself
 * @param batchId the reporter's own id of the batch, without control characters
 * @param outcomes those to be counted; those that happened {@link #ON_ARRIVAL} happened when the batch first arrived
 * @param hash recognises the batch and its whole content, with outcomes that are not to be counted
 */
public record OutcomeBatch(
        String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes, BatchHash hash) {

    /** The moment of an outcome that has none. */
    public static final Instant ON_ARRIVAL = Instant.MIN;

    public OutcomeBatch {
        outcomes = List.copyOf(outcomes);
    }

    /** A batch of which all outcomes are to be counted. */
    public OutcomeBatch(String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes) {
        this(
                agentId,
                source,
                reporter,
                batchId,
                outcomes,
                new BatchHash(List.of(source.wireName(), reporter, batchId), content(outcomes)));
    }

    /** Returns the batch with only these outcomes to be counted. */
    public OutcomeBatch counting(List<Outcome> some) {
        return new OutcomeBatch(agentId, source, reporter, batchId, some, hash);
    }

    /** Returns whether the slices of the outcomes depend on when the batch arrived. */
    public boolean dependsOnArrival() {
        return outcomes.stream().anyMatch(outcome -> outcome.occurredAt().equals(ON_ARRIVAL));
    }

    /**
     * The counts that the outcomes add to each slice.
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

    /** The evidence of the agent's reputation in the outcomes. */
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
