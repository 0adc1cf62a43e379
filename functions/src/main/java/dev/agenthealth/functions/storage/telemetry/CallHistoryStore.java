package dev.agenthealth.functions.storage.telemetry;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.registry.telemetry.CallCycle;
import dev.agenthealth.model.registry.telemetry.CallHistory;
import dev.agenthealth.model.registry.telemetry.ExecutionCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the last calls of each agent by its spans, as hashes. Thread-safe. */
public final class CallHistoryStore {

    /** The time after which a history is removed. It is longer than any repetition counts. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private static final String LINE = "\n";
    private static final String PART = " ";
    private static final String NUMBER_OF_LIST = ",";
    private static final int BASE = 36;
    private static final int PARTS_OF_CYCLE = 4;

    private record Stored(long incarnation, CallHistory history) {}

    private static final Codec<Stored> STORED = new Codec<>();
    private static final Attribute<Long> INCARNATION = STORED.always("inc", NUMBER, Stored::incarnation);
    private static final Attribute<CallHistory> CALLS = STORED.always(
            "calls", TEXT.as(CallHistory.NONE, CallHistoryStore::text, CallHistoryStore::read), Stored::history);

    private final Database database;
    private final Table registry;

    public CallHistoryStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns the history of an incarnation of an agent as of now; {@link CallHistory#NONE} if none is stored. */
    public CallHistory find(String agentId, long incarnation) {
        Map<String, AttributeValue> item = registry.get(ItemKind.CALL_HISTORY.key(agentId), true);
        return !item.isEmpty() && INCARNATION.of(item) == incarnation ? CALLS.of(item) : CallHistory.NONE;
    }

    /** Stores the history of an incarnation. Returns {@code false} if the stored history is no longer as it was read. */
    public boolean put(String agentId, long incarnation, CallHistory before, CallHistory after) {
        Map<String, AttributeValue> item =
                STORED.item(ItemKind.CALL_HISTORY.key(agentId), new Stored(incarnation, after));
        item.put(Attributes.EXPIRES, Values.seconds(database.now().plus(RETENTION)));
        return registry.put(
                item,
                before.equals(CallHistory.NONE)
                        ? Condition.absent(Attributes.PK)
                                .or(INCARNATION.is(incarnation).not())
                        : INCARNATION.is(incarnation).and(CALLS.is(before)));
    }

    private static String text(CallHistory history) {
        return history.executions().stream()
                .map(execution -> String.join(
                        PART,
                        Long.toString(execution.trace(), BASE),
                        Long.toUnsignedString(execution.endNanos(), BASE),
                        execution.spanId(),
                        text(execution.tools()),
                        text(execution.models())))
                .collect(Collectors.joining(LINE));
    }

    private static String text(CallCycle cycle) {
        return String.join(
                PART,
                numbers(cycle.last().stream().map(Long::longValue).toList()),
                numbers(cycle.matches().stream().map(Integer::longValue).toList()),
                Long.toString(cycle.since().toEpochMilli(), BASE),
                cycle.name());
    }

    private static String numbers(List<Long> numbers) {
        return numbers.stream().map(number -> Long.toString(number, BASE)).collect(Collectors.joining(NUMBER_OF_LIST));
    }

    private static CallHistory read(String text) {
        return new CallHistory(
                text.isEmpty()
                        ? List.of()
                        : Arrays.stream(text.split(LINE))
                                .map(CallHistoryStore::execution)
                                .toList());
    }

    private static ExecutionCalls execution(String line) {
        String[] parts = line.split(PART, -1);
        return new ExecutionCalls(
                Long.parseLong(parts[0], BASE),
                Long.parseUnsignedLong(parts[1], BASE),
                parts[2],
                cycle(parts, 3),
                cycle(parts, 3 + PARTS_OF_CYCLE));
    }

    private static CallCycle cycle(String[] parts, int from) {
        return new CallCycle(
                numbers(parts[from]),
                numbers(parts[from + 1]).stream().map(Long::intValue).toList(),
                Instant.ofEpochMilli(Long.parseLong(parts[from + 2], BASE)),
                parts[from + 3]);
    }

    private static List<Long> numbers(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(NUMBER_OF_LIST))
                        .map(number -> Long.parseLong(number, BASE))
                        .toList();
    }
}
