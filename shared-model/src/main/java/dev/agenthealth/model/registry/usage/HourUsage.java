package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.registry.version.AgentVersion;
import dev.agenthealth.model.registry.version.VersionSums;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The usage of an agent within one hour (UTC), by source.
 *
 * @param bySource the usage that each source reported
 * @param peaks the largest use of a limit by a single execution, as far as it came near the limit
 * @param versions the sums of the executions of each version of the agent's program
 */
public record HourUsage(
        Map<UsageSource, Usage> bySource, Map<UsageLimit, Long> peaks, Map<String, VersionSums> versions) {

    public static final HourUsage NONE = new HourUsage(Map.of());

    /** The length of an hour in seconds. */
    public static final long SECONDS = 3_600;

    private static final Comparator<Usage> BY_TOKENS = Comparator.<Usage>comparingLong(usage -> usage.tokens(true))
            .thenComparingLong(usage -> usage.total().get(UsageCounter.EXECUTIONS))
            .thenComparingLong(usage ->
                    usage.total().get(UsageCounter.MODEL_CALLS) + usage.total().get(UsageCounter.TOOL_CALLS));

    public HourUsage {
        bySource = Map.copyOf(bySource);
        peaks = Map.copyOf(peaks);
        versions = Map.copyOf(versions);
    }

    /** Creates the usage without executions that came near a limit, of no version. */
    public HourUsage(Map<UsageSource, Usage> bySource) {
        this(bySource, Map.of(), Map.of());
    }

    /** Returns this usage with the peaks of a single execution. */
    public HourUsage with(Map<UsageLimit, Long> ofExecution) {
        return plus(new HourUsage(Map.of(), ofExecution, Map.of()));
    }

    /** Returns this usage with executions of a version; unchanged if the version is empty. */
    public HourUsage with(String version, VersionSums sums) {
        return version.isEmpty() || sums.isNone()
                ? this
                : plus(new HourUsage(Map.of(), Map.of(), Map.of(version, sums)));
    }

    /** Returns the usage of one source. */
    public static HourUsage of(UsageSource source, Usage usage) {
        return new HourUsage(Map.of(source, usage));
    }

    /** Returns the number of the hour of a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /** Returns the beginning of an hour. */
    public static Instant start(long hour) {
        return Instant.ofEpochSecond(hour * SECONDS);
    }

    /** Returns the sum of two usages. */
    public HourUsage plus(HourUsage other) {
        Map<UsageSource, Usage> sums = new EnumMap<>(UsageSource.class);
        sums.putAll(bySource);
        other.bySource.forEach((source, usage) -> sums.merge(source, usage, Usage::plus));
        Map<UsageLimit, Long> largest = new EnumMap<>(UsageLimit.class);
        largest.putAll(peaks);
        other.peaks.forEach((limit, used) -> largest.merge(limit, used, Math::max));
        return new HourUsage(sums, largest, sum(versions, other.versions));
    }

    private static Map<String, VersionSums> sum(Map<String, VersionSums> one, Map<String, VersionSums> other) {
        Map<String, VersionSums> sums = new HashMap<>(one);
        other.forEach((version, more) -> sums.merge(version, more, VersionSums::plus));
        return sums;
    }

    /**
     * Returns this usage with at most {@code maximum} versions. The executions of further versions count for {@link AgentVersion#OTHER}.
     *
     * @param known the versions that are stored already
     */
    public HourUsage bounded(Set<String> known, int maximum) {
        Set<String> named = new HashSet<>(known);
        Map<String, VersionSums> bounded = new HashMap<>();
        new TreeMap<>(versions).forEach((version, sums) -> {
            boolean fits = named.contains(version) || named.size() < maximum && named.add(version);
            bounded.merge(fits ? version : AgentVersion.OTHER, sums, VersionSums::plus);
        });
        return new HourUsage(bySource, peaks, bounded);
    }

    /** Returns the usage that counts: the usage of the source with the most tokens. So an execution that several sources report counts once. */
    public Usage counted() {
        return bySource.values().stream().max(BY_TOKENS).orElse(Usage.NONE);
    }

    /** Returns the executions of each version, with the tokens of the source with the most tokens. */
    public Map<String, VersionSums> countedVersions() {
        Map<String, VersionSums> counted = new HashMap<>();
        versions.forEach((version, sums) -> counted.put(version, sums.counted()));
        return counted;
    }

    /** Returns the executions of each version that an earlier part of them does not contain. */
    public static Map<String, VersionSums> difference(Map<String, VersionSums> all, Map<String, VersionSums> part) {
        Map<String, VersionSums> rest = new HashMap<>();
        all.forEach((version, sums) -> rest.put(version, sums.minus(part.getOrDefault(version, VersionSums.NONE))));
        rest.values().removeIf(VersionSums::isNone);
        return rest;
    }

    /** Returns whether nothing was used, and no version has executions. */
    public boolean isNone() {
        return versions.isEmpty() && bySource.values().stream().allMatch(Usage::isNone);
    }
}
