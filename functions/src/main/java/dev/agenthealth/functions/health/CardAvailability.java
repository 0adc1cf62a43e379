package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.registry.lifecycle.Availability;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.Description;
import java.util.Optional;
import java.util.Set;

/** The availability of an agent, as an extension of the cards that lead to the gateway. Thread-safe. */
public final class CardAvailability {

    /** The URI of the extension, at which its document is. */
    public static final String URI =
            "https://github.com/agent-health/agent-health/blob/main/docs/reference/availability-extension-v1.md";

    private final BlockStore blocks;

    CardAvailability(Database database) {
        this.blocks = new BlockStore(database);
    }

    /** Removes the extension from a card, since it changes with every sign of life. */
    public static void remove(ObjectNode card) {
        if (card.at("/capabilities/extensions") instanceof ArrayNode extensions) {
            extensions.removeIf(extension -> extension.path("uri").asText().equals(URI));
        }
    }

    /**
     * Returns the parameters of the extension: {@code state}, {@code as_of} and {@code next_run_at}. Empty for a personal agent, as signs of life
     * would show the habits of a person, and for an agent whose silence is no fault. Costs one request.
     */
    Optional<ObjectNode> of(StoredAgent agent) {
        Description description = agent.profile().description();
        if (description.personal()) {
            return Optional.empty();
        }
        Pulse pulse = agent.pulse();
        Set<String> providers = description.providerId().isEmpty() ? Set.of() : Set.of(description.providerId());
        BlockStore.Blocks decided = blocks.of(pulse.agentId(), providers);
        boolean blocked = decided.ofAgent().inForce()
                || decided.ofProviders().stream().anyMatch(Block::inForce)
                || decided.stops().of(pulse).isPresent();
        return Availability.of(pulse, blocked).map(state -> {
            ObjectNode params =
                    Json.object().put("state", state.wireName()).put("as_of", Timestamps.text(pulse.lastHeartbeatAt()));
            pulse.config()
                    .expectedAfter(pulse.lastHeartbeatAt())
                    .filter(expected -> pulse.status().isMonitored())
                    .ifPresent(expected -> params.put("next_run_at", Timestamps.text(expected)));
            return params;
        });
    }
}
