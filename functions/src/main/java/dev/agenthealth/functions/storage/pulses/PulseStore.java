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
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The reads and writes of heartbeats. Thread-safe. */
public final class PulseStore {

    /** Rows in sequence that show how many of all agents match. */
    public static final int SAMPLE = 100;

    /**
     * Rows in sequence are read where at least one in this many matches: a row costs at most 0.075 read units so, and half a unit where it is
     * read alone.
     */
    public static final int MAX_ROWS_PER_MATCH = 4;

    /** Fewer rows are read one by one without a sample. */
    private static final int MIN_FOR_SEQUENCE = 2 * SAMPLE;

    /** Rows of one request in sequence. */
    private static final int MAX_ROWS = 1_000;

    private final Table pulses;

    public PulseStore(Database database) {
        this.pulses = database.pulses();
    }

    /**
     * Counts a heartbeat that an agent sends, if it changes no status and comes with the key that registered the agent, from the incarnation that it names. One
     * request, one write unit: the returned row answers everything else.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException where conflicts last longer than requests are retried
     */
    public HeartbeatResult recordHeartbeat(String agentId, KeyHash key, Heartbeat heartbeat, Instant now) {
        Update update = Update.of(PulseItem.key(agentId))
                .set(PulseItem.LAST_HEARTBEAT, moment(now))
                .add(PulseItem.HEARTBEAT_COUNT, n(1))
                .when(PulseWrites.isNotOvertaken(now))
                .when(Condition.equal(PulseItem.CREDENTIAL, b(key.bytes())))
                .when(
                        heartbeat.draining()
                                ? PulseWrites.statusIs(LifecycleStatus.DRAINING)
                                : PulseWrites.statusIn(LifecycleStatus.ACTIVE, LifecycleStatus.DRAINING));
        if (heartbeat.incarnation() != Pulse.ANY_INCARNATION) {
            update.when(PulseWrites.incarnationIs(heartbeat.incarnation()));
        }
        if (heartbeat.load() != Workload.NOT_REPORTED) {
            update.set(PulseItem.LOAD, n(heartbeat.load()));
        }
        if (heartbeat.reportsTasks()) {
            // The list follows in a write of its own; until then the number alone keeps the sweep from ending a drain.
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
     * Counts a heartbeat that the registry sends for an agent that is active or draining; {@code false} where the pulse is no longer as it was read.
     * One request, one write unit.
     */
    public boolean recordHeartbeatOfRegistry(Pulse seen, SeenBy by, Instant now) {
        return pulses.update(PulseWrites.heartbeatOfRegistry(seen, seen.withHeartbeat(Heartbeat.ofRegistry(by), now)));
    }

    /**
     * Stores that a span ended that counts as progress; {@code false} where another one was stored since, or the agent registered again. One request,
     * one write unit.
     */
    public boolean recordProgress(Pulse seen, Instant spanEndedAt) {
        return pulses.update(PulseWrites.progress(seen, spanEndedAt));
    }

    /** The pulse of an agent as of now; empty where it has none. */
    public Optional<Pulse> find(String agentId) {
        return pulses.find(PulseItem.key(agentId)).map(PulseItem::read);
    }

    /**
     * The rows of these agents, in no particular order, eventually consistent; agents without one are left out. Many that are a large part of all
     * agents are read in sequence.
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
     * @param rows the agents' rows, without those of canaries
     * @param rowsRead how many rows were read
     * @param readUpTo the id of the last row; empty where the table ends
     */
    public record Sequence(List<PulseRow> rows, int rowsRead, String readUpTo) {}

    /**
     * Reads rows in the table's own order, eventually consistent: one request, a fraction of the units of reading them one by one.
     *
     * @param afterId the row after which to begin, which may be gone; empty for the first
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
