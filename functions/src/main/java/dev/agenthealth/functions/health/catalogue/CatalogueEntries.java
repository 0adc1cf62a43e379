package dev.agenthealth.functions.health.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.description.McpFile;
import dev.agenthealth.functions.health.catalogue.LiveAgents.KnownAgent;
import dev.agenthealth.functions.health.catalogue.LiveAgents.LiveAgent;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.ImportedFrom;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.catalogue.CatalogueUrn;
import dev.agenthealth.model.identity.HostName;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ListedProfile;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Creates the entries of the catalogue (ARD 0.91 §4). Their addresses are below the address of the request, but their identifiers do not
 * depend on the requested host.
 */
final class CatalogueEntries {

    static final String NAME = "Agent Health";
    private static final String AGENT = "agent";
    private static final String SERVER = "mcp";
    private static final String SERVER_CARD = "application/mcp-server-card+json";

    /** The kinds in the identifiers of agents and MCP servers. The names in these identifiers are ids of the registry. */
    static final Set<String> KINDS = Set.of(AGENT, SERVER);

    static final String IDENTIFIER = "identifier";
    static final String QUERIES = "representativeQueries";

    /** The maximum length of a title in the card of an MCP server, in characters. */
    private static final int MAX_TITLE = 100;

    private static final int MIN_QUERIES = 2;
    private static final int MAX_QUERIES = 5;
    private static final List<String> OF_REGISTRY =
            List.of("find an agent that is alive", "which agent can take work now");
    private static final String CARD_SCHEMA =
            "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

    /** Read once, because the file has the schemas of all tools. */
    private static final String VERSION = McpFile.serverInfo().path("version").textValue();

    private final String base;
    private final String publisher;

    /** Creates entries for the answer to a request. */
    CatalogueEntries(ApiRequest request) {
        this.base = request.served().baseUrl();
        this.publisher = request.served()
                .publicAddress()
                .map(address -> HostName.normalized(URI.create(address).getRawAuthority()))
                .filter(HostName::isValid)
                .orElse("localhost");
    }

    /** Returns the domain that publishes the entries. */
    String publisher() {
        return publisher;
    }

    /** Returns the base address of searches of this registry. */
    String source() {
        return base + "/";
    }

    /** Returns the entries of the registry itself: as a catalogue to search, and as an MCP server. */
    List<CatalogueEntry> ofRegistry() {
        ObjectNode registry = named("registry", NAME, "application/ai-registry+json")
                .put("url", source())
                .put(
                        "description",
                        "A registry of agents. A search shows only agents that are alive, with their verdict.");
        ObjectNode server = named("mcp", NAME + " (MCP)", SERVER_CARD)
                .put("description", "Tools that find agents, explain whether to call one, and call it.");
        ObjectNode card = card("mcp", VERSION, NAME, server.path("description").textValue());
        putRemote(card, base + "/mcp")
                .putArray("headers")
                .addObject()
                .put("name", "Authorization")
                .put("description", "Bearer, and a key of the registry")
                .put("isRequired", true)
                .put("isSecret", true);
        server.set("data", card);
        return Stream.of(registry, server)
                .map(json -> {
                    put(json, QUERIES, OF_REGISTRY);
                    return new CatalogueEntry(json, texts(json));
                })
                .toList();
    }

    /**
     * Returns the entry of an agent or MCP server, with the fields that lists show. The card of an agent has the endpoint of the gateway,
     * and the card of an MCP server its own endpoint.
     */
    CatalogueEntry of(LiveAgent live) {
        ListedProfile profile = live.agent().profile();
        String agentId = live.agent().pulse().agentId();
        String name = profile.name().isEmpty() ? agentId : profile.name();
        ObjectNode json = live.server()
                .map(server -> ofServer(agentId, name, server))
                .orElseGet(() -> named(AGENT + ":" + agentId, name, "application/a2a-agent-card+json")
                        .put("url", base + "/agents/" + agentId + "/.well-known/agent-card.json?via=gateway"));
        String what = live.isServer() ? "MCP server" : "agent";
        if (!profile.roleId().isEmpty()) {
            put(json, "tags", List.of(profile.roleId()));
        }
        if (!profile.capabilities().isEmpty()) {
            json.put(
                    "description",
                    "An " + what + " with the capabilities " + String.join(", ", profile.capabilities()) + ".");
            put(json, "capabilities", profile.capabilities());
            put(json, QUERIES, queries(what, profile.capabilities()));
        }
        json.putObject("metadata")
                .put("agent_id", agentId)
                .put("verdict", live.facts().verdict().wireName())
                .put("health_status", live.facts().healthStatus().wireName());
        List<String> texts = new ArrayList<>(profile.capabilities());
        Collections.addAll(texts, agentId, profile.roleId(), profile.name());
        return new CatalogueEntry(json, texts);
    }

    /** Returns the entry of an agent, also with the fields that only the profile has. */
    CatalogueEntry complete(KnownAgent agent) {
        CatalogueEntry entry = of(agent.live());
        entry.json()
                .put(
                        "updatedAt",
                        Timestamps.text(agent.profile().agentInterface().updatedAt()));
        return entry;
    }

    private ObjectNode ofServer(String agentId, String name, AgentProfile server) {
        String title = name.length() > MAX_TITLE ? agentId : name;
        ObjectNode card = card(
                agentId.replace(':', '.'),
                Timestamps.text(server.agentInterface().updatedAt()),
                title,
                "An MCP server.");
        putRemote(card, server.agentInterface().endpoint());
        String importedFrom = ImportedFrom.identifier(server);
        if (!importedFrom.isEmpty()) {
            // Other registries see from this field that the server was imported, and do not import it again.
            card.putObject("_meta").put("dev.agenthealth/" + ImportedFrom.FIELD, importedFrom);
        }
        ObjectNode json = named(SERVER + ":" + agentId, name, SERVER_CARD);
        json.set("data", card);
        return json;
    }

    /** Returns questions that the agent or server answers, created from its capabilities. */
    private static List<String> queries(String what, List<String> capabilities) {
        List<String> queries = new ArrayList<>();
        capabilities.stream()
                .limit(MAX_QUERIES)
                .forEach(capability -> queries.add("find an " + what + " for " + capability));
        if (queries.size() < MIN_QUERIES) {
            queries.add("which " + what + " does " + capabilities.get(0));
        }
        return queries;
    }

    private ObjectNode named(String name, String displayName, String type) {
        int colon = name.indexOf(':');
        CatalogueUrn urn = colon < 0
                ? new CatalogueUrn(publisher, "service", name)
                : new CatalogueUrn(publisher, name.substring(0, colon), name.substring(colon + 1));
        return Json.object()
                .put(IDENTIFIER, urn.text())
                .put("displayName", displayName)
                .put("type", type);
    }

    /** Returns the card of an MCP server, which says how to connect (SEP-2127). */
    private ObjectNode card(String name, String version, String title, String description) {
        List<String> labels = Arrays.asList(publisher.split("\\."));
        Collections.reverse(labels);
        return Json.object()
                .put("$schema", CARD_SCHEMA)
                .put("name", String.join(".", labels) + "/" + name)
                .put("version", version)
                .put("title", title)
                .put("description", description);
    }

    private static ObjectNode putRemote(ObjectNode card, String url) {
        return card.putArray("remotes")
                .addObject()
                .put("type", "streamable-http")
                .put("url", url);
    }

    private static List<String> texts(ObjectNode json) {
        return List.of(
                json.path("displayName").textValue(), json.path("description").textValue());
    }

    private static void put(ObjectNode json, String name, List<String> texts) {
        texts.forEach(json.putArray(name)::add);
    }
}
