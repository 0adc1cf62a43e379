package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.EntityTag;
import dev.agenthealth.functions.json.Json;
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
    static ObjectNode version03(AgentProfile profile, String origin) {
        // This layout names the version with all three numbers.
        ObjectNode card =
                Json.object().put("protocolVersion", profile.a2aVersion().word() + ".0");
        putNames(card, profile);
        card.put("url", profile.endpoint()).put("preferredTransport", BINDING);
        putRest(card, profile, origin);
        return card;
    }

    /** The layout of A2A 1.0. It names what the agent speaks by major and minor version. */
    static ObjectNode version1(AgentProfile profile, String origin) {
        ObjectNode card = Json.object();
        putNames(card, profile);
        card.putArray("supportedInterfaces")
                .addObject()
                .put("url", profile.endpoint())
                .put("protocolBinding", BINDING)
                .put("protocolVersion", profile.a2aVersion().word());
        putRest(card, profile, origin);
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

    /**
     * Another one whenever the card says something else of the agent, and the same in both layouts. It counts nothing: silences and restarts
     * of a personal agent would be read off a number (Agent Health State §8).
     */
    private static String version(AgentProfile profile) {
        ObjectNode said = Json.object()
                .put("url", profile.endpoint())
                .put("a2a_version", profile.a2aVersion().word());
        putNames(said, profile);
        return EntityTag.of(Json.text(said)).fingerprint();
    }

    private static void putRest(ObjectNode card, AgentProfile profile, String origin) {
        card.put("version", version(profile));
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
