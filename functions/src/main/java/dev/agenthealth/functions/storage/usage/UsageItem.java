package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of items with tokens and calls. Each number is an attribute of its own, so that usage is added without a read. The name of the
 * attribute consists of the source, the counter, the provider and the model.
 */
final class UsageItem {

    /** The time for which usage is kept after its hour or day. */
    static final Duration RETENTION = Duration.ofDays(91);

    /** The part of an hour that the totals contain already. */
    static final String IN_TOTALS = "r";

    /** The beginning of the attributes of an hour with executions without usage. The digit of the source follows. */
    private static final String WITHOUT_USAGE = "w";

    private static final String PEAK = "p";
    private static final String SEPARATOR = "|";
    private static final int PARTS = 3;

    private UsageItem() {}

    static Map<String, AttributeValue> hourKey(String agentId, long hour) {
        return ItemKind.USAGE_HOUR.key(agentId, Attributes.padded(hour, 8));
    }

    static String hourSortKey(long hour) {
        return ItemKind.USAGE_HOUR.sortKey(Attributes.padded(hour, 8));
    }

    static Map<String, AttributeValue> dayKey(String agentId, long day) {
        return ItemKind.USAGE_DAY.key(agentId, Attributes.padded(day, 6));
    }

    static String daySortKey(long day) {
        return ItemKind.USAGE_DAY.sortKey(Attributes.padded(day, 6));
    }

    /** Adds usage to an item. */
    static Update addition(Map<String, AttributeValue> key, UsageSource source, Usage usage) {
        Update update = Update.upsert(key);
        add(update, source, usage);
        return update;
    }

    static void add(Update update, UsageSource source, Usage usage) {
        usage.byModel().forEach((model, numbers) -> numbers.numbers()
                .forEach((counter, number) -> update.add(name(source, counter, model), n(number))));
    }

    private static String name(UsageSource source, UsageCounter counter, ModelName model) {
        return "" + source.ordinal() + counter.ordinal() + SEPARATOR + model.provider() + SEPARATOR + model.model();
    }

    /** Stores the largest use of a limit by a single execution. Executions beyond a limit and executions near it do not replace each other. */
    static void setPeaks(Update update, HourUsage usage, UsageLimits limits) {
        usage.peaks()
                .forEach((limit, used) -> update.set(
                        PEAK
                                + limit.ordinal()
                                + SEPARATOR
                                + limits.level(limit, used).ordinal(),
                        n(used)));
    }

    /** Returns an hour with at least these executions without usage. The slices of the agent may have expired since they were counted. */
    static Map<String, AttributeValue> withExecutions(
            Map<String, AttributeValue> item, Map<UsageSource, Long> withoutUsage) {
        Map<String, AttributeValue> more = new HashMap<>(item);
        withoutUsage.forEach((source, number) -> {
            String name = WITHOUT_USAGE + source.ordinal();
            more.put(name, n(Math.max(number, Values.number(item, name, 0))));
        });
        return more;
    }

    /** Stores the executions without usage that are more than before. */
    static void setExecutions(Update update, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        for (UsageSource source : UsageSource.values()) {
            String name = WITHOUT_USAGE + source.ordinal();
            if (after.containsKey(name) && !after.get(name).equals(before.get(name))) {
                update.set(name, after.get(name));
            }
        }
    }

    /** Returns the usage of an item by source. */
    static HourUsage read(Map<String, AttributeValue> item) {
        Map<UsageSource, Map<ModelName, Map<UsageCounter, Long>>> sources = new EnumMap<>(UsageSource.class);
        item.forEach((name, value) -> {
            String[] parts = name.split("\\|", PARTS);
            if (parts.length == PARTS && parts[0].length() == 2) {
                UsageSource source = UsageSource.values()[parts[0].charAt(0) - '0'];
                UsageCounter counter = UsageCounter.values()[parts[0].charAt(1) - '0'];
                sources.computeIfAbsent(source, each -> new HashMap<>())
                        .computeIfAbsent(new ModelName(parts[2], parts[1]), each -> new EnumMap<>(UsageCounter.class))
                        .put(counter, Long.parseLong(value.n()));
            }
        });
        for (UsageSource source : UsageSource.values()) {
            long executions = Values.number(item, WITHOUT_USAGE + source.ordinal(), 0);
            if (executions > 0) {
                sources.computeIfAbsent(source, each -> new HashMap<>())
                        .computeIfAbsent(ModelName.UNKNOWN, each -> new EnumMap<>(UsageCounter.class))
                        .merge(UsageCounter.EXECUTIONS, executions, Long::sum);
            }
        }
        Map<UsageSource, Usage> usage = new EnumMap<>(UsageSource.class);
        sources.forEach((source, models) -> usage.put(source, usage(models)));
        return new HourUsage(usage, peaks(item));
    }

    private static Map<UsageLimit, Long> peaks(Map<String, AttributeValue> item) {
        Map<UsageLimit, Long> peaks = new EnumMap<>(UsageLimit.class);
        for (UsageLimit limit : UsageLimit.values()) {
            for (UsageLevel level : UsageLevel.values()) {
                long used = Values.number(item, PEAK + limit.ordinal() + SEPARATOR + level.ordinal(), 0);
                if (used > 0) {
                    peaks.merge(limit, used, Math::max);
                }
            }
        }
        return peaks;
    }

    private static Usage usage(Map<ModelName, Map<UsageCounter, Long>> models) {
        return models.entrySet().stream()
                .map(model -> Usage.of(model.getKey(), model.getValue()))
                .reduce(Usage.NONE, Usage::plus);
    }

    /** Returns usage as a text: a line for each model with its numbers, the provider and the model. */
    static String text(Usage usage) {
        return usage.byModel().entrySet().stream()
                .map(model -> numbers(model.getValue())
                        + SEPARATOR
                        + model.getKey().provider()
                        + SEPARATOR
                        + model.getKey().model())
                .collect(Collectors.joining("\n"));
    }

    private static String numbers(Counts<UsageCounter> numbers) {
        return Stream.of(UsageCounter.values())
                .map(counter -> Long.toString(numbers.get(counter)))
                .collect(Collectors.joining(","));
    }

    /** Returns the part of an hour that the totals contain already. */
    static Usage inTotals(Map<String, AttributeValue> item) {
        Usage usage = Usage.NONE;
        for (String line : Values.text(item, IN_TOTALS).split("\n")) {
            String[] parts = line.split("\\|", PARTS);
            if (parts.length == PARTS) {
                usage = usage.plus(Usage.of(new ModelName(parts[2], parts[1]), numbers(parts[0])));
            }
        }
        return usage;
    }

    private static Map<UsageCounter, Long> numbers(String text) {
        String[] numbers = text.split(",");
        Map<UsageCounter, Long> read = new EnumMap<>(UsageCounter.class);
        for (UsageCounter counter : UsageCounter.values()) {
            if (counter.ordinal() < numbers.length) {
                read.put(counter, Long.parseLong(numbers[counter.ordinal()]));
            }
        }
        return read;
    }
}
