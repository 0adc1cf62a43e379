package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Outcomes of one agent that one reporter sent together. Source, reporter and batch id identify it, whatever it contains.
 *
 * @param agentId the agent whose executions they are
 * @param source the kind of reporter
 * @param reporter distinguishes the reporters of one source, without control characters; empty for the agent itself
 * @param batchId the reporter's own id of the batch, without control characters
 * @param outcomes at least one; those that happened {@link #ON_ARRIVAL} happened when the batch first arrived
 */
public record OutcomeBatch(
        String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes) {

    /** The moment of an outcome that has none. */
    public static final Instant ON_ARRIVAL = Instant.MIN;

    /** 64 bits: among a million batches of one slice, two have the same hash with a probability of 3 in 100 million. */
    private static final int HASH_LENGTH = 8;

    public OutcomeBatch {
        outcomes = List.copyOf(outcomes);
    }

    /** Whether the slices of the outcomes depend on when the batch arrived. */
    boolean dependsOnArrival() {
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

    /** Identifies the batch among the agent's batches. */
    public byte[] hash() {
        return Arrays.copyOf(Sha256.of(List.of(source.word(), reporter, batchId)), HASH_LENGTH);
    }
}
