package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Pulse;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Which agents, not archived, a key has registered. Thread-safe. */
public final class OwnerIndex {

    private final Table registry;

    public OwnerIndex(Database database) {
        this.registry = database.registry();
    }

    /** Adds the owner of an agent that registers. */
    void write(Transaction transaction, Pulse pulse) {
        transaction.put(registry, Attributes.item(key(pulse)));
    }

    /** Removes the owner of an agent that is archived; where the key was revoked, its entry is not read any more. */
    void remove(Transaction transaction, Pulse pulse) {
        if (!pulse.credential().isNone()) {
            transaction.delete(registry, key(pulse));
        }
    }

    private static Map<String, AttributeValue> key(Pulse pulse) {
        return ItemKind.OWNER_TAG.key(pulse.credential().hex(), pulse.agentId());
    }

    /** Up to {@code limit} agents that were registered with the key of this hash and are not archived, by id. */
    public List<String> agentsOf(KeyHash credential, int limit) {
        Query query =
                Query.partition(ItemKind.OWNER_TAG.partition(credential.hex())).consistent();
        return registry.first(limit, query).stream()
                .map(item -> text(item, Attributes.SK))
                .toList();
    }
}
