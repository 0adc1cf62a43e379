package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.StatisticsText;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the statistics of the fleet from the last count of the sweep, and the numbers of its problems, in one item each. Thread-safe. */
public final class StatisticsStore {

    private static final Attribute<Instant> AT = new Attribute<>("at", AttributeType.MOMENT);
    private static final Attribute<Map<String, Long>> PROBLEMS = new Attribute<>("problems", AttributeType.NUMBERS);

    private static final Codec<FleetStatistics> STATISTICS = new Codec<>();
    private static final Attribute<AgentStatistics> FLEET = STATISTICS.always(
            "fleet",
            TEXT.as(AgentStatistics.NONE, StatisticsText::of, StatisticsText::statistics),
            FleetStatistics::fleet);
    private static final Map<GroupKind, Attribute<GroupStatistics>> GROUPS = Arrays.stream(GroupKind.values())
            .collect(Collectors.toMap(
                    kind -> kind,
                    kind -> STATISTICS.optional(
                            kind.wireName(),
                            TEXT.as(GroupStatistics.NONE, StatisticsText::of, StatisticsText::groups),
                            statistics -> statistics.of(kind))));

    private final Table registry;

    public StatisticsStore(Database database) {
        this.registry = database.registry();
    }

    /**
     * The stored statistics.
     *
     * @param statistics the statistics of the fleet
     * @param asOf when these statistics were last confirmed
     * @param sweep the state of the sweep that confirmed them
     * @param passes the findings and actions of all passes before the last one
     * @param openProblems the numbers of open problems, by severity
     */
    public record Snapshot(
            FleetStatistics statistics,
            Instant asOf,
            SweepState sweep,
            SweepStatistics passes,
            Map<Severity, Long> openProblems) {}

    /**
     * Writes the statistics of a moment.
     *
     * @param statistics at most some hundred groups of a kind, or the statistics do not fit into an item
     * @return {@code false} if statistics of a later moment are stored
     */
    public boolean put(FleetStatistics statistics, Instant at) {
        Map<String, AttributeValue> item = STATISTICS.item(ItemKind.FLEET_STATISTICS.key(), statistics);
        return registry.put(
                AT.put(item, at),
                AT.isAbsent()
                        .or(AT.isAtMost(at))
                        // A moment in the future comes from a clock that ran ahead.
                        .or(AT.isMoreThan(at.plus(ClockRule.MAX_PASS))));
    }

    /** Writes the numbers of open problems, by severity. If two writers write at once, the next write corrects the numbers. */
    public void putOpenProblems(Map<Severity, Long> counts) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.OPEN_PROBLEMS.key());
        registry.put(PROBLEMS.put(
                item,
                counts.entrySet().stream()
                        .collect(Collectors.toMap(count -> count.getKey().wireName(), Map.Entry::getValue))));
    }

    private static Map<Severity, Long> openProblems(Map<String, AttributeValue> item) {
        Map<Severity, Long> counts = new EnumMap<>(Severity.class);
        Map<String, Long> stored = PROBLEMS.of(item);
        for (Severity severity : Severity.values()) {
            counts.put(severity, stored.getOrDefault(severity.wireName(), 0L));
        }
        return counts;
    }

    /** Returns the latest statistics; empty before the first. Costs one request. */
    public Optional<Snapshot> latest() {
        Map<String, AttributeValue> item = Map.of();
        Map<String, AttributeValue> state = Map.of();
        Map<String, AttributeValue> problems = Map.of();
        List<Map<String, AttributeValue>> keys =
                List.of(ItemKind.FLEET_STATISTICS.key(), ItemKind.SWEEP_STATE.key(), ItemKind.OPEN_PROBLEMS.key());
        for (Map<String, AttributeValue> found : registry.getAll(keys, false)) {
            if (AT.isIn(found)) {
                item = found;
            } else if (PROBLEMS.isIn(found)) {
                problems = found;
            } else {
                state = found;
            }
        }
        if (item.isEmpty()) {
            return Optional.empty();
        }
        Instant at = AT.of(item);
        Instant confirmed = SweepStateStore.statisticsConfirmedAt(state);
        // A pass with the same statistics writes none; the start of the next pass confirms them.
        return Optional.of(new Snapshot(
                read(item),
                confirmed.isAfter(at) ? confirmed : at,
                SweepStateStore.read(state),
                SweepStateStore.statistics(state),
                openProblems(problems)));
    }

    private static FleetStatistics read(Map<String, AttributeValue> item) {
        Map<GroupKind, GroupStatistics> groups = new EnumMap<>(GroupKind.class);
        GROUPS.forEach((kind, attribute) -> groups.put(kind, attribute.of(item)));
        return new FleetStatistics(FLEET.of(item), groups);
    }
}
