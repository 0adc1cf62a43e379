package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Coordination;
import dev.agenthealth.model.lifecycle.Drain;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.PendingDrain;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The row of the pulses table: one letter an attribute, because every heartbeat pays for and every sweep reads each byte of it.
 *
 * <p>Values equal to a record's default are left out. This class owns the names; nobody else spells them.
 */
public final class PulseItem {

    /** The schema that this code writes; rows of the previous one are readable beside it. */
    static final int SCHEMA = 1;

    public static final String ID = "id";
    static final String SCHEMA_NUMBER = "v";
    public static final String STATUS = "s";
    public static final String STATUS_SHARD = "x";
    static final String STATUS_SINCE = "a";
    public static final String INCARNATION = "c";
    public static final String VERSION = "w";
    static final String BEATS = "n";
    public static final String SEQUENCE = "e";
    static final String LAST_HEARTBEAT = "h";
    public static final String INTERVAL = "i";
    public static final String UNHEALTHY_AFTER = "u";
    public static final String DEAD_AFTER = "d";
    static final String LOAD = "l";
    public static final String MAX_TASKS = "m";
    public static final String TASK_DIGEST = "t";
    public static final String TASK_COUNT = "tn";
    static final String CREDENTIAL = "k";
    static final String DRAIN_DEADLINE = "g";
    static final String DRAIN_TIMEOUT = "gt";
    static final String DRAIN_HELD_LEASES = "gl";
    public static final String CLEAN_UP_OF = "z";
    public static final String DRIFT_REPORTED = "f";
    static final String ROLE_NUMBER = "r";
    static final String DEFAULT_DRAIN_TIMEOUT = "dt";
    /** A pending drain: its timeout in seconds and its reason. */
    public static final String PENDING_DRAIN_TIMEOUT = "p";

    public static final String PENDING_DRAIN_REASON = "pr";
    /** Health status and score in one number: the score in hundredths plus one, times ten, plus a digit for the status. */
    static final String HEALTH = "q";

    public static final String PROVIDER_NUMBER = "o";
    public static final String PLATFORM_NUMBER = "b";
    /** Present on the registry's own canaries only: they are never listed or counted. */
    static final String CANARY = "y";

    private static final int STATUS_DIGIT = 10;

    private PulseItem() {}

    /** The row of a pulse and of what stands beside it. */
    public static Map<String, AttributeValue> of(Pulse pulse, HealthSummary standing) {
        Map<String, AttributeValue> item = of(pulse);
        putUnlessZero(item, HEALTH, health(standing.measured(), standing.hundredths()));
        putUnlessZero(item, PROVIDER_NUMBER, standing.providerNumber());
        putUnlessZero(item, PLATFORM_NUMBER, standing.platformNumber());
        return item;
    }

    /** The row of a pulse beside which nothing stands. */
    public static Map<String, AttributeValue> of(Pulse pulse) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(ID, s(pulse.agentId()));
        item.put(SCHEMA_NUMBER, n(SCHEMA));
        item.put(STATUS, s(StatusShard.letter(pulse.status())));
        item.put(STATUS_SHARD, s(StatusShard.of(pulse.status(), pulse.agentId())));
        item.put(STATUS_SINCE, n(pulse.statusSince().toEpochMilli()));
        item.put(INCARNATION, n(pulse.incarnation()));
        item.put(VERSION, n(pulse.version()));
        item.put(BEATS, n(pulse.beats()));
        item.put(SEQUENCE, n(pulse.sequence()));
        item.put(LAST_HEARTBEAT, n(pulse.lastHeartbeatAt().toEpochMilli()));
        item.put(INTERVAL, n(pulse.config().intervalSeconds()));
        item.put(UNHEALTHY_AFTER, n(pulse.config().unhealthyAfterSeconds()));
        item.put(DEAD_AFTER, n(pulse.config().deadAfterSeconds()));
        Workload workload = pulse.workload();
        if (workload.load() != Workload.NOT_REPORTED) {
            item.put(LOAD, n(workload.load()));
        }
        if (workload.maxConcurrentTasks() != Workload.NOT_DECLARED) {
            item.put(MAX_TASKS, n(workload.maxConcurrentTasks()));
        }
        if (workload.taskCount() > 0) {
            item.put(TASK_DIGEST, n(workload.taskDigest()));
            item.put(TASK_COUNT, n(workload.taskCount()));
        }
        if (!pulse.credential().isNone()) {
            item.put(CREDENTIAL, b(pulse.credential().bytes()));
        }
        if (pulse.drain().isUnderWay()) {
            item.put(DRAIN_DEADLINE, n(pulse.drain().deadline().toEpochMilli()));
            item.put(DRAIN_TIMEOUT, n(pulse.drain().timeout().toSeconds()));
            if (pulse.drain().heldLeases()) {
                item.put(DRAIN_HELD_LEASES, n(1));
            }
        }
        if (pulse.cleanUpOf() != Pulse.NOTHING_TO_CLEAN_UP) {
            item.put(CLEAN_UP_OF, n(pulse.cleanUpOf()));
        }
        if (pulse.driftReportedAt().isAfter(Instant.EPOCH)) {
            item.put(DRIFT_REPORTED, n(pulse.driftReportedAt().toEpochMilli()));
        }
        putCoordination(item, pulse.coordination());
        return item;
    }

    private static void putCoordination(Map<String, AttributeValue> item, Coordination coordination) {
        if (coordination.roleNumber() != Coordination.NO_ROLE) {
            item.put(ROLE_NUMBER, n(coordination.roleNumber()));
        }
        if (!coordination.drainTimeout().equals(Drain.DEFAULT_TIMEOUT)) {
            item.put(DEFAULT_DRAIN_TIMEOUT, n(coordination.drainTimeout().toSeconds()));
        }
        PendingDrain pending = coordination.pendingDrain();
        if (pending.isPending()) {
            item.put(PENDING_DRAIN_TIMEOUT, n(pending.timeout().toSeconds()));
            if (!pending.reason().isEmpty()) {
                item.put(PENDING_DRAIN_REASON, s(pending.reason()));
            }
        }
    }

    private static void putUnlessZero(Map<String, AttributeValue> item, String name, long number) {
        if (number != 0) {
            item.put(name, n(number));
        }
    }

    /** The number under {@link #HEALTH}; 0, which is left out, for an unknown health without a score. */
    static long health(HealthStatus status, int hundredths) {
        int digit =
                switch (status) {
                    case UNKNOWN -> 0;
                    case HEALTHY -> 1;
                    case DEGRADED -> 2;
                    case UNHEALTHY -> 3;
                };
        return (long) (hundredths - HealthSummary.INACTIVE) * STATUS_DIGIT + digit;
    }

    /** What stands beside the pulse of a row. */
    public static HealthSummary standing(Map<String, AttributeValue> item) {
        long health = number(item, HEALTH, 0);
        HealthStatus status =
                switch ((int) (health % STATUS_DIGIT)) {
                    case 1 -> HealthStatus.HEALTHY;
                    case 2 -> HealthStatus.DEGRADED;
                    case 3 -> HealthStatus.UNHEALTHY;
                    default -> HealthStatus.UNKNOWN;
                };
        return new HealthSummary(
                status,
                (int) (health / STATUS_DIGIT) + HealthSummary.INACTIVE,
                number(item, PROVIDER_NUMBER, GroupNumber.NONE),
                number(item, PLATFORM_NUMBER, GroupNumber.NONE));
    }

    private static Coordination coordination(Map<String, AttributeValue> item) {
        return new Coordination(
                number(item, ROLE_NUMBER, Coordination.NO_ROLE),
                Duration.ofSeconds(number(item, DEFAULT_DRAIN_TIMEOUT, Drain.DEFAULT_TIMEOUT.toSeconds())),
                item.containsKey(PENDING_DRAIN_TIMEOUT)
                        ? new PendingDrain(
                                text(item, PENDING_DRAIN_REASON),
                                Duration.ofSeconds(number(item, PENDING_DRAIN_TIMEOUT, 0)))
                        : PendingDrain.NONE);
    }

    /** The pulse of a row. */
    public static Pulse read(Map<String, AttributeValue> item) {
        return new Pulse(
                text(item, ID),
                status(item),
                moment(item, STATUS_SINCE, Instant.EPOCH),
                number(item, INCARNATION, 1),
                number(item, VERSION, 1),
                number(item, BEATS, 0),
                number(item, SEQUENCE, 0),
                moment(item, LAST_HEARTBEAT, Instant.EPOCH),
                new HeartbeatConfig(
                        (int) number(item, INTERVAL, HeartbeatConfig.DEFAULT.intervalSeconds()),
                        (int) number(item, UNHEALTHY_AFTER, HeartbeatConfig.DEFAULT.unhealthyAfterSeconds()),
                        (int) number(item, DEAD_AFTER, HeartbeatConfig.DEFAULT.deadAfterSeconds())),
                new Workload(
                        (int) number(item, LOAD, Workload.NOT_REPORTED),
                        (int) number(item, MAX_TASKS, Workload.NOT_DECLARED),
                        number(item, TASK_DIGEST, 0),
                        (int) number(item, TASK_COUNT, 0)),
                KeyHash.ofBytes(bytes(item, CREDENTIAL)),
                item.containsKey(DRAIN_DEADLINE)
                        ? new Drain(
                                moment(item, DRAIN_DEADLINE, Instant.MAX),
                                Duration.ofSeconds(number(item, DRAIN_TIMEOUT, 0)),
                                item.containsKey(DRAIN_HELD_LEASES))
                        : Drain.NONE,
                number(item, CLEAN_UP_OF, Pulse.NOTHING_TO_CLEAN_UP),
                moment(item, DRIFT_REPORTED, Instant.EPOCH),
                coordination(item));
    }

    public static LifecycleStatus status(Map<String, AttributeValue> item) {
        return StatusShard.status(text(item, STATUS));
    }

    public static boolean isCanary(Map<String, AttributeValue> item) {
        return item.containsKey(CANARY);
    }

    /** The key of an agent's row. */
    public static Map<String, AttributeValue> key(String agentId) {
        return Map.of(ID, s(agentId));
    }
}
