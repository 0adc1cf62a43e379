package dev.agenthealth.functions.storage.hosts;

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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Maps hosts to the agents whose health they show. Each mapping is stored twice: by host for lookups, and in one partition for the list.
 * Thread-safe.
 */
public final class HostStore {

    private static final Codec<HostMapping> MAPPING = new Codec<>();
    private static final Attribute<String> HOST = MAPPING.always("host", TEXT, HostMapping::host);
    private static final Attribute<String> AGENT = MAPPING.always("agent", TEXT, HostMapping::agentId);
    private static final Attribute<Instant> UPDATED_AT = MAPPING.always("at", MOMENT, HostMapping::updatedAt);

    private final Database database;
    private final Table registry;

    public HostStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The mapping of a host.
     *
     * @param host the host's name, in lower case
     * @param agentId the agent
     * @param updatedAt when an administrator last set the mapping
     */
    public record HostMapping(String host, String agentId, Instant updatedAt) {}

    /**
     * Returns the mapping of a host; empty if it has none. Costs one request.
     *
     * @param fresh whether the read is strongly consistent; otherwise it costs half a read unit and may be about a second old
     */
    public Optional<HostMapping> find(String host, boolean fresh) {
        Map<String, AttributeValue> item = registry.get(ItemKind.HOST.key(host), fresh);
        return item.isEmpty() ? Optional.empty() : Optional.of(read(item));
    }

    /** Returns up to {@code limit} mappings after this host, by host; {@code after} is empty at the beginning. */
    public List<HostMapping> page(String after, int limit) {
        return registry.first(limit, listed().after(after)).stream()
                .map(HostStore::read)
                .toList();
    }

    /** Maps a host. Returns {@code false} if its mapping is no longer as it was read. */
    public boolean put(Optional<HostMapping> before, HostMapping mapping) {
        Condition asRead =
                before.map(seen -> AGENT.is(seen.agentId())).orElseGet(() -> Condition.absent(Attributes.PK));
        return database.transaction()
                .put(registry, MAPPING.item(ItemKind.HOST.key(mapping.host()), mapping), asRead)
                .put(registry, MAPPING.item(ItemKind.LISTED_HOST.key(mapping.host()), mapping))
                .commit();
    }

    /** Removes the mapping of a host. Returns {@code false} if its mapping is no longer as it was read. */
    public boolean remove(HostMapping seen) {
        return database.transaction()
                .delete(registry, ItemKind.HOST.key(seen.host()), AGENT.is(seen.agentId()))
                .delete(registry, ItemKind.LISTED_HOST.key(seen.host()))
                .commit();
    }

    /** Removes the mappings of all hosts that show an agent's health. */
    public void removeOf(String agentId) {
        registry.all(listed())
                .filter(item -> AGENT.of(item).equals(agentId))
                // The removal is conditional: a host that was mapped to another agent since the read stays.
                .forEach(item -> remove(read(item)));
    }

    private static Query listed() {
        return Query.partition(ItemKind.LISTED_HOST.partition()).consistent();
    }

    private static HostMapping read(Map<String, AttributeValue> item) {
        return new HostMapping(HOST.of(item), AGENT.of(item), UPDATED_AT.of(item));
    }
}
