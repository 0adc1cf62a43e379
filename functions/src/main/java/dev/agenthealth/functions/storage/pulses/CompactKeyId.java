package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import com.github.f4b6a3.ulid.Ulid;
import dev.agenthealth.model.identity.Grant;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The id of an owner on a row. It is the 16 bytes of the ULID of a key, the 10 bytes of a person, or the owner of workloads after a
 * character that no id has. An id of another form is stored as its text.
 */
final class CompactKeyId {

    private static final String PREFIX = "key_";
    private static final String WORKLOAD_SIGN = "_";
    private static final Pattern PERSON = Pattern.compile(Grant.PERSON + "([0-9a-f]{20})");
    private static final int PERSON_BYTES = 10;

    private CompactKeyId() {}

    static AttributeValue of(String keyId) {
        if (keyId.startsWith(Grant.WORKLOAD)) {
            return s(WORKLOAD_SIGN + keyId.substring(Grant.WORKLOAD.length()));
        }
        Matcher person = PERSON.matcher(keyId);
        if (person.matches()) {
            return b(HexFormat.of().parseHex(person.group(1)));
        }
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

    /** Returns the id under this name; empty if there is none. */
    static String read(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        if (value == null) {
            return "";
        }
        if (value.b() == null) {
            String text = value.s();
            return text.startsWith(WORKLOAD_SIGN) ? Grant.WORKLOAD + text.substring(1) : text;
        }
        byte[] bytes = value.b().asByteArray();
        return bytes.length == PERSON_BYTES
                ? Grant.PERSON + HexFormat.of().formatHex(bytes)
                : PREFIX + Ulid.from(bytes);
    }
}
