package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.telemetry.Execution;
import dev.agenthealth.model.telemetry.SpanKey;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts executions that spans report, each span once in its slice, in whichever batches and how often it arrives. Thread-safe.
 *
 * <p>The parts of a slice that hold spans are numbered from {@link #FIRST_PART} on, and keep a hash of each span where others keep one of each
 * batch. Only the last part is open. A write adds spans that no part holds, if the last part still lacks them and is still open, or is exactly as it was
 * read: so a span that two requests have at once is counted by one of them.
 */
public final class SpanStore {

    /** The number of the first part of a slice that holds spans. Parts that hold batches never get there. */
    static final int FIRST_PART = 5_000;

    /** The bytes of a span's hash: among 100,000 spans of one slice, one is mistaken for another with a probability of 2 in 100,000. */
    private static final int HASH_BYTES = 4;

    /** A part with so many spans is closed: a typical part stays below 1 KB, which is one write unit for a request. */
    private static final int FULL = 64;

    /**
     * The maximum number of spans that one write adds. A part with values in all counters and buckets then stays below 3 KB, which is 3 write units, and
     * one for the index.
     */
    private static final int MAX_SPANS_OF_A_WRITE = 295;

    /** The maximum number of spans that a condition names one by one: an expression has at most 300 operators. */
    private static final int MAX_NAMED = 64;

    /** Repetitions under contention for one slice. */
    private static final int MAX_ATTEMPTS = 32;

    private final Database database;
    private final Table registry;

    public SpanStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** The last part of a slice that holds spans. */
    private record LastPart(int number, int spans, boolean closed, boolean sealable) {}

    /**
     * Counts executions of an agent that are not counted yet, and makes its health due.
     *
     * @param profile the agent's profile as it is now
     * @throws StorageBusyException where the storage stays busy; some executions may then be counted
     */
    public void count(Collection<Execution> executions, AgentProfile profile) {
        MeasurementWindow window = profile.window();
        Expectations expected = new Expectations(profile.expectations());
        Map<Slice, Map<SdkBytes, OutcomeCounts>> slices = new HashMap<>();
        for (Execution execution : executions) {
            slices.computeIfAbsent(window.sliceAt(execution.endedAt()), slice -> new LinkedHashMap<>())
                    .putIfAbsent(
                            hash(execution.span().key()),
                            OutcomeCounts.of(execution.outcome(), OutcomeSource.TELEMETRY, expected));
        }
        slices.forEach((slice, spans) -> count(profile.agentId(), slice, spans, window, expected));
    }

    private void count(
            String agentId,
            Slice slice,
            Map<SdkBytes, OutcomeCounts> spans,
            MeasurementWindow window,
            Expectations expected) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<LastPart> last = readLastAndRemoveCounted(agentId, slice, spans, expected);
            if (spans.isEmpty()) {
                return;
            }
            if (last.filter(LastPart::sealable).isPresent()) {
                seal(agentId, slice, last.get());
                continue;
            }
            boolean opens = last.isEmpty() || last.get().closed();
            int part = last.map(LastPart::number).orElse(FIRST_PART - 1) + (opens ? 1 : 0);
            List<SdkBytes> some =
                    spans.keySet().stream().limit(MAX_SPANS_OF_A_WRITE).toList();
            Update update = addition(agentId, slice, part, some, spans, window, expected)
                    .when(condition(some, opens ? 0 : last.get().spans(), expected));
            if (registry.update(update)) {
                some.forEach(spans::remove);
                attempt = 0;
            }
            if (spans.isEmpty()) {
                return;
            }
        }
        throw new StorageBusyException("counting spans of agent " + agentId);
    }

    private Optional<LastPart> readLastAndRemoveCounted(
            String agentId, Slice slice, Map<SdkBytes, OutcomeCounts> spans, Expectations expected) {
        String prefix = SliceItem.prefix(slice);
        Query parts = Query.partition(ItemKind.SLICE.partition(agentId))
                .between(prefix + FIRST_PART, prefix + "~")
                .project(Attributes.SK, SliceItem.BATCHES, SliceItem.SEALED, SliceItem.REVISION)
                .consistent();
        Optional<LastPart> last = Optional.empty();
        for (Map<String, AttributeValue> item : registry.all(parts)) {
            SliceItem.batches(item).forEach(spans::remove);
            int count = SliceItem.batchCount(item);
            boolean closed = count >= FULL || item.containsKey(SliceItem.SEALED);
            last = Optional.of(new LastPart(
                    SliceItem.part(item), count, closed, !closed && !SliceItem.isJudgedBy(item, expected)));
        }
        return last;
    }

    /** Closes a part whose outcomes were judged by other expectations, unless spans were added to it since it was read. */
    private void seal(String agentId, Slice slice, LastPart part) {
        registry.update(Update.of(SliceItem.key(agentId, slice, part.number()))
                .set(SliceItem.SEALED, n(1))
                .when(Condition.sizeEqual(SliceItem.BATCHES, part.spans())));
    }

    private Update addition(
            String agentId,
            Slice slice,
            int part,
            List<SdkBytes> some,
            Map<SdkBytes, OutcomeCounts> spans,
            MeasurementWindow window,
            Expectations expected) {
        OutcomeCounts counts = some.stream().map(spans::get).reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        Update update = Update.upsert(SliceItem.key(agentId, slice, part))
                .set(Attributes.EXPIRES, seconds(OutcomeStore.expiry(slice, window)))
                .set(SliceItem.REVISION, n(expected.revision()))
                .setDue(DueEntry.partition(agentId, database), DueEntry.AT_ONCE)
                .add(SliceItem.BATCHES, AttributeValue.fromBs(some));
        SliceItem.additions(counts).forEach((name, number) -> update.add(name, n(number)));
        return update;
    }

    /**
     * @param seen the number of spans that the part held when it was read; 0 for a part that is opened
     */
    private static Condition condition(List<SdkBytes> some, int seen, Expectations expected) {
        Condition open =
                Condition.equal(SliceItem.REVISION, n(expected.revision())).and(Condition.absent(SliceItem.SEALED));
        if (some.size() > MAX_NAMED) {
            return seen == 0
                    ? Condition.absent(SliceItem.BATCHES)
                    : Condition.sizeEqual(SliceItem.BATCHES, seen).and(open);
        }
        Condition condition = Condition.absent(SliceItem.BATCHES)
                .or(Condition.sizeLessThan(SliceItem.BATCHES, FULL).and(open));
        List<Condition> all = new ArrayList<>(List.of(condition));
        some.forEach(span -> all.add(SliceStore.lacks(span)));
        return all.stream().reduce(Condition.NONE, Condition::and);
    }

    private static SdkBytes hash(SpanKey span) {
        return SdkBytes.fromByteArray(Arrays.copyOf(Sha256.of(List.of(span.traceId(), span.spanId())), HASH_BYTES));
    }
}
