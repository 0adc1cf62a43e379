package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.census.Census;
import dev.agenthealth.model.census.CensusText;
import dev.agenthealth.model.census.GroupFigures;
import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.sweep.SweepFigures;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The figures of the fleet as the sweep last counted it: one item. Thread-safe. */
public final class CensusStore {

    private static final String AT = "at";
    private static final String FLEET = "fleet";

    private final Table registry;

    public CensusStore(Database database) {
        this.registry = database.registry();
    }

    /**
     * A census that was taken.
     *
     * @param census the figures
     * @param asOf when these figures were last confirmed
     * @param sweep the state of the sweep that confirmed them
     * @param figures what passes up to the one before the last found and did
     */
    public record Taken(Census census, Instant asOf, SweepState sweep, SweepFigures figures) {}

    /**
     * Writes the figures of a moment.
     *
     * @param census at most some hundred groups of a kind, or it does not fit into an item
     * @return {@code false} where figures of a later moment are stored
     */
    public boolean put(Census census, Instant at) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.FLEET_FIGURES.key());
        item.put(AT, moment(at));
        item.put(FLEET, s(CensusText.of(census.fleet())));
        census.groups().forEach((kind, groups) -> {
            if (!groups.equals(GroupFigures.NONE)) {
                item.put(kind.wireName(), s(CensusText.of(groups)));
            }
        });
        return registry.put(item, Condition.absent(AT).or(Condition.atMost(AT, moment(at))));
    }

    /** The latest figures; empty before the first. One request. */
    public Optional<Taken> latest() {
        Map<String, AttributeValue> item = Map.of();
        Map<String, AttributeValue> state = Map.of();
        List<Map<String, AttributeValue>> keys = List.of(ItemKind.FLEET_FIGURES.key(), ItemKind.SWEEP_STATE.key());
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
        Instant confirmed = SweepStateStore.figuresConfirmedAt(state);
        // A pass that finds the same figures writes none; the start of the next one confirms them.
        return Optional.of(new Taken(
                read(item),
                confirmed.isAfter(at) ? confirmed : at,
                SweepStateStore.read(state),
                SweepStateStore.figures(state)));
    }

    private static Census read(Map<String, AttributeValue> item) {
        Map<GroupKind, GroupFigures> groups = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            groups.put(kind, CensusText.groups(text(item, kind.wireName())));
        }
        return new Census(CensusText.figures(text(item, FLEET)), groups);
    }
}
