package dev.agenthealth.emulator.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The headers of a request by their names in lower case. Not thread-safe. */
final class Headers extends HashMap<String, List<String>> {

    private static final long serialVersionUID = 1L;

    /** Returns the headers; the same object if their names are in lower case. */
    static Headers of(Map<String, List<String>> headers) {
        if (headers instanceof Headers same) {
            return same;
        }
        Headers lower = new Headers();
        headers.forEach((name, values) -> values.forEach(value -> lower.add(name.toLowerCase(Locale.ROOT), value)));
        return lower;
    }

    /** Adds a value after the other values of the header. */
    void add(String lowerCaseName, String value) {
        List<String> before = put(lowerCaseName, List.of(value));
        if (before != null) {
            List<String> all = new ArrayList<>(before);
            all.add(value);
            put(lowerCaseName, all);
        }
    }
}
