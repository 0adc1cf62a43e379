package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.window.Slice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

    /**
     * Into which slices outcomes go, which is the same for every try.
     *
     * @param arrival when the batch first arrived
     * @param width of the slices, in seconds
     */
    record Placement(Instant arrival, int width) {

        private Slice slice(Outcome outcome) {
            return Slice.at(outcome.occurredAt().equals(ON_ARRIVAL) ? arrival : outcome.occurredAt(), width);
        }
    }

    /** Whether the moment of arrival is needed to tell into which slice an outcome belongs. */
    boolean dependsOnArrival() {
        return outcomes.stream().anyMatch(outcome -> outcome.occurredAt().equals(ON_ARRIVAL));
    }

    /** What the outcomes add to each slice. */
    SortedMap<Slice, OutcomeCounts> bySlice(Placement placement, Expectations expected) {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        for (Outcome outcome : outcomes) {
            slices.merge(placement.slice(outcome), OutcomeCounts.of(outcome, source, expected), OutcomeCounts::plus);
        }
        return slices;
    }

    /** The slices that the batch touches. */
    Set<Slice> slices(Placement placement) {
        return outcomes.stream().map(placement::slice).collect(Collectors.toSet());
    }

    /** What the outcomes say about the agent's reputation. */
    public EvidenceSums evidence(Instant arrival) {
        return outcomes.stream()
                .map(outcome -> EvidenceSums.reported(
                        source,
                        outcome.result(),
                        outcome.occurredAt().equals(ON_ARRIVAL) ? arrival : outcome.occurredAt()))
                .reduce(EvidenceSums.NONE, EvidenceSums::plus);
    }

    /** What the batch is known by among the agent's batches. */
    public byte[] hash() {
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
