package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Restarts;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.profile.A2aVersion;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectation;
import dev.agenthealth.model.profile.ModelInfo;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The two items of an agent's profile in the registry table: the profile itself, and beside it the metadata, so that a listing
 * does not read up to 16 KB per agent that it does not show. This class owns their attribute names.
 */
public final class ProfileItem {

    /** Counts the writes of the two items; the same number is the same profile. */
    static final String REVISION = "rev";

    /** The revision of two items that were not read in the same state. */
    private static final long MIXED = -1;

    private static final String ROLE = "role";
    private static final String NAME = "name";
    private static final String CAPABILITIES = "caps";
    private static final String MAX_TASKS = "max";
    private static final String ENDPOINT = "endpoint";
    private static final String A2A_VERSION = "a2a";
    private static final String INTERVAL = "interval";
    private static final String UNHEALTHY_AFTER = "unhealthy";
    private static final String DEAD_AFTER = "dead";
    private static final String AGENT_URI = "uri";
    private static final String PROVIDER = "provider";
    private static final String PLATFORM = "platform";
    private static final String PERSONAL = "personal";
    private static final String IN_CATALOGUE = "listed";
    private static final String MODEL_NAME = "model";
    private static final String MODEL_VERSION = "model_version";
    private static final String MODEL_CHANGED = "model_changed";
    private static final String EXPECTATIONS = "expects";
    private static final String REGISTERED_AT = "registered";
    private static final String STARTED_AT = "started";
    private static final String RESTARTS = "restarts";
    private static final String CAPABILITIES_UPDATED_AT = "caps_updated";
    private static final String RESTARTED_AT = "restarted";
    private static final String METADATA = "json";

    private ProfileItem() {}

    /** The profile's item, without metadata. */
    public static Map<String, AttributeValue> of(AgentProfile profile, long revision) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.PROFILE.key(profile.agentId()));
        item.put(REVISION, n(revision));
        putText(item, ROLE, profile.roleId());
        putText(item, NAME, profile.name());
        if (!profile.capabilities().isEmpty()) {
            item.put(CAPABILITIES, list(profile.capabilities()));
        }
        putNumber(item, MAX_TASKS, profile.maxConcurrentTasks(), Workload.NOT_DECLARED);
        putText(item, ENDPOINT, profile.endpoint());
        if (profile.a2aVersion() != A2aVersion.DEFAULT) {
            item.put(A2A_VERSION, s(profile.a2aVersion().wireName()));
        }
        item.put(INTERVAL, n(profile.heartbeatConfig().intervalSeconds()));
        item.put(UNHEALTHY_AFTER, n(profile.heartbeatConfig().unhealthyAfterSeconds()));
        item.put(DEAD_AFTER, n(profile.heartbeatConfig().deadAfterSeconds()));
        putText(item, AGENT_URI, profile.agentUri());
        putText(item, PROVIDER, profile.providerId());
        putText(item, PLATFORM, profile.platform());
        if (profile.personal()) {
            item.put(PERSONAL, AttributeValue.fromBool(true));
        }
        if (profile.inCatalogue()) {
            item.put(IN_CATALOGUE, AttributeValue.fromBool(true));
        }
        putText(item, MODEL_NAME, profile.model().name());
        putText(item, MODEL_VERSION, profile.model().version());
        if (profile.model().hasChangeDate()) {
            item.put(MODEL_CHANGED, moment(profile.model().changedAt()));
        }
        if (!profile.expectations().isEmpty()) {
            Map<String, AttributeValue> numbers = new HashMap<>();
            profile.expectations()
                    .forEach((e, value) -> numbers.put(e.wireName(), AttributeValue.fromN(Double.toString(value))));
            item.put(EXPECTATIONS, AttributeValue.fromM(numbers));
        }
        item.put(REGISTERED_AT, moment(profile.registeredAt()));
        item.put(STARTED_AT, moment(profile.startedAt()));
        putRestarts(item, RESTARTS, profile.restarts());
        item.put(CAPABILITIES_UPDATED_AT, moment(profile.capabilitiesUpdatedAt()));
        if (profile.restartedAt().isAfter(Instant.EPOCH)) {
            item.put(RESTARTED_AT, moment(profile.restartedAt()));
        }
        return item;
    }

    static Map<String, AttributeValue> metadata(AgentProfile profile, long revision) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.METADATA.key(profile.agentId()));
        item.put(REVISION, n(revision));
        item.put(METADATA, s(profile.metadata()));
        return item;
    }

    /** The profile of its two items; the second is empty where the metadata was not read. */
    public static AgentProfile read(
            String agentId, Map<String, AttributeValue> item, Map<String, AttributeValue> metadataItem) {
        String metadata = text(metadataItem, METADATA);
        return new AgentProfile(
                agentId,
                text(item, ROLE),
                text(item, NAME),
                texts(item, CAPABILITIES),
                (int) number(item, MAX_TASKS, Workload.NOT_DECLARED),
                text(item, ENDPOINT),
                A2aVersion.ofWireName(text(item, A2A_VERSION)).orElse(A2aVersion.DEFAULT),
                new HeartbeatConfig(
                        (int) number(item, INTERVAL, HeartbeatConfig.DEFAULT.intervalSeconds()),
                        (int) number(item, UNHEALTHY_AFTER, HeartbeatConfig.DEFAULT.unhealthyAfterSeconds()),
                        (int) number(item, DEAD_AFTER, HeartbeatConfig.DEFAULT.deadAfterSeconds())),
                text(item, AGENT_URI),
                text(item, PROVIDER),
                text(item, PLATFORM),
                item.containsKey(PERSONAL),
                item.containsKey(IN_CATALOGUE),
                new ModelInfo(
                        text(item, MODEL_NAME), text(item, MODEL_VERSION), moment(item, MODEL_CHANGED, Instant.MIN)),
                expectations(item, EXPECTATIONS),
                metadata.isEmpty() ? AgentProfile.NO_METADATA : metadata,
                moment(item, REGISTERED_AT, Instant.EPOCH),
                moment(item, STARTED_AT, Instant.EPOCH),
                restarts(item, RESTARTS),
                moment(item, CAPABILITIES_UPDATED_AT, Instant.EPOCH),
                moment(item, RESTARTED_AT, Instant.EPOCH));
    }

    /** Puts the moments of restarts; nothing where there are none. */
    public static void putRestarts(Map<String, AttributeValue> item, String name, Restarts restarts) {
        if (!restarts.moments().isEmpty()) {
            item.put(
                    name,
                    AttributeValue.fromL(
                            restarts.moments().stream().map(Values::moment).toList()));
        }
    }

    /** The restarts of an attribute. */
    public static Restarts restarts(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name)
                ? new Restarts(item.get(name).l().stream()
                        .map(moment -> Instant.ofEpochMilli(Long.parseLong(moment.n())))
                        .toList())
                : Restarts.NONE;
    }

    /** The revision of a profile's item; 0 where there is none. */
    public static long revision(Map<String, AttributeValue> item) {
        return number(item, REVISION, 0);
    }

    /** The revision of a profile's two items; that of no item where a write came between their reads. */
    public static long revision(Map<String, AttributeValue> item, Map<String, AttributeValue> metadataItem) {
        return revision(item) == revision(metadataItem) ? revision(item) : MIXED;
    }

    /** The expectations of an attribute; those of a later version are skipped. */
    public static Map<Expectation, Double> expectations(Map<String, AttributeValue> item, String name) {
        Map<Expectation, Double> expectations = new EnumMap<>(Expectation.class);
        if (item.containsKey(name)) {
            item.get(name).m().forEach((word, value) -> Expectation.ofWireName(word)
                    .ifPresent(e -> expectations.put(e, Double.valueOf(value.n()))));
        }
        return expectations;
    }
}
