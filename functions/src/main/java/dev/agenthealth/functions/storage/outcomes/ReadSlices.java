package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Slices of an agent as they were read.
 *
 * @param counts the counts by slice
 * @param changed the parts to which outcomes were added since the agent's health was computed
 */
public record ReadSlices(SortedMap<Slice, OutcomeCounts> counts, List<ChangedPart> changed) {

    /**
     * A part of a slice that is due.
     *
     * @param key its key
     * @param batches the number of batches in the part when it was read
     * @param hoursOfUsage the hours to which reports in this part may have added usage
     * @param hoursWithoutUsage the hours with executions without usage in this part
     */
    public record ChangedPart(
            Map<String, AttributeValue> key, int batches, List<Long> hoursOfUsage, Set<Long> hoursWithoutUsage) {

        public ChangedPart {
            hoursWithoutUsage = Set.copyOf(hoursWithoutUsage);
        }
    }

    /** Returns the hours to which reports may have added usage since the agent's health was computed. */
    public Set<Long> hoursOfUsage() {
        return changed.stream()
                .flatMap(part -> part.hoursOfUsage().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the hours with executions without usage in parts that changed. */
    public Set<Long> hoursWithoutUsage() {
        return changed.stream()
                .flatMap(part -> part.hoursWithoutUsage().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns these slices together with other slices. */
    public ReadSlices plus(ReadSlices others) {
        SortedMap<Slice, OutcomeCounts> allCounts = new TreeMap<>(counts);
        allCounts.putAll(others.counts);
        return new ReadSlices(
                allCounts,
                Stream.concat(changed.stream(), others.changed.stream()).toList());
    }
}
