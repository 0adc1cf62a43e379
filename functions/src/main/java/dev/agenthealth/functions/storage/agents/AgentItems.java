package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.pulses.HealthAttributes;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the items of one agent in one request, and puts the agent together. Thread-safe. */
final class AgentItems {

    /** The items of an agent besides its row. */
    private static final List<ItemKind> KINDS =
            List.of(ItemKind.PROFILE, ItemKind.METADATA, ItemKind.TASKS, ItemKind.TOMBSTONE);

    private final Database database;

    AgentItems(Database database) {
        this.database = database;
    }

    Optional<StoredAgent> read(String agentId) {
        return stored(agentId, items(agentId));
    }

    /** Reads the items of an agent, and its items of these kinds. */
    Database.Items items(String agentId, ItemKind... more) {
        return items(agentId, List.of(), more);
    }

    Database.Items items(String agentId, List<Map<String, AttributeValue>> others, ItemKind... more) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>(others);
        for (ItemKind kind : KINDS) {
            keys.add(kind.key(agentId));
        }
        for (ItemKind kind : more) {
            keys.add(kind.key(agentId));
        }
        return database.get(PulseItem.key(agentId), keys, true);
    }

    Optional<StoredAgent> stored(String agentId, Database.Items found) {
        Map<String, AttributeValue> row = found.row();
        boolean hasRow = !row.isEmpty() && !PulseItem.isCanary(row);
        Map<String, AttributeValue> tombstone = hasRow ? Map.of() : found.of(ItemKind.TOMBSTONE);
        if (!hasRow && (tombstone.isEmpty() || Attributes.isExpired(tombstone, database.now()))) {
            return Optional.empty();
        }
        Map<String, AttributeValue> profileItem = found.of(ItemKind.PROFILE);
        Map<String, AttributeValue> metadataItem = found.of(ItemKind.METADATA);
        AgentProfile profile = ProfileItem.read(agentId, profileItem, metadataItem);
        long revision = ProfileItem.revision(profileItem, metadataItem);
        if (hasRow) {
            Pulse pulse = PulseItem.read(row);
            return Optional.of(new StoredAgent(
                    pulse,
                    profile,
                    TaskStore.tasks(pulse, found.of(ItemKind.TASKS)),
                    TaskStore.waitsFor(pulse, found.of(ItemKind.TASKS)),
                    false,
                    HealthAttributes.read(row),
                    revision));
        }
        return Optional.of(new StoredAgent(
                TombstoneItem.read(agentId, tombstone),
                profile,
                List.of(),
                "",
                true,
                HealthSummary.NONE,
                Erasure.isOf(tombstone) ? StoredAgent.NO_PROFILE : revision));
    }
}
