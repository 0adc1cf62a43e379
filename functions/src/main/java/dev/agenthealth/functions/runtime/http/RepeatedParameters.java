package dev.agenthealth.functions.runtime.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The query parameters that a request has more than once. API Gateway joins their values by commas, so only the query as sent shows the
 * repetition.
 *
 * @param counts the number of values by the name of a parameter
 */
record RepeatedParameters(Map<String, Long> counts) {

    /** No parameter. */
    static final RepeatedParameters NONE = new RepeatedParameters(Map.of());

    /** Returns the repeated parameters of a query as sent. */
    static RepeatedParameters of(String rawQuery) {
        if (rawQuery.indexOf('&') < 0) {
            return NONE;
        }
        Map<String, Long> counts = Arrays.stream(rawQuery.split("&"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.groupingBy(RepeatedParameters::name, Collectors.counting()));
        counts.values().removeIf(count -> count == 1);
        return new RepeatedParameters(counts);
    }

    private static String name(String part) {
        int end = part.indexOf('=');
        String name = end < 0 ? part : part.substring(0, end);
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    boolean has(String name) {
        return counts.containsKey(name);
    }

    /** Returns the error of a repeated parameter that has one value. */
    String rule(String name) {
        long count = counts.get(name);
        return "is given " + (count == 2 ? "twice" : count + " times") + "; a request has this parameter once";
    }
}
