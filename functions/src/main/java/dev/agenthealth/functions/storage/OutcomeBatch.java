package dev.agenthealth.functions.storage;

import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Outcomes of one agent that one reporter sent together. Source, reporter and batch id say which batch it is, whatever is in it and however
 * it came.
 *
 * @param agentId whose executions they are
 * @param source who reports
 * @param reporter tells the reporters of one source apart, without control characters; empty for the agent itself
 * @param batchId the reporter's own id of the batch, without control characters
 * @param outcomes at least one; those that happened {@link #ON_ARRIVAL} happened when the batch first arrived
 */
public record OutcomeBatch(
        String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes) {

    /** The moment of an outcome that names none. */
    public static final Instant ON_ARRIVAL = Instant.MIN;

    /** With 64 bits, a million batches of one slice hold two of the same hash with a probability of 3 in 100 million. */
    private static final int HASH_LENGTH = 8;

    public OutcomeBatch {
        outcomes = List.copyOf(outcomes);
    }

    /** Whether the moment of arrival is needed to tell into which slice an outcome belongs. */
    boolean dependsOnArrival() {
        return outcomes.stream().anyMatch(outcome -> outcome.occurredAt().equals(ON_ARRIVAL));
    }

    /** What the outcomes add to each slice of the agent's window. */
    SortedMap<Slice, OutcomeCounts> bySlice(Instant arrival, Expectations expected) {
        MeasurementWindow window = expected.window();
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        for (Outcome outcome : outcomes) {
            Instant at = outcome.occurredAt().equals(ON_ARRIVAL) ? arrival : outcome.occurredAt();
            slices.merge(window.sliceAt(at), OutcomeCounts.of(outcome, source, expected), OutcomeCounts::plus);
        }
        return slices;
    }

    /** What the outcomes say about the agent's reputation. */
    EvidenceSums evidence(Instant arrival) {
        return outcomes.stream()
                .filter(outcome -> outcome.result() != OutcomeResult.TRIGGER_FAILURE)
                .map(outcome -> EvidenceSums.of(
                        outcome.result() == OutcomeResult.SUCCESS,
                        outcome.occurredAt().equals(ON_ARRIVAL) ? arrival : outcome.occurredAt()))
                .reduce(EvidenceSums.NONE, EvidenceSums::plus);
    }

    /** What the batch is known by among the agent's batches. */
    byte[] hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : List.of(source.word(), reporter, batchId)) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                // None of them holds control characters, so that this separates them.
                digest.update((byte) 0);
            }
            return Arrays.copyOf(digest.digest(), HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
