package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.health.CardAvailability;
import dev.agenthealth.functions.health.CardInterface;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.ImportedFrom;
import dev.agenthealth.model.gateway.CardAddress;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.operations.source.ImportedId;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.profile.WatchKind;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The part of an agent card, or of an MCP server's card, that becomes a registration.
 *
 * @param kind whether it is an agent or an MCP server
 * @param name the name for people
 * @param calls the address and the protocol of calls
 * @param capabilities the skills of an agent; no card has the tools of an MCP server
 * @param provider the id of the organisation that runs it; empty without one
 * @param probe the probe that shows whether it is alive
 * @param schedule {@code cron} and {@code time_zone} of an agent that runs by the clock and is not watched; otherwise empty
 */
record Declaration(
        AgentKind kind,
        String name,
        Calls calls,
        List<String> capabilities,
        String provider,
        Probe probe,
        Map<String, String> schedule) {

    /**
     * The calls of an agent.
     *
     * @param endpoint the URL for calls
     * @param a2a the protocol of calls; the default for an MCP server
     */
    record Calls(String endpoint, A2aProtocol a2a) {}

    /**
     * The probe of an agent.
     *
     * @param by the kind of probe
     * @param url the address of the probe; empty for the address that the endpoint implies
     * @param statuses the HTTP statuses that mean alive; empty for the usual ones
     */
    record Probe(WatchKind by, String url, List<Integer> statuses) {

        private static Probe of(WatchKind by, String url) {
            return new Probe(by, url, List.of());
        }
    }

    /** The field of a registration for its watch. */
    private static final String WATCH = "watch";

    /** The field that marks an imported server in the catalogue of another registry. */
    private static final String SERVER_IMPORTED_FROM = "dev.agenthealth/" + ImportedFrom.FIELD;

    private static final int MAX_NAME = 200;

    /** The interval of probes. Imported agents are probed less often than agents that declare a watch themselves. */
    private static final int INTERVAL_SECONDS = 300;

    private static final int TIMEOUT_SECONDS = 10;

    /** The statuses of a live server that demands a credential. */
    private static final List<Integer> DEMANDING = List.of(200, 400, 401, 403, 405, 406);

    /**
     * Returns the declaration in an agent card, of A2A 0.3 or 1.0.
     *
     * @param url the URL of the card; empty for an embedded card
     * @throws UnreadableSourceException if the document is no card
     */
    static Declaration ofCard(JsonNode card, String url) {
        List<CardInterface> interfaces = CardInterface.of(card);
        if (!card.path("name").isTextual() || interfaces.isEmpty()) {
            throw new UnreadableSourceException("no agent card: it needs a name and a url");
        }
        // An agent without a supported interface is registered nevertheless, but not called.
        CardInterface called = CardInterface.preferred(interfaces).orElse(interfaces.get(0));
        String endpoint = CardAddress.called(called.url(), url);
        return new Declaration(
                AgentKind.AGENT,
                card.path("name").textValue(),
                new Calls(endpoint, called.protocol().orElse(A2aProtocol.DEFAULT)),
                skills(card),
                card.at("/provider/organization").asText(""),
                Probe.of(WatchKind.A2A, isSameHost(url, endpoint) ? url : ""),
                Map.of());
    }

    private static List<String> skills(JsonNode card) {
        Set<String> skills = new LinkedHashSet<>();
        for (JsonNode skill : card.path("skills")) {
            String tag = skill.path("id")
                    .asText(skill.path("name").asText(""))
                    .replace(',', ' ')
                    .strip();
            skills.add(tag.substring(0, Math.min(tag.length(), CapabilityTag.MAX_LENGTH))
                    .strip());
        }
        skills.remove("");
        return skills.stream().limit(AgentInterface.MAX_CAPABILITIES).toList();
    }

    /** Returns the declaration of a Kubernetes resource without a card of its own. */
    static Declaration ofResource(JsonNode card) {
        String url = card.path("url").asText("");
        return new Declaration(
                AgentKind.AGENT,
                card.path("name").asText(),
                new Calls(url, A2aProtocol.DEFAULT),
                skills(card),
                "",
                Probe.of(url.endsWith("/agent-health") ? WatchKind.AGENT_HEALTH : WatchKind.HTTP, url),
                url.isEmpty()
                        ? Map.of(
                                "cron", card.path("cron").asText(),
                                "time_zone", card.path("time_zone").asText())
                        : Map.of());
    }

    /**
     * Returns the declaration of an MCP server; empty for a server that only runs on its user's machine.
     *
     * @throws UnreadableSourceException if the document is no description of a server
     */
    static Optional<Declaration> ofServer(JsonNode server) {
        if (!server.path("name").isTextual()) {
            throw new UnreadableSourceException("no MCP server: it needs a name");
        }
        String name = server.path("title").asText(server.path("name").textValue());
        for (JsonNode remote : server.path("remotes")) {
            String url = remote.path("url").asText("");
            if (remote.path("type").asText("").equals("streamable-http")
                    && Endpoint.of(url).isPresent()) {
                boolean demanding = Stream.of(remote.path("headers"))
                        .flatMap(headers -> headers.findValues("isRequired").stream())
                        .anyMatch(JsonNode::asBoolean);
                return Optional.of(new Declaration(
                        AgentKind.MCP_SERVER,
                        name,
                        new Calls(url, A2aProtocol.DEFAULT),
                        List.of(),
                        "",
                        demanding ? new Probe(WatchKind.HTTP, url, DEMANDING) : Probe.of(WatchKind.MCP, url),
                        Map.of()));
            }
        }
        return Optional.empty();
    }

    /** Returns the declaration of an agent in another registry. Probes ask that registry for the agent's health. */
    Declaration ofRegistry(String healthUrl) {
        return new Declaration(
                kind, name, calls, capabilities, provider, Probe.of(WatchKind.AGENT_HEALTH, healthUrl), Map.of());
    }

    String endpoint() {
        return calls.endpoint();
    }

    /** Returns the identifier of an agent whose source names none: its endpoint, with its tenant if the endpoint serves several agents. */
    String identifier() {
        String tenant = calls.a2a().tenant();
        return tenant.isEmpty() ? endpoint() : endpoint() + "#" + tenant;
    }

    /** Returns whether a card says that its agent was imported. */
    static boolean isImported(JsonNode card) {
        for (JsonNode extension : card.at("/capabilities/extensions")) {
            if (extension.path("params").has(ImportedFrom.FIELD)) {
                return true;
            }
        }
        return card.path("_meta").has(SERVER_IMPORTED_FROM);
    }

    /**
     * Returns the digest of documents, independent of the order of their names. The signatures of a card are left out, and the availability in
     * a card of another registry.
     */
    static String digest(JsonNode... documents) {
        List<String> texts = new ArrayList<>();
        for (JsonNode document : documents) {
            JsonNode declared = document.deepCopy();
            if (declared instanceof ObjectNode card) {
                card.remove("signatures");
                CardAvailability.remove(card);
            }
            texts.add(Json.text(Json.sorted(declared)));
        }
        return HexFormat.of().formatHex(Sha256.of(texts));
    }

    /** Returns the body of a registration. */
    ObjectNode registration(String agentId, String keyId, String source, String identifier, ProviderGrants grants) {
        ObjectNode body = changes(source, identifier, grants, Watch.NONE, Json.object())
                .put("agent_id", agentId)
                .put("owner_key_id", keyId);
        if (!schedule.isEmpty()) {
            return body;
        }
        body.putObject("heartbeat_config")
                .put("interval_seconds", INTERVAL_SECONDS)
                .put("unhealthy_after_seconds", 3 * INTERVAL_SECONDS)
                .put("dead_after_seconds", 12 * INTERVAL_SECONDS);
        return body;
    }

    /**
     * Returns the body of a change: the declaration of the source, without fields that an operator may have changed.
     *
     * @param before the agent's present watch; it changes if it still has the probe that the source declared last
     * @param metadata the agent's present metadata, which is kept
     */
    ObjectNode changes(String source, String identifier, ProviderGrants grants, Watch before, ObjectNode metadata) {
        ObjectNode body = Json.object()
                .put("kind", kind.wireName())
                .put("name", name.substring(0, Math.min(name.length(), MAX_NAME)))
                .put("endpoint", calls.endpoint().isEmpty() ? null : calls.endpoint())
                .put("a2a_version", calls.a2a().version().wireName())
                .put("a2a_binding", calls.a2a().binding().wireName())
                .put(
                        "a2a_tenant",
                        calls.a2a().tenant().isEmpty() ? null : calls.a2a().tenant());
        if (kind == AgentKind.AGENT) {
            capabilities.forEach(body.putArray("capabilities")::add);
        }
        String named = provider.isBlank() ? "" : ImportedId.of(provider);
        if (!named.isEmpty() && grants.permit(named)) {
            body.put("provider_id", named);
        }
        ObjectNode from = metadata.withObjectProperty(ImportedFrom.FIELD).put("source", source);
        from.put("identifier", identifier);
        if (from.path(WATCH).asText("").equals(before.isWatched() ? asked(before.by(), before.url()) : "")) {
            from.put(WATCH, schedule.isEmpty() ? asked(probe.by(), probe.url()) : "");
            body.set(WATCH, schedule.isEmpty() ? watch(before) : NullNode.getInstance());
        }
        body.set("metadata", metadata);
        if (!schedule.isEmpty()) {
            ObjectNode runs = body.putObject("heartbeat_config").putObject("schedule");
            schedule.forEach((field, text) -> {
                if (!text.isEmpty()) {
                    runs.put(field, text);
                }
            });
        }
        return body;
    }

    private static String asked(WatchKind by, String url) {
        return by.wireName() + " " + url;
    }

    /** Returns the watch after this one. Its times stay, and its expectations stay if the probe is the same. */
    private ObjectNode watch(Watch before) {
        ObjectNode asked = Json.object()
                .put("by", probe.by().wireName())
                .put("url", probe.url().isEmpty() ? null : probe.url());
        if (!before.isWatched()) {
            asked.put("interval_seconds", INTERVAL_SECONDS).put("timeout_seconds", TIMEOUT_SECONDS);
        }
        if (probe.by() != before.by() || !before.isWatched()) {
            ObjectNode expect = asked.putObject("expect").putNull("contains");
            probe.statuses().forEach(expect.putArray("statuses")::add);
        }
        return asked;
    }

    private static boolean isSameHost(String url, String other) {
        Optional<Endpoint> one = Endpoint.of(url);
        return one.isPresent()
                && Endpoint.of(other)
                        .filter(endpoint ->
                                endpoint.authority().equals(one.get().authority())
                                        && endpoint.secure() == one.get().secure())
                        .isPresent();
    }
}
