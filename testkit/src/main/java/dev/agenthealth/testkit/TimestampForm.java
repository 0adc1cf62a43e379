package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The form of every timestamp that the system sends: UTC with three digits of milliseconds, so that texts sort like their times. */
final class TimestampForm {

    private static final Pattern TIMESTAMP = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern MILLIS = Pattern.compile(".*\\.\\d{3}Z");

    /** Fields with a caller's or an agent's own content. */
    private static final Set<String> FOREIGN_FIELDS = Set.of("metadata", "output", "message", "text");

    private TimestampForm() {}

    /** Returns the timestamps in a value that have another form. */
    static List<String> faults(JsonNode value) {
        List<String> faults = new ArrayList<>();
        collect("", value, faults);
        return faults;
    }

    private static void collect(String name, JsonNode value, List<String> faults) {
        if (value.isTextual()
                && TIMESTAMP.matcher(value.textValue()).matches()
                && !MILLIS.matcher(value.textValue()).matches()) {
            faults.add(name + ": " + value.textValue() + " has no three digits of milliseconds");
        }
        if (value.isArray()) {
            value.forEach(element -> collect(name, element, faults));
        }
        value.properties().forEach(field -> {
            if (!FOREIGN_FIELDS.contains(field.getKey())) {
                collect(field.getKey(), field.getValue(), faults);
            }
        });
    }
}
