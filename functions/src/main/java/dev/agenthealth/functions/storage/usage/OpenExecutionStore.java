package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.telemetry.OpenExecutions;
import dev.agenthealth.model.registry.telemetry.OpenExecutions.Sum;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the tokens and calls of executions that may still go on, for agents with a limit for a single execution. Thread-safe. */
public final class OpenExecutionStore {

    /** The time without calls after which the sums of an agent are removed. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private static final List<UsageCounter> COUNTERS = List.of(
            UsageCounter.INPUT_TOKENS,
            UsageCounter.OUTPUT_TOKENS,
            UsageCounter.CACHE_READ_TOKENS,
            UsageCounter.MODEL_CALLS);
    private static final String LINE = "\n";
    private static final String PART = " ";
    private static final int BASE = 36;
    private static final int FIRST_NUMBER = 3;

    private static final Codec<OpenExecutions> STORED = new Codec<>();
    private static final Attribute<OpenExecutions> SUMS = STORED.always(
            "x", TEXT.as(OpenExecutions.NONE, OpenExecutionStore::text, OpenExecutionStore::read), Function.identity());

    private final Database database;

    public OpenExecutionStore(Database database) {
        this.database = database;
    }

    /** Returns the sums of an agent, strongly consistent. */
    public OpenExecutions find(String agentId) {
        Map<String, AttributeValue> item = database.registry().get(ItemKind.OPEN_EXECUTIONS.key(agentId), true);
        return SUMS.of(item);
    }

    /** Adds the write of the sums, which fails if they are no longer as they were read. */
    public void put(Transaction transaction, String agentId, OpenExecutions before, OpenExecutions after) {
        Map<String, AttributeValue> item = STORED.item(ItemKind.OPEN_EXECUTIONS.key(agentId), after);
        item.put(Attributes.EXPIRES, Values.seconds(database.now().plus(RETENTION)));
        transaction.put(
                database.registry(),
                item,
                before.equals(OpenExecutions.NONE) ? Condition.absent(Attributes.PK) : SUMS.is(before));
    }

    private static String text(OpenExecutions executions) {
        return executions.sums().stream().map(OpenExecutionStore::text).collect(Collectors.joining(LINE));
    }

    private static String text(Sum sum) {
        List<String> parts =
                new ArrayList<>(List.of(sum.span().traceId(), sum.span().spanId(), sum.ended() ? "1" : "0"));
        COUNTERS.forEach(counter -> parts.add(Long.toString(sum.numbers().get(counter), BASE)));
        return String.join(PART, parts);
    }

    private static OpenExecutions read(String text) {
        return new OpenExecutions(
                text.isEmpty()
                        ? List.of()
                        : Arrays.stream(text.split(LINE))
                                .map(OpenExecutionStore::sum)
                                .toList());
    }

    private static Sum sum(String line) {
        String[] parts = line.split(PART);
        Map<UsageCounter, Long> numbers = new EnumMap<>(UsageCounter.class);
        for (int i = 0; i < COUNTERS.size(); i++) {
            numbers.put(COUNTERS.get(i), Long.parseLong(parts[FIRST_NUMBER + i], BASE));
        }
        return new Sum(new SpanKey(parts[0], parts[1]), new Counts<>(numbers), parts[2].equals("1"));
    }
}
