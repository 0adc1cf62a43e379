package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.DECIMALS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.ServedModel;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The two items of an agent's profile in the registry table: the profile itself, and its metadata. They are separate, so that a listing
 * does not read up to 16 KB of metadata per agent. This class owns their attribute names.
 */
public final class ProfileItem {

    /** The number of writes of the two items. The same number means the same profile. */
    static final String REVISION = "rev";

    /** The revision of two items that were not read in the same state. */
    static final long MIXED = -1;

    private static final String INCARNATION = "inc";
    private static final String VERSION = "ver";

    /** The moments of restarts, under a name that each item chooses. */
    public static final AttributeType<Restarts> RESTARTS_TYPE =
            MOMENT.listed().as(Restarts.NONE, Restarts::moments, Restarts::new);

    /** The expectations by their wire names. Names of a later version are left out. */
    public static final AttributeType<Expectations> EXPECTATIONS_TYPE =
            DECIMALS.as(Expectations.NONE, ProfileItem::byWireName, ProfileItem::expectations);

    private static final Codec<AgentProfile> PROFILE = new Codec<>();
    private static final Codec<Description> DESCRIPTION = PROFILE.part(AgentProfile::description);
    private static final Codec<AgentInterface> INTERFACE = PROFILE.part(AgentProfile::agentInterface);
    private static final Codec<MeasurementBasis> BASIS = PROFILE.part(AgentProfile::basis);
    private static final Codec<ModelInfo> MODEL = BASIS.part(MeasurementBasis::model);
    private static final Codec<RegistrationHistory> HISTORY = PROFILE.part(AgentProfile::history);
    private static final Attribute<String> ROLE = PROFILE.optional("role", TEXT, AgentProfile::roleId);
    private static final Attribute<Integer> MAX_TASKS =
            PROFILE.optional("max", INTEGER.or(Workload.NOT_DECLARED), AgentProfile::maxConcurrentTasks);
    private static final HeartbeatConfigAttributes HEARTBEAT = HeartbeatConfigAttributes.in(
            PROFILE.part(AgentProfile::heartbeatConfig), "interval", "unhealthy", "dead", "stall", "signs", "loop");
    private static final WatchAttributes WATCH = WatchAttributes.in(PROFILE.part(AgentProfile::watch));
    private static final Attribute<String> NAME = DESCRIPTION.optional("name", TEXT, Description::name);
    private static final Attribute<String> AGENT_URI = DESCRIPTION.optional("uri", TEXT, Description::agentUri);
    private static final Attribute<String> PROVIDER = DESCRIPTION.optional("provider", TEXT, Description::providerId);
    private static final Attribute<String> PLATFORM = DESCRIPTION.optional("platform", TEXT, Description::platform);
    private static final Attribute<String> AGENT_VERSION =
            DESCRIPTION.optional("agent_version", TEXT, Description::version);
    private static final Attribute<Boolean> PERSONAL = DESCRIPTION.optional("personal", FLAG, Description::personal);
    private static final Attribute<Boolean> IN_CATALOGUE =
            DESCRIPTION.optional("listed", FLAG, Description::inCatalogue);
    private static final Attribute<List<String>> COORDINATORS =
            DESCRIPTION.optional("coordinators", TEXTS, Description::coordinators);
    private static final Attribute<AgentKind> KIND =
            INTERFACE.optional("kind", AttributeType.wireName(AgentKind.DEFAULT), AgentInterface::kind);
    private static final Attribute<List<String>> CAPABILITIES =
            INTERFACE.optional("caps", TEXTS, AgentInterface::capabilities);
    private static final Attribute<String> ENDPOINT = INTERFACE.optional("endpoint", TEXT, AgentInterface::endpoint);
    private static final Attribute<A2aVersion> A2A_VERSION =
            INTERFACE.optional("a2a", AttributeType.wireName(A2aVersion.DEFAULT), declared -> declared.a2a()
                    .version());
    private static final Attribute<A2aBinding> A2A_BINDING =
            INTERFACE.optional("a2a_binding", AttributeType.wireName(A2aBinding.DEFAULT), declared -> declared.a2a()
                    .binding());
    private static final Attribute<String> A2A_TENANT =
            INTERFACE.optional("a2a_tenant", TEXT, declared -> declared.a2a().tenant());
    private static final Attribute<Boolean> ACCEPTS_PUSH =
            INTERFACE.optional("push", FLAG, AgentInterface::acceptsPush);
    private static final Attribute<Instant> INTERFACE_UPDATED_AT =
            INTERFACE.always("caps_updated", MOMENT, AgentInterface::updatedAt);
    private static final Attribute<String> MODEL_NAME = MODEL.optional("model", TEXT, ModelInfo::name);
    private static final Attribute<String> MODEL_VERSION = MODEL.optional("model_version", TEXT, ModelInfo::version);
    private static final Attribute<Instant> MODEL_CHANGED =
            MODEL.optional("model_changed", MOMENT.or(Instant.MIN), ModelInfo::changedAt);
    private static final Attribute<List<String>> SERVED = MODEL.optional("served", TEXTS, ProfileItem::served);
    private static final Attribute<Expectations> EXPECTATIONS =
            BASIS.optional("expects", EXPECTATIONS_TYPE, MeasurementBasis::expectations);
    private static final Attribute<Instant> RESTARTED_AT =
            BASIS.optional("restarted", MOMENT, MeasurementBasis::restartedAt);
    private static final Attribute<Instant> REGISTERED_AT =
            HISTORY.always("registered", MOMENT, RegistrationHistory::registeredAt);
    private static final Attribute<Instant> STARTED_AT =
            HISTORY.always("started", MOMENT, RegistrationHistory::startedAt);
    private static final Attribute<Restarts> RESTARTS =
            HISTORY.optional("restarts", RESTARTS_TYPE, RegistrationHistory::restarts);
    private static final Attribute<String> INSTANCE = HISTORY.optional("instance", TEXT, RegistrationHistory::instance);
    private static final Attribute<String> PREVIOUS_INSTANCE =
            HISTORY.optional("earlier", TEXT, RegistrationHistory::previousInstance);

    private static final Attribute<String> METADATA = new Attribute<>("json", TEXT.or(Description.NO_METADATA));

    private ProfileItem() {}

    /** Returns the profile's item, without metadata, as it is written with a pulse. */
    public static Map<String, AttributeValue> of(AgentProfile profile, long revision, Pulse pulse) {
        Map<String, AttributeValue> item = PROFILE.item(ItemKind.PROFILE.key(profile.agentId()), profile);
        item.put(REVISION, n(revision));
        item.put(INCARNATION, n(pulse.incarnation()));
        item.put(VERSION, n(pulse.version()));
        return item;
    }

    /**
     * Compares the incarnation and version at which a profile's item was written with the incarnation and version of a pulse. Returns 0 if
     * they are equal, and a positive number if the profile was written later.
     */
    static int compare(Map<String, AttributeValue> item, Pulse pulse) {
        int incarnations = Long.compare(number(item, INCARNATION, 0), pulse.incarnation());
        return incarnations == 0 ? Long.compare(number(item, VERSION, 0), pulse.version()) : incarnations;
    }

    /** Returns the item of the profile's metadata. */
    public static Map<String, AttributeValue> metadata(AgentProfile profile, long revision) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.METADATA.key(profile.agentId()));
        item.put(REVISION, n(revision));
        return METADATA.put(item, profile.description().metadata());
    }

    /** Returns the profile of its two items. The second item is empty if the metadata was not read. */
    public static AgentProfile read(
            String agentId, Map<String, AttributeValue> item, Map<String, AttributeValue> metadataItem) {
        return new AgentProfile(
                agentId,
                ROLE.of(item),
                new Description(
                        NAME.of(item),
                        AGENT_URI.of(item),
                        PROVIDER.of(item),
                        PLATFORM.of(item),
                        AGENT_VERSION.of(item),
                        PERSONAL.of(item),
                        IN_CATALOGUE.of(item),
                        COORDINATORS.of(item),
                        METADATA.of(metadataItem)),
                new AgentInterface(
                        KIND.of(item),
                        CAPABILITIES.of(item),
                        ENDPOINT.of(item),
                        new A2aProtocol(A2A_VERSION.of(item), A2A_BINDING.of(item), A2A_TENANT.of(item)),
                        ACCEPTS_PUSH.of(item),
                        INTERFACE_UPDATED_AT.of(item)),
                MAX_TASKS.of(item),
                HEARTBEAT.of(item),
                WATCH.of(item),
                new MeasurementBasis(
                        new ModelInfo(
                                MODEL_NAME.of(item),
                                MODEL_VERSION.of(item),
                                MODEL_CHANGED.of(item),
                                served(SERVED.of(item))),
                        EXPECTATIONS.of(item),
                        RESTARTED_AT.of(item)),
                new RegistrationHistory(
                        REGISTERED_AT.of(item),
                        STARTED_AT.of(item),
                        RESTARTS.of(item),
                        INSTANCE.of(item),
                        PREVIOUS_INSTANCE.of(item)));
    }

    /** Returns the revision of a profile's item; 0 if there is no item. */
    public static long revision(Map<String, AttributeValue> item) {
        return number(item, REVISION, 0);
    }

    /** Returns the revision of a profile's two items; {@link #MIXED} if a write happened between their reads. */
    public static long revision(Map<String, AttributeValue> item, Map<String, AttributeValue> metadataItem) {
        return revision(item) == revision(metadataItem) ? revision(item) : MIXED;
    }

    /** Returns each requested name with its served models, in one text. Names have no line breaks. */
    private static List<String> served(ModelInfo model) {
        return model.served().entrySet().stream()
                .map(known -> String.join(
                        "\n",
                        known.getKey(),
                        known.getValue().present(),
                        known.getValue().before()))
                .toList();
    }

    private static SortedMap<String, ServedModel> served(List<String> texts) {
        SortedMap<String, ServedModel> served = new TreeMap<>();
        texts.forEach(text -> {
            String[] names = text.split("\n", -1);
            served.put(names[0], new ServedModel(names[1], names[2]));
        });
        return served;
    }

    private static Map<String, Double> byWireName(Expectations expectations) {
        Map<String, Double> numbers = new HashMap<>();
        expectations.declared().forEach((expectation, number) -> numbers.put(expectation.wireName(), number));
        return numbers;
    }

    private static Expectations expectations(Map<String, Double> byWireName) {
        Map<Expectation, Double> declared = new EnumMap<>(Expectation.class);
        byWireName.forEach(
                (name, number) -> WireNamed.find(Expectation.class, name).ifPresent(e -> declared.put(e, number)));
        return new Expectations(declared);
    }
}
