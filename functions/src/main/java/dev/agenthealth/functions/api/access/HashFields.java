package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.identity.KeyHash;
import java.util.Optional;

/** Reads hashes of secrets in documents. Records errors on the fields. */
public final class HashFields {

    private static final int DIGITS = 64;
    private static final String RULE = "must be 64 hexadecimal digits in lower case";

    private HashFields() {}

    /** Returns the hash in a field; empty if the field is absent or invalid. */
    public static Optional<KeyHash> read(Fields fields, String field) {
        String text = fields.text(field, DIGITS);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (!text.matches("[0-9a-f]{" + DIGITS + "}")) {
            fields.refuse(field, RULE);
            return Optional.empty();
        }
        return Optional.of(KeyHash.ofHex(text));
    }
}
