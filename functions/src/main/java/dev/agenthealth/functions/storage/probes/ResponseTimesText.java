package dev.agenthealth.functions.storage.probes;

import static java.util.stream.Collectors.joining;

import dev.agenthealth.model.registry.profile.ResponseTimes;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Converts response times to a text of about 500 characters: numbers in base 36, in one group for each hour. A state then stays below one
 * write unit.
 */
final class ResponseTimesText {

    private static final int BASE = 36;
    private static final String SEPARATOR = ",";
    private static final Pattern GROUPS = Pattern.compile(SEPARATOR);
    private static final Pattern NUMBERS = Pattern.compile("\\.");

    private ResponseTimesText() {}

    static String of(ResponseTimes times) {
        return times.byHour().entrySet().stream()
                .map(hour -> text(hour.getKey(), hour.getValue()))
                .collect(joining(SEPARATOR));
    }

    private static String text(long hour, ResponseTimes.Range range) {
        return String.join(
                ".", text(hour), text(range.count()), text(range.sum()), text(range.min()), text(range.max()));
    }

    private static String text(long number) {
        return Long.toString(number, BASE);
    }

    static ResponseTimes read(String text) {
        SortedMap<Long, ResponseTimes.Range> byHour = new TreeMap<>();
        GROUPS.splitAsStream(text).forEach(group -> {
            long[] n = NUMBERS.splitAsStream(group)
                    .mapToLong(number -> Long.parseLong(number, BASE))
                    .toArray();
            byHour.put(n[0], new ResponseTimes.Range(Math.toIntExact(n[1]), n[2], n[3], n[4]));
        });
        return new ResponseTimes(byHour);
    }
}
