package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.s;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where everything stands in the registry table. One partition an agent, one a discovery tag, and a few of the system's own:
 *
 * <pre>
 * pk               sk                  what
 * A#{agent}        P                   profile
 * A#{agent}        M                   metadata
 * A#{agent}        W                   tasks in progress
 * A#{agent}        T                   tombstone
 * A#{agent}        E#{sequence}        event (outbox)
 * C#{capability}   {agent}             discovery tag of a living agent
 * R#{role}         {agent}             discovery tag of a living agent
 * K#{hash}         K                   API key, by the hash of what a caller presents
 * KEYS             {key id}            API key, for the list
 * REVOKED          {time}#{key id}     revoked key whose credential the sweep clears
 * SYSTEM           S                   sweep state
 * SYSTEM           C                   runtime configuration
 * SYSTEM           E#{time}#{name}     event of the registry itself (outbox)
 * </pre>
 */
final class RegistryKeys {

    /** The schema that this code writes; items of the previous one are readable beside it. */
    static final int SCHEMA = 1;

    static final String PK = "pk";
    static final String SK = "sk";
    static final String FEED_PK = "fp";
    static final String FEED_SK = "fs";
    static final String SCHEMA_NUMBER = "v";
    /** Epoch second after which DynamoDB may remove the item, and readers take it as removed. */
    static final String EXPIRES = "ttl";

    static final String EVENT_PREFIX = "E#";
    static final String KEYS = "KEYS";
    static final String REVOKED = "REVOKED";
    static final String SYSTEM = "SYSTEM";

    private RegistryKeys() {}

    static String agent(String agentId) {
        return "A#" + agentId;
    }

    static Map<String, AttributeValue> profile(String agentId) {
        return key(agent(agentId), "P");
    }

    static Map<String, AttributeValue> metadata(String agentId) {
        return key(agent(agentId), "M");
    }

    static Map<String, AttributeValue> tasks(String agentId) {
        return key(agent(agentId), "W");
    }

    static Map<String, AttributeValue> tombstone(String agentId) {
        return key(agent(agentId), "T");
    }

    static Map<String, AttributeValue> event(String agentId, long sequence) {
        return key(agent(agentId), EVENT_PREFIX + padded(sequence, 12));
    }

    static String capability(String capability) {
        return "C#" + capability;
    }

    static String role(String roleId) {
        return "R#" + roleId;
    }

    static Map<String, AttributeValue> apiKey(String hashHex) {
        return key("K#" + hashHex, "K");
    }

    static Map<String, AttributeValue> sweepState() {
        return key(SYSTEM, "S");
    }

    static Map<String, AttributeValue> configuration() {
        return key(SYSTEM, "C");
    }

    static Map<String, AttributeValue> key(String pk, String sk) {
        return Map.of(PK, s(pk), SK, s(sk));
    }

    /** A number that sorts as text. */
    static String padded(long number, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "d", number);
    }

    /** Whether an item's time has come, be it removed already or not. */
    static boolean isExpired(Map<String, AttributeValue> item, Instant now) {
        return Values.number(item, EXPIRES, Long.MAX_VALUE) <= now.getEpochSecond();
    }
}
