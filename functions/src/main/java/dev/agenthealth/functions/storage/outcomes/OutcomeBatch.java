package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.registry.version.VersionSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Outcomes of one agent that one reporter sent together. Source, reporter and batch id identify the batch.
 *
 * @param agentId the agent of the executions
 * @param source the kind of reporter
 * @param reporter distinguishes the reporters of one source, without control characters; empty for the agent itself
 * @param batchId the reporter's own id of the batch, without control characters
 * @param outcomes the outcomes to count; an outcome with the moment {@link #ON_ARRIVAL} happened when the batch first arrived
 * @param usageOnly outcomes that are counted elsewhere, and whose usage and evaluation count
 * @param hash recognises the batch and its whole content, including outcomes that are not counted
 */
public record OutcomeBatch(
        String agentId,
        OutcomeSource source,
        String reporter,
        String batchId,
        List<Outcome> outcomes,
        List<Outcome> usageOnly,
        BatchHash hash) {

    /** The moment of an outcome without a time. */
    public static final Instant ON_ARRIVAL = Instant.MIN;

    public OutcomeBatch {
        outcomes = List.copyOf(outcomes);
        usageOnly = List.copyOf(usageOnly);
    }

    /** Creates a batch whose outcomes are all counted. */
    public OutcomeBatch(String agentId, OutcomeSource source, String reporter, String batchId, List<Outcome> outcomes) {
        this(
                agentId,
                source,
                reporter,
                batchId,
                outcomes,
                List.of(),
                new BatchHash(List.of(source.wireName(), reporter, batchId), content(outcomes)));
    }

    /**
     * Returns the batch with only these outcomes to count.
     *
     * @param others the other outcomes, whose usage and evaluation count
     */
    public OutcomeBatch counting(List<Outcome> some, List<Outcome> others) {
        List<Outcome> used = others.stream()
                .filter(other -> !other.usage().isNone() || !other.evaluation().isNone())
                .toList();
        return new OutcomeBatch(agentId, source, reporter, batchId, some, used, hash);
    }

    /** Returns whether the batch changes nothing. */
    public boolean isNothing() {
        return outcomes.isEmpty() && usageOnly.isEmpty();
    }

    /** Returns whether the slices of the outcomes depend on the arrival of the batch. */
    public boolean dependsOnArrival() {
        return Stream.concat(outcomes.stream(), usageOnly.stream())
                .anyMatch(outcome -> outcome.occurredAt().equals(ON_ARRIVAL));
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
        for (Outcome outcome : usageOnly) {
            slices.merge(
                    window.sliceAt(moment(outcome, arrival)),
                    outcome.evaluation().counts(),
                    OutcomeCounts::plus);
        }
        return slices;
    }

    /**
     * Returns the usage and the executions without usage that the outcomes add to each hour, by slice.
     *
     * @param version the version of the agent; empty if its executions are not compared
     */
    Map<Slice, Map<Long, HourSums>> usageBySlice(
            MeasurementWindow window, Instant arrival, UsageLimits limits, String version) {
        Map<Slice, Map<Long, HourSums>> slices = new HashMap<>();
        outcomes.forEach(outcome -> add(
                slices,
                window,
                moment(outcome, arrival),
                usage(outcome, limits).with(version, VersionSums.of(outcome).with(usageSource(), outcome.usage()))));
        usageOnly.forEach(outcome -> add(
                slices,
                window,
                moment(outcome, arrival),
                usage(outcome, limits).with(version, VersionSums.NONE.with(usageSource(), outcome.usage()))));
        return slices;
    }

    private HourSums usage(Outcome outcome, UsageLimits limits) {
        Usage usage = outcome.usage();
        if (!usage.isNone()) {
            return HourSums.of(HourUsage.of(usageSource(), usage).with(limits.peaks(usage)));
        }
        return outcome.result() != OutcomeResult.TRIGGER_FAILURE && source != OutcomeSource.GATEWAY
                ? HourSums.ofExecution(usageSource())
                : HourSums.NONE;
    }

    private static void add(
            Map<Slice, Map<Long, HourSums>> slices, MeasurementWindow window, Instant at, HourSums usage) {
        if (!usage.isNone()) {
            slices.computeIfAbsent(window.sliceAt(at), slice -> new HashMap<>())
                    .merge(HourUsage.at(at), usage, HourSums::plus);
        }
    }

    private UsageSource usageSource() {
        return source == OutcomeSource.SELF ? UsageSource.SELF : UsageSource.COORDINATOR;
    }

    /** Returns the evidence of the agent's reputation in the outcomes. A failure because of a model provider is none. */
    public EvidenceSums evidence(Instant arrival) {
        return outcomes.stream()
                .filter(outcome -> !outcome.isUpstreamFailure())
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
                    .append(outcome.usage().isNone() ? "" : " " + outcome.usage())
                    .append(outcome.evaluation().isNone() ? "" : " " + outcome.evaluation())
                    .append('\n');
        }
        return content.toString();
    }
}
