package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.statistics.FleetStatistics;
import dev.agenthealth.model.statistics.GroupKind;
import dev.agenthealth.model.statistics.GroupStatistics;
import dev.agenthealth.model.statistics.StatisticsText;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The statistics of the fleet as the sweep last counted it: one item. Thread-safe. */
public final class StatisticsStore {

    private static final String AT = "at";
    private static final String FLEET = "fleet";

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
     * @param passes what passes up to the one before the last found and did
     */
    public record Snapshot(FleetStatistics statistics, Instant asOf, SweepState sweep, SweepStatistics passes) {}

    /**
     * Writes the statistics of a moment.
     *
     * @param statistics at most some hundred groups of a kind, or it does not fit into an item
     * @return {@code false} where statistics of a later moment are stored
     */
    public boolean put(FleetStatistics statistics, Instant at) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.FLEET_STATISTICS.key());
        item.put(AT, moment(at));
        item.put(FLEET, s(StatisticsText.of(statistics.fleet())));
        statistics.groups().forEach((kind, groups) -> {
            if (!groups.equals(GroupStatistics.NONE)) {
                item.put(kind.wireName(), s(StatisticsText.of(groups)));
            }
        });
        return registry.put(item, Condition.absent(AT).or(Condition.atMost(AT, moment(at))));
    }

    /** The latest statistics; empty before the first. One request. */
    public Optional<Snapshot> latest() {
        Map<String, AttributeValue> item = Map.of();
        Map<String, AttributeValue> state = Map.of();
        List<Map<String, AttributeValue>> keys = List.of(ItemKind.FLEET_STATISTICS.key(), ItemKind.SWEEP_STATE.key());
        for (Map<String, AttributeValue> found : registry.getAll(keys, false)) {
            if (found.containsKey(AT)) {
                item = found;
            } else {
                state = found;
            }
        }
        if (item.isEmpty()) {
            return Optional.empty();
        }
        Instant at = moment(item, AT, Instant.EPOCH);
        Instant confirmed = SweepStateStore.statisticsConfirmedAt(state);
        // A pass that finds the same statistics writes none; the start of the next one confirms them.
        return Optional.of(new Snapshot(
                read(item),
                confirmed.isAfter(at) ? confirmed : at,
                SweepStateStore.read(state),
                SweepStateStore.statistics(state)));
    }

    private static FleetStatistics read(Map<String, AttributeValue> item) {
        Map<GroupKind, GroupStatistics> groups = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            groups.put(kind, StatisticsText.groups(text(item, kind.wireName())));
        }
        return new FleetStatistics(StatisticsText.statistics(text(item, FLEET)), groups);
    }
}
