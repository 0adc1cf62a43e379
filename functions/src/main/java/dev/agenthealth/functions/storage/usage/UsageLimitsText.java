package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stores limits in a short text, such as {@code 0:10000,4:600;0;2}: the limits by their position, whether cached tokens count, and the position of
 * the action.
 */
public final class UsageLimitsText {

    /** The type of an attribute with limits; {@link UsageLimits#NONE} if it is missing. */
    public static final AttributeType<UsageLimits> TYPE =
            TEXT.as(UsageLimits.NONE, UsageLimitsText::of, UsageLimitsText::read);

    private UsageLimitsText() {}

    /** Returns the text of declared limits. */
    public static String of(UsageLimits limits) {
        String numbers = Stream.of(UsageLimit.values())
                .flatMap(limit -> limits.get(limit).map(number -> limit.ordinal() + ":" + number).stream())
                .collect(Collectors.joining(","));
        return numbers + ";" + (limits.countCached() ? 1 : 0) + ";"
                + limits.onExceeded().ordinal();
    }

    /** Returns the limits of a text. */
    public static UsageLimits read(String text) {
        String[] parts = text.split(";");
        Map<UsageLimit, Long> numbers = new EnumMap<>(UsageLimit.class);
        for (String number : parts[0].split(",")) {
            int end = number.indexOf(':');
            if (end > 0) {
                numbers.put(
                        UsageLimit.values()[Integer.parseInt(number.substring(0, end))],
                        Long.parseLong(number.substring(end + 1)));
            }
        }
        return new UsageLimits(numbers, parts[1].equals("1"), OnExceeded.values()[Integer.parseInt(parts[2])]);
    }
}
