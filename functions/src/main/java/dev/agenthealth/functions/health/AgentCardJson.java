package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.StoredAgent;
import dev.agenthealth.model.profile.AgentProfile;

/** An agent's card in the two layouts of A2A, which differ in how they say where and how the agent is called. */
final class AgentCardJson {

    /** What every agent with an endpoint speaks there. */
    private static final String BINDING = "JSONRPC";

    private static final String TEXT = "text/plain";
    private static final String EXTENSION = "https://datatracker.ietf.org/doc/draft-liang-agent-health-state/";

    private AgentCardJson() {}

    /**
     * The layout of A2A 0.3.
     *
     * @param origin where the registry is reached, such as {@code https://agents.example.com}
     */
    static ObjectNode version03(StoredAgent agent, String origin) {
        // This layout names the version with all three numbers.
        ObjectNode card = Json.object()
                .put("protocolVersion", agent.profile().a2aVersion().word() + ".0");
        putNames(card, agent.profile());
        card.put("url", agent.profile().endpoint()).put("preferredTransport", BINDING);
        putRest(card, agent, origin);
        return card;
    }

    /** The layout of A2A 1.0. It names what the agent speaks by major and minor version. */
    static ObjectNode version1(StoredAgent agent, String origin) {
        ObjectNode card = Json.object();
        putNames(card, agent.profile());
        card.putArray("supportedInterfaces")
                .addObject()
                .put("url", agent.profile().endpoint())
                .put("protocolBinding", BINDING)
                .put("protocolVersion", agent.profile().a2aVersion().word());
        putRest(card, agent, origin);
        return card;
    }

    /** The name that a personal agent carries may be a person's (Agent Health State §8). */
    private static void putNames(ObjectNode card, AgentProfile profile) {
        String name = profile.personal() || profile.name().isEmpty() ? profile.agentId() : profile.name();
        card.put("name", name);
        card.put(
                "description",
                profile.capabilities().isEmpty()
                        ? "An agent that declares no capabilities."
                        : "An agent with the capabilities " + String.join(", ", profile.capabilities()) + ".");
    }

    private static void putRest(ObjectNode card, StoredAgent agent, String origin) {
        AgentProfile profile = agent.profile();
        // Rises with every change, over all registrations of this id.
        card.put("version", agent.pulse().incarnation() + "." + agent.pulse().version());
        card.putObject("capabilities")
                .putArray("extensions")
                .addObject()
                .put("uri", EXTENSION)
                .put("description", "Tells whether this agent is working as declared.")
                .put("required", false)
                .putObject("params")
                .put("url", origin + "/agents/" + profile.agentId() + "/.well-known/agent-health");
        card.putArray("defaultInputModes").add(TEXT);
        card.putArray("defaultOutputModes").add(TEXT);
        ArrayNode skills = card.putArray("skills");
        for (String capability : profile.capabilities()) {
            skills.addObject()
                    .put("id", capability)
                    .put("name", capability)
                    .put("description", "The agent declares the capability " + capability + ".")
                    .putArray("tags")
                    .add(capability);
        }
    }
}
