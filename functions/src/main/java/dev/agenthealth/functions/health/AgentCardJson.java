package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.EntityTag;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.AgentProfile;

/** An agent's card in the two layouts of A2A, which differ in the fields for endpoint and version. */
final class AgentCardJson {

    /** The protocol of every endpoint. */
    private static final String BINDING = "JSONRPC";

    private static final String TEXT = "text/plain";
    private static final String EXTENSION = "https://datatracker.ietf.org/doc/draft-liang-agent-health-state/";

    private AgentCardJson() {}

    /**
     * The layout of A2A 0.3.
     *
     * @param origin scheme and host of the registry, such as {@code https://agents.example.com}
     */
    static ObjectNode version03(AgentProfile profile, String origin) {
        // This layout has the version with three numbers.
        ObjectNode card =
                Json.object().put("protocolVersion", profile.a2aVersion().word() + ".0");
        putNames(card, profile);
        card.put("url", profile.endpoint()).put("preferredTransport", BINDING);
        putRest(card, profile, origin);
        return card;
    }

    /** The layout of A2A 1.0, which has the version with two numbers. */
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

    /** The name of a personal agent may be a person's and is not shown (Agent Health State §8). */
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
     * A version that changes with the card and is the same in both layouts. It is no counter, which would reveal silences and restarts of a
     * personal agent (Agent Health State §8).
     */
    private static String version(AgentProfile profile) {
        ObjectNode content = Json.object()
                .put("url", profile.endpoint())
                .put("a2a_version", profile.a2aVersion().word());
        putNames(content, profile);
        return EntityTag.of(Json.text(content)).fingerprint();
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
