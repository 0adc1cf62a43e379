package dev.agenthealth.functions.gateway;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the credential of each agent until it is replaced or removed, or the agent is erased. Thread-safe. */
public final class CredentialStore {

    private static final Codec<StoredCredential> CREDENTIAL = new Codec<>();
    private static final Attribute<byte[]> SEALED = CREDENTIAL.always("sealed", BYTES, StoredCredential::sealed);
    private static final Attribute<String> ENDPOINT = CREDENTIAL.always("to", TEXT, StoredCredential::endpoint);
    private static final Attribute<Instant> SET_AT = CREDENTIAL.always("at", MOMENT, StoredCredential::setAt);

    private final Database database;
    private final Table registry;

    public CredentialStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A credential.
     *
     * @param sealed the encrypted token
     * @param endpoint the only endpoint to which it may be sent
     * @param setAt the time at which it was set
     */
    public record StoredCredential(byte[] sealed, String endpoint, Instant setAt) {}

    /** Returns the credential of an agent, up to about a second old; empty without one. Costs one request and half a read unit. */
    public Optional<StoredCredential> find(String agentId) {
        Map<String, AttributeValue> item = registry.get(ItemKind.AGENT_CREDENTIAL.key(agentId), false);
        return item.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredCredential(SEALED.of(item), ENDPOINT.of(item), SET_AT.of(item)));
    }

    /** Returns the endpoints of the credentials of these agents, by agent. Agents without a credential are left out. Decrypts nothing. */
    public Map<String, String> endpoints(List<String> agentIds) {
        Map<String, String> endpoints = new HashMap<>();
        registry.getAll(agentIds.stream().map(ItemKind.AGENT_CREDENTIAL::key).toList(), true)
                .forEach(item -> endpoints.put(ItemKind.AGENT_CREDENTIAL.ofPartition(item), ENDPOINT.of(item)));
        return endpoints;
    }

    /** Returns whether an agent has a credential now. */
    public boolean has(String agentId) {
        return registry.find(ItemKind.AGENT_CREDENTIAL.key(agentId)).isPresent();
    }

    /**
     * Sets the credential of an agent and replaces an earlier one. Returns {@code false} if the agent's owner or profile has changed since it was
     * read.
     */
    public boolean put(StoredAgent seen, StoredCredential credential) {
        return commitFor(seen, database.transaction().put(registry, CREDENTIAL.item(key(seen), credential)));
    }

    /** Removes the credential of an agent. Returns {@code false} if there is none, or the agent's owner or profile has changed since it was read. */
    public boolean remove(StoredAgent seen) {
        return commitFor(seen, database.transaction().delete(registry, key(seen), Condition.exists(Attributes.PK)));
    }

    private static Map<String, AttributeValue> key(StoredAgent agent) {
        return ItemKind.AGENT_CREDENTIAL.key(agent.pulse().agentId());
    }

    private boolean commitFor(StoredAgent seen, Transaction change) {
        String agentId = seen.pulse().agentId();
        Condition unchanged = PulseConditions.sameOwnerAndVersion(seen.pulse());
        return (seen.archived()
                        ? change.check(registry, ItemKind.TOMBSTONE.key(agentId), unchanged)
                        : change.check(database.pulses(), PulseItem.key(agentId), unchanged))
                .commit();
    }
}
