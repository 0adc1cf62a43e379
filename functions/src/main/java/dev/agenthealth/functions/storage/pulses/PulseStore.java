package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Counts heartbeats on the rows of agents, and reads rows: one, several, or many in sequence. Thread-safe. */
public final class PulseStore {

    /** The number of rows read in sequence to find out how many of all agents match. */
    public static final int SAMPLE = 100;

    /**
     * The threshold for reading rows in sequence: at least one in this many rows must match. A row costs at most 0.075 read units in
     * sequence, and half a unit if it is read alone.
     */
    public static final int MAX_ROWS_PER_MATCH = 4;

    /** The minimum number of rows for a sample; fewer rows are read one by one. */
    private static final int MIN_FOR_SEQUENCE = 2 * SAMPLE;

    /** The maximum number of rows of one request in sequence. */
    private static final int MAX_ROWS = 1_000;

    private static final AttributeValue ONE = n(1);
    private static final Condition DRAINING = PulseConditions.statusIs(LifecycleStatus.DRAINING);
    private static final Condition ACTIVE_OR_DRAINING =
            PulseConditions.statusIn(LifecycleStatus.ACTIVE, LifecycleStatus.DRAINING);

    private final Table pulses;

    public PulseStore(Database database) {
        this.pulses = database.pulses();
    }

    /**
     * Counts a heartbeat of an agent, if the heartbeat changes no status. It must have the key that registered the agent, and come from the
     * incarnation that it names. Costs one request and one write unit: the returned row answers everything else.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if conflicts last longer than requests are retried
     */
    public HeartbeatResult recordHeartbeat(String agentId, KeyHash key, Heartbeat heartbeat, Instant now) {
        Update update = Update.of(PulseItem.key(agentId))
                .set(PulseItem.LAST_HEARTBEAT, moment(now))
                .add(PulseItem.HEARTBEAT_COUNT, ONE)
                .when(PulseConditions.isNotOvertaken(now))
                .when(Condition.equal(PulseItem.CREDENTIAL, b(key.bytes())))
                .when(heartbeat.draining() ? DRAINING : ACTIVE_OR_DRAINING);
        if (heartbeat.incarnation() != Pulse.ANY_INCARNATION) {
            update.when(PulseConditions.incarnationIs(heartbeat.incarnation()));
        }
        if (heartbeat.load() != Workload.NOT_REPORTED) {
            update.set(PulseItem.LOAD, n(heartbeat.load()));
        }
        if (heartbeat.contextPercent() != Workload.NOT_REPORTED) {
            update.set(PulseItem.CONTEXT, n(heartbeat.contextPercent()));
        }
        if (heartbeat.reportsTasks()) {
            // A separate write stores the list. Until then, the number alone prevents the sweep from ending a drain.
            update.set(PulseItem.TASK_COUNT, n(heartbeat.tasks().size()));
        }
        Instant startedAt = ProcessStart.accepted(heartbeat.startedAt(), now);
        if (ProcessStart.isKnown(startedAt)) {
            update.set(PulseItem.STARTED_AT, moment(startedAt));
        }
        Activity activity = heartbeat.activity().at(now);
        if (activity.isRunning()) {
            update.set(PulseItem.ACTIVITY, StallAttributes.activity(activity));
        } else {
            update.remove(PulseItem.ACTIVITY);
        }
        if (activity.repeated().isRepeated()) {
            update.set(PulseItem.REPEATED, LoopAttributes.reported(activity.repeated()));
        } else {
            update.remove(PulseItem.REPEATED);
        }
        update.remove(PulseItem.SEEN_BY);
        UpdateResult result = pulses.updateAndGet(update);
        if (result.item().isEmpty()) {
            return new HeartbeatResult.NoPulse();
        }
        Pulse pulse = PulseItem.read(result.item());
        return result.applied()
                ? new HeartbeatResult.Counted(pulse, result.retried())
                : new HeartbeatResult.NotCounted(pulse);
    }

    /**
     * Counts a heartbeat that the registry sends for an active or draining agent. Returns {@code false} if the pulse is no longer as it was
     * read. Costs one request and one write unit.
     */
    public boolean recordHeartbeatOfRegistry(Pulse seen, SeenBy by, Instant now) {
        return pulses.update(PulseWrites.heartbeatOfRegistry(seen, seen.withHeartbeat(Heartbeat.ofRegistry(by), now)));
    }

    /**
     * Stores the end of a span that counts as progress. Returns {@code false} if another end was stored since, or the agent registered
     * again. Costs one request and one write unit.
     */
    public boolean recordProgress(Pulse seen, Instant spanEndedAt) {
        return pulses.update(FindingWrites.progress(seen, spanEndedAt));
    }

    /**
     * Stores the repetition of calls in spans. Returns {@code false} if another repetition was stored since, or the agent registered again or
     * ended. Costs one request and one write unit.
     */
    public boolean recordRepetition(Pulse seen, Repetition inSpans) {
        return pulses.update(FindingWrites.repetition(seen, inSpans));
    }

    /** Returns the pulse of an agent as of now; empty if it has none. */
    public Optional<Pulse> find(String agentId) {
        return pulses.find(PulseItem.key(agentId)).map(PulseItem::read);
    }

    /**
     * Returns the rows of these agents, in no particular order, eventually consistent. Agents without a row are left out. If the agents are
     * many and a large part of all agents, the rows are read in sequence.
     */
    public List<PulseRow> findAll(List<String> agentIds) {
        if (agentIds.size() >= MIN_FOR_SEQUENCE) {
            Set<String> wanted = Set.copyOf(agentIds);
            Sequence sample = inSequence("", SAMPLE);
            long matches =
                    sample.rows().stream().filter(row -> isOf(row, wanted)).count();
            if (matches * MAX_ROWS_PER_MATCH >= sample.rowsRead()) {
                return inSequence(sample, wanted);
            }
        }
        return pulses.getAll(agentIds.stream().map(PulseItem::key).toList(), false).stream()
                .filter(row -> !PulseItem.isCanary(row))
                .map(PulseItem::readRow)
                .toList();
    }

    private List<PulseRow> inSequence(Sequence first, Set<String> wanted) {
        List<PulseRow> found = new ArrayList<>();
        Sequence read = first;
        while (true) {
            read.rows().stream().filter(row -> isOf(row, wanted)).forEach(found::add);
            if (read.readUpTo().isEmpty()) {
                return found;
            }
            read = inSequence(read.readUpTo(), MAX_ROWS);
        }
    }

    private static boolean isOf(PulseRow row, Set<String> agentIds) {
        return agentIds.contains(row.pulse().agentId());
    }

    /**
     * Rows that were read in sequence.
     *
     * @param rows the agents' rows, without rows of canaries
     * @param rowsRead the number of rows that were read
     * @param readUpTo the id of the last row; empty at the end of the table
     */
    public record Sequence(List<PulseRow> rows, int rowsRead, String readUpTo) {}

    /**
     * Reads rows in the table's own order, eventually consistent. Costs one request, and a fraction of the units of single reads.
     *
     * @param afterId the row after which the read begins, which may be gone; empty for the first row
     * @param limit the maximum number of rows
     */
    public Sequence inSequence(String afterId, int limit) {
        Page page = pulses.scan(limit, afterId.isEmpty() ? Map.of() : PulseItem.key(afterId));
        return new Sequence(
                page.items().stream()
                        .filter(row -> !PulseItem.isCanary(row))
                        .map(PulseItem::readRow)
                        .toList(),
                page.items().size(),
                Values.text(page.lastKey(), PulseItem.ID));
    }
}
