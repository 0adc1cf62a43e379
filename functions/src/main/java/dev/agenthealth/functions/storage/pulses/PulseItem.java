package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.runtime.schedule.ScheduleText;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatsSeen;
import dev.agenthealth.model.registry.lifecycle.LifecycleState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PersonWait;
import dev.agenthealth.model.registry.lifecycle.ProcessReport;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.PulseNumbers;
import dev.agenthealth.model.registry.lifecycle.RegistrationTerms;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ListedProfile;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The row of the pulses table. Each attribute name has one or two letters, because every heartbeat pays for each byte of the row and every
 * sweep reads it. A missing attribute stands for its default. This class owns the attribute names.
 */
public final class PulseItem {

    public static final String ID = "id";
    public static final String STATUS_SHARD = "x";

    static final String STATUS = "s";
    static final String STATUS_SINCE = "a";
    static final String INCARNATION = "c";
    static final String VERSION = "w";
    static final String HEARTBEAT_COUNT = "n";
    static final String SEQUENCE = "e";
    static final String LAST_HEARTBEAT = "h";
    static final String INTERVAL = "i";
    static final String UNHEALTHY_AFTER = "u";
    static final String DEAD_AFTER = "d";
    static final String LIFE_SIGNS = "ls";
    static final String LOAD = "l";
    static final String MAX_TASKS = "m";
    static final String TASK_LIST_HASH = "t";
    static final String TASK_COUNT = "tn";
    static final String CONTEXT = "cx";
    static final String CREDENTIAL = "k";
    static final String OWNER_KEY = "j";
    static final String DRAIN_DEADLINE = "g";
    static final String DRAIN_TIMEOUT = "gt";
    static final String DRAIN_HEARTBEATS_BEFORE = "gn";
    static final String DRAIN_REASON = "gr";
    static final String DRAIN_REQUESTED_BY = "gb";
    static final String CLEAN_UP_OF = "z";
    static final String CLEAN_UP_DEAD = "zx";
    static final String CLEAN_UP_DEREGISTERED = "zz";
    static final String CLEAN_UP_RESTARTED = "zr";
    static final String DRIFT_REPORTED = "f";
    static final String STARTED_AT = "st";
    static final String PENDING_DRAIN_TIMEOUT = "p";
    static final String PENDING_DRAIN_REASON = "pr";
    static final String PENDING_DRAIN_REQUESTED_BY = "pb";

    /** Present if the process has to restart after the drain. */
    static final String PENDING_RESTART = "pe";

    static final String PROVIDER_NUMBER = "o";
    static final String PLATFORM_NUMBER = "b";
    static final String RESTARTS_DEGRADE_UNTIL = "ru";
    static final String ROLE_NUMBER = "r";
    static final String DEFAULT_DRAIN_TIMEOUT = "dt";
    static final String BLOCKED_UNTIL = "bu";

    /** The last progress in milliseconds, times ten, plus a digit for the phase. */
    static final String ACTIVITY = "ac";

    /** The end of the last span that counts as progress; heartbeats leave it as it is. */
    static final String SPAN_ENDED = "ae";

    /** The times without progress that the agent declares: {@link StallAttributes}. */
    static final String STALL_CONFIG = "sa";

    /** The published stall: {@link StallAttributes}. */
    static final String STALL = "sp";

    /** The repeated calls in the last heartbeat: {@link LoopAttributes}. */
    static final String REPEATED = "rp";

    /** The repeated calls in spans: {@link LoopAttributes}; heartbeats leave them as they are. */
    static final String REPEATED_IN_SPANS = "rs";

    /** The number of repetitions that the agent declares: {@link LoopAttributes}. */
    static final String LOOP_CONFIG = "lc";

    /** The published loop: {@link LoopAttributes}. */
    static final String LOOP = "lo";

    /** The published level of usage: {@link UsageAttribute}. */
    static final String USAGE = "us";

    /** The action that followed because a limit is used up. Rows without an action lack it. */
    static final String LIMIT_ACTION = "ua";

    /** The sign of life for which the last heartbeat was sent, as a letter; absent if the agent sent it. */
    static final String SEEN_BY = "sb";

    /** Present if the declaration differs from the accepted declaration. */
    static final String DECLARATION_CHANGED = "dc";

    /** Present on rows of dead agents that an operator dismissed. */
    static final String DISMISSED = "di";

    /** Present if the last run that a ping reported failed. */
    static final String RUN_FAILED = "rf";

    /** The last end in milliseconds, times 100, plus a digit for the kind of author and one for the reason; absent if no end is known. */
    static final String LAST_END = "le";

    /** The hash of the stored text that says what the agent waits for; absent without a text. */
    static final String WAITS_FOR = "wf";

    /** The beginning of the longest wait of a task that the gateway saw; heartbeats leave it as it is. */
    static final String TASK_WAIT = "wt";

    /** The beginning of the published wait for a person; absent without one. */
    static final String PUBLISHED_WAIT = "wp";

    /** Health status and score in one number: the score in hundredths plus one, times ten, plus a digit for the status. */
    static final String HEALTH = "q";

    /** The part of the profile that lists show: {@link ListedAttribute}. */
    static final String LISTED = "lp";

    /** The interval in seconds at which the registry probes the agent; absent if the agent is not watched. */
    static final String WATCH = "wi";

    /** Present on rows of canaries only. */
    static final String CANARY = "y";

    /** The attributes of a heartbeat that changes no status: the next heartbeat writes them again. */
    public static final Set<String> HEARTBEAT_ATTRIBUTES =
            Set.of(LAST_HEARTBEAT, HEARTBEAT_COUNT, LOAD, TASK_COUNT, CONTEXT, STARTED_AT, ACTIVITY, REPEATED, SEEN_BY);

    private static final Map<SeenBy, String> SEEN_BY_LETTERS = Map.of(
            SeenBy.HEARTBEAT,
            "",
            SeenBy.PING,
            "p",
            SeenBy.PROBE,
            "w",
            SeenBy.CALL,
            "c",
            SeenBy.OUTCOME,
            "o",
            SeenBy.SPAN,
            "s");

    private static final Map<String, SeenBy> SEEN_BY_OF_LETTERS =
            SEEN_BY_LETTERS.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    private PulseItem() {}

    /** Returns the row of a pulse and a health summary, with the part of the profile that rows repeat. */
    public static Map<String, AttributeValue> of(Pulse pulse, HealthSummary health, AgentProfile profile) {
        Map<String, AttributeValue> item = of(pulse, health, profile.listed());
        putNumber(item, WATCH, profile.watch().intervalSeconds(), Watch.NOT_WATCHED);
        return item;
    }

    /** Returns the row of a pulse and a health summary, with the part of the profile that lists show. */
    public static Map<String, AttributeValue> of(Pulse pulse, HealthSummary health, ListedProfile profile) {
        Map<String, AttributeValue> item = of(pulse, health);
        ListedAttribute.put(item, profile);
        return item;
    }

    /** Returns the row of a pulse and a health summary. */
    public static Map<String, AttributeValue> of(Pulse pulse, HealthSummary health) {
        Map<String, AttributeValue> item = of(pulse);
        HealthAttributes.put(item, health);
        return item;
    }

    /** Returns the row of a pulse without a health summary. */
    public static Map<String, AttributeValue> of(Pulse pulse) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(ID, s(pulse.agentId()));
        item.put(Attributes.SCHEMA_NUMBER, n(Attributes.SCHEMA));
        item.put(STATUS, s(StatusShard.code(pulse.status())));
        item.put(STATUS_SHARD, s(StatusShard.of(pulse.status(), pulse.agentId())));
        item.put(STATUS_SINCE, moment(pulse.statusSince()));
        item.put(INCARNATION, n(pulse.incarnation()));
        item.put(VERSION, n(pulse.version()));
        item.put(HEARTBEAT_COUNT, n(pulse.heartbeatCount()));
        item.put(SEQUENCE, n(pulse.sequence()));
        item.put(LAST_HEARTBEAT, moment(pulse.lastHeartbeatAt()));
        item.put(INTERVAL, n(pulse.config().intervalSeconds()));
        item.put(UNHEALTHY_AFTER, n(pulse.config().unhealthyAfterSeconds()));
        item.put(DEAD_AFTER, n(pulse.config().deadAfterSeconds()));
        putText(item, LIFE_SIGNS, ScheduleText.of(pulse.config().lifeSigns()));
        putWorkload(item, pulse.workload());
        item.putAll(owner(pulse.owner()));
        DrainAttributes.put(item, pulse.drain());
        EndAttributes.put(item, pulse);
        putNumber(item, DRIFT_REPORTED, pulse.driftReportedAt().toEpochMilli(), 0);
        DrainAttributes.put(item, pulse.coordination());
        putNumber(item, STARTED_AT, pulse.startedAt().toEpochMilli(), 0);
        StallAttributes.put(item, pulse);
        putNumber(item, WAITS_FOR, pulse.personWait().forHash(), 0);
        if (pulse.personWait().taskSince().isBefore(Instant.MAX)) {
            item.put(TASK_WAIT, moment(pulse.personWait().taskSince()));
        }
        putNumber(item, PUBLISHED_WAIT, pulse.publishedWait().toEpochMilli(), 0);
        LoopAttributes.put(item, pulse);
        putText(item, USAGE, UsageAttribute.text(pulse.usage()));
        putText(item, LIMIT_ACTION, UsageAttribute.action(pulse.usage()));
        putText(item, SEEN_BY, SEEN_BY_LETTERS.get(pulse.seenBy()));
        putNumber(item, DECLARATION_CHANGED, pulse.declarationChanged() ? 1 : 0, 0);
        putNumber(item, DISMISSED, pulse.dismissed() ? 1 : 0, 0);
        putNumber(item, RUN_FAILED, pulse.failedRun().ordinal(), 0);
        return item;
    }

    /** Returns the attributes of an owner. */
    static Map<String, AttributeValue> owner(Owner owner) {
        Map<String, AttributeValue> item = new HashMap<>();
        if (!owner.credential().isNone()) {
            item.put(CREDENTIAL, b(owner.credential().bytes()));
        }
        CompactKeyId.put(item, OWNER_KEY, owner.keyId());
        return item;
    }

    private static Owner owner(Map<String, AttributeValue> item) {
        return new Owner(CompactKeyId.read(item, OWNER_KEY), KeyHash.ofBytes(bytes(item, CREDENTIAL)));
    }

    private static void putWorkload(Map<String, AttributeValue> item, Workload workload) {
        putNumber(item, LOAD, workload.load(), Workload.NOT_REPORTED);
        putNumber(item, MAX_TASKS, workload.maxConcurrentTasks(), Workload.NOT_DECLARED);
        putNumber(item, TASK_LIST_HASH, workload.taskListHash(), 0);
        putNumber(item, TASK_COUNT, workload.taskCount(), 0);
        putNumber(item, CONTEXT, workload.contextPercent(), Workload.NOT_REPORTED);
    }

    public static Pulse read(Map<String, AttributeValue> item) {
        return new Pulse(
                text(item, ID),
                new PulseNumbers(number(item, INCARNATION, 1), number(item, VERSION, 1), number(item, SEQUENCE, 0)),
                new LifecycleState(
                        status(item),
                        moment(item, STATUS_SINCE, Instant.EPOCH),
                        DrainAttributes.drain(item),
                        EndAttributes.cleanUp(item),
                        item.containsKey(DISMISSED),
                        EndAttributes.lastEnd(item)),
                new HeartbeatsSeen(
                        moment(item, LAST_HEARTBEAT, Instant.EPOCH),
                        number(item, HEARTBEAT_COUNT, 0),
                        seenBy(text(item, SEEN_BY))),
                new RegistrationTerms(owner(item), config(item), DrainAttributes.coordination(item)),
                new ProcessReport(
                        workload(item),
                        StallAttributes.activity(item),
                        moment(item, STARTED_AT, ProcessStart.UNKNOWN),
                        new PersonWait((int) number(item, WAITS_FOR, 0), moment(item, TASK_WAIT, Instant.MAX))),
                new PublishedFindings(
                        moment(item, DRIFT_REPORTED, Instant.EPOCH),
                        StallAttributes.published(item),
                        item.containsKey(DECLARATION_CHANGED),
                        failedRun(number(item, RUN_FAILED, 0)),
                        moment(item, PUBLISHED_WAIT, PublishedFindings.NO_WAIT),
                        LoopAttributes.published(text(item, LOOP)),
                        UsageAttribute.read(text(item, USAGE), text(item, LIMIT_ACTION))));
    }

    private static FailedRun failedRun(long stored) {
        FailedRun[] values = FailedRun.values();
        return values[(int) Math.min(stored, values.length - 1)];
    }

    private static HeartbeatConfig config(Map<String, AttributeValue> item) {
        return new HeartbeatConfig(
                (int) number(item, INTERVAL, HeartbeatConfig.DEFAULT.intervalSeconds()),
                (int) number(item, UNHEALTHY_AFTER, HeartbeatConfig.DEFAULT.unhealthyAfterSeconds()),
                (int) number(item, DEAD_AFTER, HeartbeatConfig.DEFAULT.deadAfterSeconds()),
                StallAttributes.config(text(item, STALL_CONFIG)),
                ScheduleText.read(text(item, LIFE_SIGNS)),
                LoopAttributes.config(text(item, LOOP_CONFIG)));
    }

    private static Workload workload(Map<String, AttributeValue> item) {
        return new Workload(
                (int) number(item, LOAD, Workload.NOT_REPORTED),
                (int) number(item, MAX_TASKS, Workload.NOT_DECLARED),
                number(item, TASK_LIST_HASH, 0),
                (int) number(item, TASK_COUNT, 0),
                (int) number(item, CONTEXT, Workload.NOT_REPORTED));
    }

    private static SeenBy seenBy(String letter) {
        return SEEN_BY_OF_LETTERS.getOrDefault(letter, SeenBy.HEARTBEAT);
    }

    /** Returns the row as the sweep reads it. */
    static FleetRow readFleetRow(Map<String, AttributeValue> item) {
        return new FleetRow(read(item), HealthAttributes.read(item), watchSeconds(item));
    }

    /** Returns the interval in seconds at which the registry probes the agent; {@link Watch#NOT_WATCHED} if it does not. */
    public static int watchSeconds(Map<String, AttributeValue> item) {
        return (int) number(item, WATCH, Watch.NOT_WATCHED);
    }

    /** Returns the row as lists read it. */
    static PulseRow readRow(Map<String, AttributeValue> item) {
        return new PulseRow(read(item), HealthAttributes.read(item), ListedAttribute.read(item));
    }

    public static LifecycleStatus status(Map<String, AttributeValue> item) {
        return StatusShard.status(text(item, STATUS));
    }

    public static boolean isCanary(Map<String, AttributeValue> item) {
        return item.containsKey(CANARY);
    }

    public static Map<String, AttributeValue> key(String agentId) {
        return Map.of(ID, s(agentId));
    }
}
