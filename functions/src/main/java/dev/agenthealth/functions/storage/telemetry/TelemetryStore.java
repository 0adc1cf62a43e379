package dev.agenthealth.functions.storage.telemetry;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.registry.telemetry.AgentName;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores mappings of the names in spans to agents, and settings, separately for each key. Thread-safe. */
public final class TelemetryStore {

    private static final Codec<SpanMapping> MAPPING = new Codec<>();
    private static final Codec<AgentName> SPAN_NAME = MAPPING.part(SpanMapping::name);
    private static final Attribute<String> SERVICE = SPAN_NAME.always("service", TEXT, AgentName::service);
    private static final Attribute<String> NAME = SPAN_NAME.optional("name", TEXT, AgentName::agent);
    private static final Attribute<String> AGENT = MAPPING.always("agent", TEXT, SpanMapping::agentId);
    private static final Attribute<Boolean> PROGRESS = MAPPING.optional("progress", BIT, SpanMapping::progress);
    private static final Attribute<Boolean> AUTOMATIC = MAPPING.always("auto", BIT, SpanMapping::automatic);
    private static final Attribute<Instant> UPDATED_AT = MAPPING.always("at", MOMENT, SpanMapping::updatedAt);

    private final Table registry;

    public TelemetryStore(Database database) {
        this.registry = database.registry();
    }

    /** Returns the mappings of the mapped names among these names. Costs half a read unit for each name. */
    public Map<AgentName, SpanMapping> find(String keyId, Collection<AgentName> names) {
        Map<AgentName, SpanMapping> mappings = new HashMap<>();
        List<Map<String, AttributeValue>> keys =
                names.stream().distinct().map(name -> key(keyId, name.id())).toList();
        registry.getAll(keys, false).stream()
                .map(TelemetryStore::read)
                .forEach(mapping -> mappings.put(mapping.name(), mapping));
        return mappings;
    }

    /** Returns up to {@code limit} mappings of a key after this id of a name, by id; {@code after} is empty at the beginning. */
    public List<SpanMapping> page(String keyId, String after, int limit) {
        Query mappings = Query.partition(ItemKind.SPAN_NAME.partition(keyId))
                .startingWith(ItemKind.SPAN_NAME.prefix(), after)
                .consistent();
        return registry.first(limit, mappings).stream()
                .map(TelemetryStore::read)
                .toList();
    }

    /** Returns the mapping of the name with this id, as of now. */
    public Optional<SpanMapping> find(String keyId, String nameId) {
        return registry.find(key(keyId, nameId)).map(TelemetryStore::read);
    }

    /** Maps a name. Returns {@code false} if its mapping is no longer as it was read. */
    public boolean put(String keyId, Optional<SpanMapping> before, SpanMapping mapping) {
        return registry.put(
                item(keyId, mapping),
                before.map(TelemetryStore::isAsRead).orElseGet(() -> Condition.absent(Attributes.PK)));
    }

    private static Condition isAsRead(SpanMapping mapping) {
        return AGENT.is(mapping.agentId()).and(UPDATED_AT.is(mapping.updatedAt()));
    }

    /** Maps a name that is not mapped. Returns {@code false} if it is mapped. */
    public boolean putFirst(String keyId, SpanMapping mapping) {
        return registry.put(item(keyId, mapping), Condition.absent(Attributes.PK));
    }

    /** Removes the mapping of a name. Returns {@code false} if the mapping is no longer as it was read. */
    public boolean remove(String keyId, SpanMapping seen) {
        return registry.delete(key(keyId, seen.name().id()), isAsRead(seen));
    }

    /** Removes the mappings of all names of this agent. */
    public void removeOf(String keyId, String agentId) {
        registry.all(Query.partition(ItemKind.SPAN_NAME.partition(keyId)).consistent())
                .filter(item -> AGENT.of(item).equals(agentId))
                // The deletion is conditional: a name that was mapped to another agent since the read stays.
                .forEach(item -> registry.delete(Attributes.keyOf(item), AGENT.is(agentId)));
    }

    /** Removes all declarations of a key that is no longer in force. */
    public void removeAll(String keyId) {
        Query all = Query.partition(ItemKind.SPAN_NAME.partition(keyId))
                .project(Attributes.PK, Attributes.SK)
                .consistent();
        registry.deleteAll(registry.all(all).map(Attributes::keyOf).toList());
    }

    /** Returns whether unmapped names of a key register agents. */
    public boolean registers(String keyId) {
        return AUTOMATIC.of(registry.get(ItemKind.TELEMETRY_SETTINGS.key(keyId), false));
    }

    /** Returns the keys of which unmapped names register agents, among these keys. Costs half a read unit for each key. */
    public Set<String> registering(List<String> keyIds) {
        return registry
                .getAll(keyIds.stream().map(ItemKind.TELEMETRY_SETTINGS::key).toList(), false)
                .stream()
                .filter(AUTOMATIC::of)
                .map(ItemKind.TELEMETRY_SETTINGS::ofPartition)
                .collect(Collectors.toSet());
    }

    /** Sets whether unmapped names of a key register agents. Returns {@code false} if the setting already has this value. */
    public boolean setRegisters(String keyId, boolean registers) {
        Condition other = AUTOMATIC.is(!registers);
        return registry.update(Update.upsert(ItemKind.TELEMETRY_SETTINGS.key(keyId))
                .set(AUTOMATIC, registers)
                .when(registers ? Condition.absent(AUTOMATIC.name()).or(other) : other));
    }

    private static Map<String, AttributeValue> key(String keyId, String nameId) {
        return ItemKind.SPAN_NAME.key(keyId, nameId);
    }

    private static Map<String, AttributeValue> item(String keyId, SpanMapping mapping) {
        return MAPPING.item(key(keyId, mapping.name().id()), mapping);
    }

    private static SpanMapping read(Map<String, AttributeValue> item) {
        return new SpanMapping(
                new AgentName(SERVICE.of(item), NAME.of(item)),
                AGENT.of(item),
                PROGRESS.of(item),
                AUTOMATIC.of(item),
                UPDATED_AT.of(item));
    }
}
