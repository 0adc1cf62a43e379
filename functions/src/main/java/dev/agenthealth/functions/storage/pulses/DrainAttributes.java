package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the drain under way, and the terms of coordination with the pending drain. */
final class DrainAttributes {

    private DrainAttributes() {}

    static void put(Map<String, AttributeValue> item, Drain drain) {
        if (drain.isUnderWay()) {
            item.put(PulseItem.DRAIN_DEADLINE, moment(drain.deadline()));
            item.put(PulseItem.DRAIN_TIMEOUT, n(drain.timeout().toSeconds()));
            putNumber(item, PulseItem.DRAIN_HEARTBEATS_BEFORE, drain.heartbeatsBefore(), Drain.ASKED_BY_AGENT);
            putText(item, PulseItem.DRAIN_REASON, drain.reason());
            CompactKeyId.put(item, PulseItem.DRAIN_REQUESTED_BY, drain.requestedBy());
        }
    }

    static Drain drain(Map<String, AttributeValue> item) {
        return item.containsKey(PulseItem.DRAIN_DEADLINE)
                ? new Drain(
                        moment(item, PulseItem.DRAIN_DEADLINE, Instant.MAX),
                        Duration.ofSeconds(number(item, PulseItem.DRAIN_TIMEOUT, 0)),
                        number(item, PulseItem.DRAIN_HEARTBEATS_BEFORE, Drain.ASKED_BY_AGENT),
                        text(item, PulseItem.DRAIN_REASON),
                        CompactKeyId.read(item, PulseItem.DRAIN_REQUESTED_BY))
                : Drain.NONE;
    }

    static void put(Map<String, AttributeValue> item, Coordination coordination) {
        putNumber(item, PulseItem.BLOCKED_UNTIL, coordination.blockedUntil().toEpochMilli(), 0);
        putNumber(item, PulseItem.ROLE_NUMBER, coordination.roleNumber(), Coordination.NO_ROLE);
        putNumber(
                item,
                PulseItem.DEFAULT_DRAIN_TIMEOUT,
                coordination.drainTimeout().toSeconds(),
                Drain.DEFAULT_TIMEOUT.toSeconds());
        if (coordination.pendingDrain().isPending()) {
            item.put(
                    PulseItem.PENDING_DRAIN_TIMEOUT,
                    n(coordination.pendingDrain().timeout().toSeconds()));
            putText(
                    item,
                    PulseItem.PENDING_DRAIN_REASON,
                    coordination.pendingDrain().reason());
            CompactKeyId.put(
                    item,
                    PulseItem.PENDING_DRAIN_REQUESTED_BY,
                    coordination.pendingDrain().requestedBy());
            putNumber(
                    item, PulseItem.PENDING_RESTART, coordination.pendingDrain().restarts() ? 1 : 0, 0);
        }
    }

    static Coordination coordination(Map<String, AttributeValue> item) {
        return new Coordination(
                number(item, PulseItem.ROLE_NUMBER, Coordination.NO_ROLE),
                Duration.ofSeconds(number(item, PulseItem.DEFAULT_DRAIN_TIMEOUT, Drain.DEFAULT_TIMEOUT.toSeconds())),
                item.containsKey(PulseItem.PENDING_DRAIN_TIMEOUT)
                        ? new PendingDrain(
                                text(item, PulseItem.PENDING_DRAIN_REASON),
                                Duration.ofSeconds(number(item, PulseItem.PENDING_DRAIN_TIMEOUT, 0)),
                                CompactKeyId.read(item, PulseItem.PENDING_DRAIN_REQUESTED_BY),
                                item.containsKey(PulseItem.PENDING_RESTART))
                        : PendingDrain.NONE,
                moment(item, PulseItem.BLOCKED_UNTIL, Instant.EPOCH));
    }
}
