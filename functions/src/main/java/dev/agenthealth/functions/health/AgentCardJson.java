package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.ImportedFrom;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;
import java.util.Optional;

/**
 * An agent's card in the two layouts of A2A. The layouts differ in the fields for endpoint, version and security. The card is not signed
 * yet.
 */
final class AgentCardJson {

    private static final String TEXT = "text/plain";
    private static final String EXTENSION = "https://datatracker.ietf.org/doc/draft-liang-agent-health-state/";
    private static final String API_KEY = "X-API-Key";
    private static final String BEARER = "bearer";
    private static final String KEY = "apiKey";

    private final AgentProfile profile;
    private final String origin;
    private final String url;
    private final List<A2aVersion> versions;
    private final A2aBinding binding;
    private final Optional<Gateway> gateway;
    private final OwnCard own;

    /**
     * The parts of a card that leads to the gateway.
     *
     * @param own the agent's own card
     * @param availability the parameters of the extension {@link CardAvailability}
     */
    private record Gateway(OwnCard own, Optional<ObjectNode> availability) {}

    private AgentCardJson(
            AgentProfile profile,
            String origin,
            String url,
            List<A2aVersion> versions,
            A2aBinding binding,
            Optional<Gateway> gateway) {
        this.profile = profile;
        this.own = gateway.map(Gateway::own).orElse(OwnCard.NONE);
        this.origin = origin;
        this.url = url;
        this.versions = versions;
        this.binding = binding;
        this.gateway = gateway;
    }

    /**
     * Returns the card with the agent's own endpoint.
     *
     * @param origin scheme and host of the registry, such as {@code https://agents.example.com}
     */
    static AgentCardJson of(AgentProfile profile, String origin) {
        return new AgentCardJson(
                profile,
                origin,
                profile.agentInterface().endpoint(),
                List.of(profile.agentInterface().a2a().version()),
                profile.agentInterface().a2a().binding(),
                Optional.empty());
    }

    /**
     * Returns the card with the endpoint of the gateway. The gateway supports both versions and requires a key of the registry.
     *
     * @param own the agent's own card, whose texts replace the registered texts
     * @param availability the parameters of the extension {@link CardAvailability}; empty without the extension
     */
    static AgentCardJson viaGateway(
            AgentProfile profile, OwnCard own, Optional<ObjectNode> availability, String origin) {
        String url = origin + "/a2a/agents/" + profile.agentId();
        return new AgentCardJson(
                profile,
                origin,
                url,
                List.of(A2aVersion.V1_0, A2aVersion.V0_3),
                A2aBinding.DEFAULT,
                Optional.of(new Gateway(own, availability)));
    }

    /** Returns the card in the layout of A2A 0.3. */
    ObjectNode version03() {
        String spoken = gateway.isPresent()
                ? A2aVersion.V0_3.wireName()
                : profile.agentInterface().a2a().version().wireName();
        ObjectNode card = Json.object();
        putNames(card);
        putEndpoint03(card, spoken);
        putRest(card);
        if (gateway.isPresent()) {
            putSchemes(card, false);
            putSecurity03(card);
        }
        return card;
    }

    /**
     * Returns the card in the layout of A2A 1.0, which has a version of two numbers. If the endpoint supports 0.3, the card also has the
     * fields of 0.3: clients of both versions read the same address, and clients of 1.0 ignore these fields.
     */
    ObjectNode version1() {
        ObjectNode card = Json.object();
        putNames(card);
        ArrayNode interfaces = card.putArray("supportedInterfaces");
        versions.forEach(version -> putInterface(interfaces, binding, version));
        if (gateway.isPresent()) {
            putInterface(interfaces, A2aBinding.HTTP_JSON, A2aVersion.V1_0);
        }
        if (versions.contains(A2aVersion.V0_3)) {
            putEndpoint03(card, A2aVersion.V0_3.wireName());
        }
        putRest(card);
        if (gateway.isPresent()) {
            putSchemes(card, true);
            ArrayNode requirements = card.putArray("securityRequirements");
            for (String scheme : List.of(BEARER, KEY)) {
                requirements.addObject().putObject("schemes").putObject(scheme).putArray("list");
            }
            putSecurity03(card);
        }
        return card;
    }

    private void putInterface(ArrayNode interfaces, A2aBinding spoken, A2aVersion version) {
        ObjectNode shown = interfaces
                .addObject()
                .put("url", url)
                .put("protocolBinding", spoken.wireName())
                .put("protocolVersion", version.wireName());
        if (!tenant().isEmpty()) {
            shown.put("tenant", tenant());
        }
    }

    /** Returns the tenant of the endpoint; empty for none, and for the gateway, which sends the tenant itself. */
    private String tenant() {
        return gateway.isPresent() ? "" : profile.agentInterface().a2a().tenant();
    }

    /** Puts the endpoint in the layout of 0.3, which has a version of three numbers. */
    private void putEndpoint03(ObjectNode card, String version) {
        card.put("protocolVersion", version + ".0").put("url", url).put("preferredTransport", binding.wireName());
    }

    /** Puts the security schemes of A2A 0.3. In a card of 1.0, each scheme has the form of 1.0 beside the fields of 0.3. */
    private static void putSchemes(ObjectNode card, boolean version1) {
        ObjectNode schemes = card.putObject("securitySchemes");
        ObjectNode bearer = schemes.putObject(BEARER).put("type", "http").put("scheme", "Bearer");
        ObjectNode key =
                schemes.putObject(KEY).put("type", "apiKey").put("in", "header").put("name", API_KEY);
        if (version1) {
            bearer.putObject("httpAuthSecurityScheme").put("scheme", "Bearer");
            key.putObject("apiKeySecurityScheme").put("location", "header").put("name", API_KEY);
        }
    }

    private static void putSecurity03(ObjectNode card) {
        ArrayNode security = card.putArray("security");
        security.addObject().putArray(BEARER);
        security.addObject().putArray(KEY);
    }

    /** Puts the names. The name of a personal agent may be a person's name and is not shown (Agent Health State §8). */
    private void putNames(ObjectNode card) {
        String name =
                profile.description().personal() || profile.description().name().isEmpty()
                        ? profile.agentId()
                        : profile.description().name();
        card.put("name", name);
        card.put(
                "description",
                profile.agentInterface().capabilities().isEmpty()
                        ? "An agent that declares no capabilities."
                        : "An agent with the capabilities "
                                + String.join(", ", profile.agentInterface().capabilities()) + ".");
    }

    /**
     * Returns a version that changes with the card except the availability, and is the same in both layouts. A counter would reveal missing heartbeats and restarts
     * of a personal agent (Agent Health State §8).
     */
    private String version() {
        ObjectNode content = Json.object().put("url", url);
        content.put("a2a_version", profile.agentInterface().a2a().version().wireName());
        if (binding != A2aBinding.DEFAULT) {
            content.put("a2a_binding", binding.wireName());
        }
        if (!tenant().isEmpty()) {
            content.put("tenant", tenant());
        }
        putNames(content);
        if (!own.equals(OwnCard.NONE)) {
            content.set("own", own.shown());
            content.put("extended", own.extended()).put("streaming", own.streaming());
            content.put("push", own.pushing());
        }
        return EntityTag.of(Json.text(content)).fingerprint();
    }

    private void putRest(ObjectNode card) {
        card.put("version", version());
        ObjectNode capabilities = card.putObject("capabilities");
        if (gateway.isPresent()) {
            capabilities.put("streaming", own.streaming()).put("pushNotifications", own.pushing());
            if (own.extended()) {
                capabilities.put("extendedAgentCard", true);
                card.put("supportsAuthenticatedExtendedCard", true);
            }
        }
        ArrayNode extensions = capabilities.putArray("extensions");
        ObjectNode parameters = extensions
                .addObject()
                .put("uri", EXTENSION)
                .put("description", "Says whether this agent is working as declared.")
                .put("required", false)
                .putObject("params")
                .put("url", origin + "/agents/" + profile.agentId() + "/.well-known/agent-health");
        // Other registries see from this field that the agent was imported, and do not import it again.
        String importedFrom = ImportedFrom.identifier(profile);
        if (!importedFrom.isEmpty()) {
            parameters.put(ImportedFrom.FIELD, importedFrom);
        }
        gateway.flatMap(Gateway::availability).ifPresent(availability -> extensions
                .addObject()
                .put("uri", CardAvailability.URI)
                .put("description", "Says whether this agent takes new work, and when it runs next.")
                .put("required", false)
                .set("params", availability));
        card.putArray("defaultInputModes").add(TEXT);
        card.putArray("defaultOutputModes").add(TEXT);
        ArrayNode skills = card.putArray(OwnCard.SKILLS);
        for (String capability : profile.agentInterface().capabilities()) {
            skills.addObject()
                    .put("id", capability)
                    .put("name", capability)
                    .put("description", "The agent declares the capability " + capability + ".")
                    .putArray("tags")
                    .add(capability);
        }
        card.setAll(own.shown());
    }
}
