package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.model.registry.lifecycle.HeartbeatRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Builds the conditions of writes to the row of a pulse, or to its tombstone. */
public final class PulseConditions {

    private PulseConditions() {}

    /** Returns the condition that there is no row. */
    public static Condition absent() {
        return Condition.absent(PulseItem.ID);
    }

    public static Condition statusIs(LifecycleStatus status) {
        return Condition.equal(PulseItem.STATUS, s(StatusShard.code(status)));
    }

    public static Condition statusIn(LifecycleStatus... statuses) {
        return Condition.in(
                PulseItem.STATUS,
                Stream.of(statuses).map(status -> s(StatusShard.code(status))).toList());
    }

    public static Condition incarnationIs(long incarnation) {
        return Condition.equal(PulseItem.INCARNATION, n(incarnation));
    }

    /**
     * Returns the condition that no value on which a decision about the agent may depend has changed. The version is one of these values,
     * because a profile change may change the thresholds.
     */
    public static Condition unchanged(Pulse seen) {
        return sameState(seen).and(incarnationIs(seen.incarnation())).and(sameHeartbeats(seen));
    }

    /** Returns the condition that no heartbeat with a later time of receipt is stored, as {@link HeartbeatRule#heardAt} defines it. */
    static Condition isNotOvertaken(Instant receivedAt) {
        return Condition.between(
                        PulseItem.LAST_HEARTBEAT,
                        moment(receivedAt.plusMillis(1)),
                        moment(receivedAt.plus(HeartbeatRule.MAX_DIFFERENCE)))
                .not();
    }

    /** Returns the condition that no heartbeat has arrived since. */
    public static Condition sameHeartbeats(Pulse seen) {
        return Condition.equal(PulseItem.HEARTBEAT_COUNT, n(seen.heartbeatCount()));
    }

    /** Returns the condition of a registration. Heartbeats of the previous incarnation do not prevent it, but a transfer or a new secret does. */
    public static Condition unchangedButHeartbeats(Pulse seen) {
        return sameState(seen).and(incarnationIs(seen.incarnation())).and(ownerAsSeen(seen));
    }

    /** Returns the condition of a write that replaces the whole item: no value, owner or secret has changed. */
    public static Condition wholeAsSeen(Pulse seen) {
        return unchanged(seen).and(ownerAsSeen(seen));
    }

    static Condition ownerAsSeen(Pulse seen) {
        Map<String, AttributeValue> owner = PulseItem.owner(seen.owner());
        return asSeen(PulseItem.OWNER_KEY, owner).and(asSeen(PulseItem.CREDENTIAL, owner));
    }

    static Condition sameState(Pulse seen) {
        return versionIs(seen.version())
                .and(statusIs(seen.status()))
                .and(Condition.equal(PulseItem.SEQUENCE, n(seen.sequence())));
    }

    /** Returns the condition that the incarnation is as seen, and belongs to the same key with any secret. The same callers may then change it. */
    static Condition sameOwner(Pulse seen) {
        return incarnationIs(seen.incarnation()).and(asSeen(PulseItem.OWNER_KEY, PulseItem.owner(seen.owner())));
    }

    /**
     * Returns the condition that incarnation, owner and profile are as seen. A decision about the agent's owner and endpoint depends on
     * these values.
     */
    public static Condition sameOwnerAndVersion(Pulse seen) {
        return sameOwner(seen).and(versionIs(seen.version()));
    }

    static Condition versionIs(long version) {
        return Condition.equal(PulseItem.VERSION, n(version));
    }

    static Condition asSeen(String attribute, Map<String, AttributeValue> seen) {
        return seen.containsKey(attribute)
                ? Condition.equal(attribute, seen.get(attribute))
                : Condition.absent(attribute);
    }

    /** Returns the condition that the whole item is as seen, and no incarnation has to be cleaned up. */
    public static Condition wholeAndCleanedUp(Pulse seen) {
        return wholeAsSeen(seen).and(Condition.absent(PulseItem.CLEAN_UP_OF));
    }

    static Condition repetitionAsSeen(Pulse seen) {
        return asSeen(PulseItem.REPEATED_IN_SPANS, PulseItem.of(seen));
    }

    static Condition spansAsSeen(Pulse seen) {
        return asSeen(PulseItem.SPAN_ENDED, PulseItem.of(seen));
    }
}
