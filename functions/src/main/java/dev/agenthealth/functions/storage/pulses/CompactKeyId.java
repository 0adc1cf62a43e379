package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import com.github.f4b6a3.ulid.Ulid;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The id of a key on a row: the 16 bytes of its ULID, or the text of an id of another form. */
final class CompactKeyId {

    private static final String PREFIX = "key_";

    private CompactKeyId() {}

    static AttributeValue of(String keyId) {
        String ulid = keyId.startsWith(PREFIX) ? keyId.substring(PREFIX.length()) : "";
        // Only the canonical form can be read back.
        return Ulid.isValid(ulid) && Ulid.from(ulid).toString().equals(ulid)
                ? b(Ulid.from(ulid).toBytes())
                : s(keyId);
    }

    /** Puts the id under this name, unless it is empty. */
    static void put(Map<String, AttributeValue> item, String name, String keyId) {
        if (!keyId.isEmpty()) {
            item.put(name, of(keyId));
        }
    }

    /** The id under this name; empty where there is none. */
    static String read(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        if (value == null) {
            return "";
        }
        return value.b() == null ? value.s() : PREFIX + Ulid.from(value.b().asByteArray());
    }
}
