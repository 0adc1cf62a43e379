package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.model.lifecycle.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The write of a transition to the pulse: only if incarnation, version, status, beat counter and event number are as seen, and
 * only the attributes that a transition changes, so that a row of a newer version keeps what this one does not know.
 */
public final class TransitionWrites {

    /**
     * Nothing that a decision may rest on has changed. The version is part of it: a profile change may have moved the thresholds, and
     * nobody who sent {@code If-Match} may win against a change made meanwhile.
     */
    public static final String AS_SEEN = "#c = :seenC AND #w = :seenW AND #s = :seenS AND #n = :seenN AND #e = :seenE";

    private TransitionWrites() {}

    public static Update.Builder of(String table, Transition transition) {
        Pulse after = transition.after();
        Map<String, String> names = seenNames();
        Map<String, AttributeValue> values = seenValues(transition.before());
        List<String> sets = new ArrayList<>();
        List<String> removes = new ArrayList<>();
        set(sets, names, values, PulseItem.STATUS, s(StatusShard.letter(after.status())));
        set(sets, names, values, PulseItem.STATUS_SHARD, s(StatusShard.of(after.status(), after.agentId())));
        set(sets, names, values, PulseItem.STATUS_SINCE, n(after.statusSince().toEpochMilli()));
        set(sets, names, values, PulseItem.VERSION, n(after.version()));
        set(sets, names, values, PulseItem.BEATS, n(after.beats()));
        set(sets, names, values, PulseItem.SEQUENCE, n(after.sequence()));
        set(
                sets,
                names,
                values,
                PulseItem.LAST_HEARTBEAT,
                n(after.lastHeartbeatAt().toEpochMilli()));
        if (after.workload().load() != Workload.NOT_REPORTED) {
            set(sets, names, values, PulseItem.LOAD, n(after.workload().load()));
        }
        if (after.drain().isUnderWay()) {
            set(
                    sets,
                    names,
                    values,
                    PulseItem.DRAIN_DEADLINE,
                    n(after.drain().deadline().toEpochMilli()));
            set(
                    sets,
                    names,
                    values,
                    PulseItem.DRAIN_TIMEOUT,
                    n(after.drain().timeout().toSeconds()));
            if (after.drain().heldLeases()) {
                set(sets, names, values, PulseItem.DRAIN_HELD_LEASES, n(1));
            } else {
                remove(removes, names, PulseItem.DRAIN_HELD_LEASES);
            }
        } else {
            remove(removes, names, PulseItem.DRAIN_DEADLINE);
            remove(removes, names, PulseItem.DRAIN_TIMEOUT);
            remove(removes, names, PulseItem.DRAIN_HELD_LEASES);
        }
        if (after.status() == LifecycleStatus.DRAINING || after.status().isGone()) {
            // Obeyed, or too late. On any other transition a command that arrived meanwhile must stay.
            remove(removes, names, PulseItem.PENDING_DRAIN_TIMEOUT);
            remove(removes, names, PulseItem.PENDING_DRAIN_REASON);
        }
        if (after.cleanUpOf() != Pulse.NOTHING_TO_CLEAN_UP) {
            set(sets, names, values, PulseItem.CLEAN_UP_OF, n(after.cleanUpOf()));
        }
        String expression =
                "SET " + String.join(", ", sets) + (removes.isEmpty() ? "" : " REMOVE " + String.join(", ", removes));
        return Update.builder()
                .tableName(table)
                .key(PulseItem.key(after.agentId()))
                .updateExpression(expression)
                .conditionExpression(AS_SEEN)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values);
    }

    public static Map<String, String> seenNames() {
        return new HashMap<>(Map.of(
                "#c", PulseItem.INCARNATION,
                "#w", PulseItem.VERSION,
                "#s", PulseItem.STATUS,
                "#n", PulseItem.BEATS,
                "#e", PulseItem.SEQUENCE));
    }

    public static Map<String, AttributeValue> seenValues(Pulse seen) {
        return new HashMap<>(Map.of(
                ":seenC", n(seen.incarnation()),
                ":seenW", n(seen.version()),
                ":seenS", s(StatusShard.letter(seen.status())),
                ":seenN", n(seen.beats()),
                ":seenE", n(seen.sequence())));
    }

    private static void set(
            List<String> sets,
            Map<String, String> names,
            Map<String, AttributeValue> values,
            String attribute,
            AttributeValue value) {
        names.put("#" + attribute, attribute);
        values.put(":" + attribute, value);
        sets.add("#" + attribute + " = :" + attribute);
    }

    private static void remove(List<String> removes, Map<String, String> names, String attribute) {
        names.put("#" + attribute, attribute);
        removes.add("#" + attribute);
    }
}
