package dev.agenthealth.functions.storage.dynamo;

import static dev.agenthealth.functions.storage.dynamo.Values.s;

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
 * A#{agent}        T                   tombstone, also of an agent that was erased
 * A#{agent}        E#{sequence}        event (outbox)
 * A#{agent}        L#{lease}           pointer to a lease that has not ended
 * A#{agent}        O#{start}#{w}#{n}   outcomes of a slice of w seconds, part n
 * A#{agent}        B#{hash}            when a batch arrived whose outcomes name no time
 * A#{agent}        R                   the closed slices of two windows, in short
 * A#{agent}        H                   health as last computed, and the mark: when it is to be computed again
 * A#{agent}        Y#{hour}            health at one hour
 * A#{agent}        X                   what operators decided about calling it
 * A#{agent}        D#{hash}            mark of a batch that is in the evidence of its reputation
 * A#{agent}        G#{n}               figures of its invocations, and evidence of its reputation
 * A#{agent}        F#{ms}#{receipt}    invocation that is over
 * V#{provider}     X                   what operators decided about calling its agents
 * V#{provider}#{m} G#{n}               figures of its invocations, and evidence of its reputation
 * V#{provider}#{m} F#{ms}#{receipt}    invocation that is over
 * I#{intent}       L#{lease}           lease
 * I#{intent}       S#{scope}           lock: the scope's last lease
 * I#{intent}       E#{time}#{event}    event of a lease (outbox)
 * C#{capability}   {agent}             discovery tag of a living agent
 * R#{role}         {agent}             discovery tag of a living agent
 * O#{hash}         {agent}             tag of a living agent, by the key that registered it
 * ROLE#{role}      D                   what a workflow declares for a role
 * ROLES            {role}              a role that an agent or a workflow named
 * PROVIDERS        {provider}          a provider that an agent named
 * PLATFORMS        {platform}          a platform that an agent named
 * W#{workflow}     W                   workflow
 * WORKFLOWS        D#{workflow}        workflow, for the list and for the sweep
 * WORKFLOWS        B#{role}            mark of a pool below its minimum
 * K#{hash}         K                   API key, by the hash of what a caller presents
 * KEYS             {key id}            API key, for the list
 * REVOKED          {time}#{key id}     revoked key whose credential the sweep clears
 * SYSTEM           S                   sweep state
 * SYSTEM           C                   runtime configuration
 * SYSTEM           F                   figures of the fleet, as the sweep counted it
 * H#{host}         H                   the agent whose health a host shows
 * HOSTS            {host}              the same, for the list
 * SYSTEM           E#{event}            event of the registry itself (outbox)
 * Z#{receipt}      Z                   receipt of an invocation
 * Z#{receipt}      M                   what is to be sent to the agent, of an invocation that nobody waits for
 * Z#{receipt}      O                   what the agent answered to such an invocation, or to one that may be asked for again
 * Q#{hash}         Q                   the receipt of a request that may come again, by whose it is and what its caller calls it
 * L#{key id}       L                   what a caller has used up of its limit of invocations
 * </pre>
 */
public final class RegistryKeys {

    /** The schema that this code writes; items of the previous one are readable beside it. */
    public static final int SCHEMA = 1;

    public static final String PK = "pk";
    public static final String SK = "sk";
    public static final String FEED_PK = "fp";
    public static final String FEED_SK = "fs";
    /** Partition and sort key of the index {@code due}, which holds keys only. */
    public static final String DUE_PK = "dp";

    public static final String DUE_SK = "ds";
    public static final String SCHEMA_NUMBER = "v";
    /** Epoch second after which DynamoDB may remove the item, and readers take it as removed. */
    public static final String EXPIRES = "ttl";

    public static final String EVENT_PREFIX = "E#";
    public static final String LEASE_PREFIX = "L#";
    public static final String SLICE_PREFIX = "O#";
    public static final String HISTORY_PREFIX = "Y#";
    /** Sorts right before {@link #FIGURES_PREFIX}: figures and the latest invocations are one query. */
    public static final String INVOCATION_PREFIX = "F#";

    public static final String FIGURES_PREFIX = "G#";
    public static final String KEYS = "KEYS";
    public static final String REVOKED = "REVOKED";
    public static final String SYSTEM = "SYSTEM";
    public static final String ROLES = "ROLES";
    public static final String PROVIDERS = "PROVIDERS";
    public static final String PLATFORMS = "PLATFORMS";
    public static final String WORKFLOWS = "WORKFLOWS";
    public static final String HOSTS = "HOSTS";

    private RegistryKeys() {}

    public static String agent(String agentId) {
        return "A#" + agentId;
    }

    public static Map<String, AttributeValue> profile(String agentId) {
        return key(agent(agentId), "P");
    }

    public static Map<String, AttributeValue> metadata(String agentId) {
        return key(agent(agentId), "M");
    }

    public static Map<String, AttributeValue> tasks(String agentId) {
        return key(agent(agentId), "W");
    }

    public static Map<String, AttributeValue> tombstone(String agentId) {
        return key(agent(agentId), "T");
    }

    public static Map<String, AttributeValue> event(String agentId, long sequence) {
        return key(agent(agentId), EVENT_PREFIX + padded(sequence, 12));
    }

    public static Map<String, AttributeValue> batch(String agentId, String hashHex) {
        return key(agent(agentId), "B#" + hashHex);
    }

    public static Map<String, AttributeValue> evidenceOfBatch(String agentId, String hashHex) {
        return key(agent(agentId), "D#" + hashHex);
    }

    public static Map<String, AttributeValue> closedSlices(String agentId) {
        return key(agent(agentId), "R");
    }

    public static Map<String, AttributeValue> health(String agentId) {
        return key(agent(agentId), "H");
    }

    public static Map<String, AttributeValue> blockOfAgent(String agentId) {
        return key(agent(agentId), "X");
    }

    public static Map<String, AttributeValue> blockOfProvider(String providerId) {
        return key("V#" + providerId, "X");
    }

    /** One of the partitions of a provider. */
    public static String provider(String providerId, int number) {
        return "V#" + providerId + "#" + number;
    }

    public static Map<String, AttributeValue> loggedInvocation(String partition, Instant at, String receiptId) {
        return key(partition, INVOCATION_PREFIX + padded(at.toEpochMilli(), 13) + "#" + receiptId);
    }

    public static String intent(String intentId) {
        return "I#" + intentId;
    }

    public static Map<String, AttributeValue> lease(String intentId, String leaseId) {
        return key(intent(intentId), LEASE_PREFIX + leaseId);
    }

    public static Map<String, AttributeValue> lock(String intentId, String scope) {
        return key(intent(intentId), "S#" + scope);
    }

    public static Map<String, AttributeValue> leasePointer(String agentId, String leaseId) {
        return key(agent(agentId), LEASE_PREFIX + leaseId);
    }

    public static String capability(String capability) {
        return "C#" + capability;
    }

    public static String role(String roleId) {
        return "R#" + roleId;
    }

    public static String owner(String hashHex) {
        return "O#" + hashHex;
    }

    public static Map<String, AttributeValue> roleDefaults(String roleId) {
        return key("ROLE#" + roleId, "D");
    }

    public static Map<String, AttributeValue> workflow(String name) {
        return key("W#" + name, "W");
    }

    public static Map<String, AttributeValue> apiKey(String hashHex) {
        return key("K#" + hashHex, "K");
    }

    public static Map<String, AttributeValue> host(String host) {
        return key("H#" + host, "H");
    }

    public static Map<String, AttributeValue> receipt(String receiptId) {
        return key("Z#" + receiptId, "Z");
    }

    public static Map<String, AttributeValue> message(String receiptId) {
        return key("Z#" + receiptId, "M");
    }

    public static Map<String, AttributeValue> output(String receiptId) {
        return key("Z#" + receiptId, "O");
    }

    public static Map<String, AttributeValue> idempotentRequest(String place) {
        return key("Q#" + place, "Q");
    }

    public static Map<String, AttributeValue> callerLimit(String keyId) {
        return key("L#" + keyId, "L");
    }

    public static Map<String, AttributeValue> sweepState() {
        return key(SYSTEM, "S");
    }

    public static Map<String, AttributeValue> fleetFigures() {
        return key(SYSTEM, "F");
    }

    public static Map<String, AttributeValue> configuration() {
        return key(SYSTEM, "C");
    }

    public static Map<String, AttributeValue> key(String pk, String sk) {
        return Map.of(PK, s(pk), SK, s(sk));
    }

    /** A number that sorts as text. */
    public static String padded(long number, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "d", number);
    }

    /** Whether an item's time has come, be it removed already or not. */
    public static boolean isExpired(Map<String, AttributeValue> item, Instant now) {
        return Values.number(item, EXPIRES, Long.MAX_VALUE) <= now.getEpochSecond();
    }
}
