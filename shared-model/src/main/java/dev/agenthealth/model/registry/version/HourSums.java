package dev.agenthealth.model.registry.version;

import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.UsageSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The sums of an agent within one hour (UTC): its usage, and the executions of each version of its program.
 *
 * @param usage the usage by source
 * @param versions the executions by version
 * @param withoutUsage the executions without usage, by source. Their slices count them, and the hour has them only if a limit needs them
 */
public record HourSums(HourUsage usage, Map<String, VersionSums> versions, Map<UsageSource, Long> withoutUsage) {

    public static final HourSums NONE = new HourSums(HourUsage.NONE, Map.of());

    public HourSums {
        versions = Map.copyOf(versions);
        withoutUsage = Map.copyOf(withoutUsage);
    }

    /** Creates sums without executions without usage. */
    public HourSums(HourUsage usage, Map<String, VersionSums> versions) {
        this(usage, versions, Map.of());
    }

    /** Returns the sums of usage without a version. */
    public static HourSums of(HourUsage usage) {
        return new HourSums(usage, Map.of());
    }

    /** Returns the sums of one execution without usage. */
    public static HourSums ofExecution(UsageSource source) {
        return new HourSums(HourUsage.NONE, Map.of(), Map.of(source, 1L));
    }

    /** Returns these sums with executions of a version; unchanged if the version is empty. */
    public HourSums with(String version, VersionSums sums) {
        return version.isEmpty() || sums.isNone() ? this : plus(new HourSums(HourUsage.NONE, Map.of(version, sums)));
    }

    /** Returns the sum of two sums. */
    public HourSums plus(HourSums other) {
        Map<String, VersionSums> sums = new HashMap<>(versions);
        other.versions.forEach((version, more) -> sums.merge(version, more, VersionSums::plus));
        Map<UsageSource, Long> executions = new EnumMap<>(UsageSource.class);
        executions.putAll(withoutUsage);
        other.withoutUsage.forEach((source, more) -> executions.merge(source, more, Long::sum));
        return new HourSums(usage.plus(other.usage), sums, executions);
    }

    /**
     * Returns the executions of at most {@code maximum} versions. The executions of further versions count for {@link AgentVersion#OTHER}.
     *
     * @param known the versions that are stored already
     */
    public Map<String, VersionSums> bounded(Set<String> known, int maximum) {
        Set<String> named = new HashSet<>(known);
        named.remove(AgentVersion.OTHER);
        Map<String, VersionSums> bounded = new TreeMap<>();
        new TreeMap<>(versions).forEach((version, sums) -> {
            boolean fits = named.contains(version) || named.size() < maximum && named.add(version);
            bounded.merge(fits ? version : AgentVersion.OTHER, sums, VersionSums::plus);
        });
        return bounded;
    }

    /** Returns the executions of each version, with the tokens of the source with the most tokens. */
    public static Map<String, VersionSums> counted(Map<String, VersionSums> versions) {
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

    /** Returns whether something was used, or a version has executions. */
    public boolean isReported() {
        return !versions.isEmpty() || !usage.isNone();
    }

    /** Returns whether there is neither usage nor an execution. */
    public boolean isNone() {
        return withoutUsage.isEmpty() && !isReported();
    }
}
