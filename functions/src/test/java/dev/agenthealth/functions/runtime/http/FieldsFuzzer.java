package dev.agenthealth.functions.runtime.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Fields of bodies and queries, each read as every type: numbers, moments, texts, lists. */
public final class FieldsFuzzer {

    private static void read(Fields fields) {
        for (String name : fields.names()) {
            fields.text(name, 100);
            fields.id(name);
            fields.integer(name, -10, 10_000);
            fields.wholeNumber(name);
            fields.number(name);
            fields.flag(name, false);
            fields.timestamp(name).ifPresent(FieldsFuzzer::requireReadable);
            fields.texts(name, 10, 10);
            fields.integers(name, 10, 0, 10);
            fields.words(name, 10, 10, word -> Optional.empty());
            fields.ids(name, 10);
            fields.textOrEmpty(name, 10);
            fields.opaqueObject(name, 1_000);
            fields.objects(name, 10);
            fields.refuseChange(name, 7L);
            fields.refuseChange(name, Instant.EPOCH);
        }
    }

    private static void requireReadable(Instant moment) {
        if (!FieldValues.moment(moment.toString()).equals(Optional.of(moment))) {
            throw new AssertionError(moment);
        }
    }

    private FieldsFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            Fields body = Fields.ofBody(text);
            read(body);
            body.check();
        } catch (ApiError refused) {
            // Names the fields.
        }
        try {
            Fields query = Fields.ofQuery(Map.of("field", text), RepeatedParameters.of(text));
            read(query);
            query.refuseUnknown();
            query.check();
        } catch (ApiError refused) {
            // Names the fields.
        }
    }
}
