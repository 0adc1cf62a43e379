package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.hosts.HostStore.HostMapping;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;
import java.util.function.Function;

/** Public agent cards, created from registrations (A2A; Agent Health State §5.1). Thread-safe. */
public final class AgentCards {

    private static final String AGENT_ID = "agent_id";

    private final AgentStore agents;
    private final HostStore hosts;
    private final CardSigner signer;
    private final Function<AgentProfile, OwnCard> own;
    private final CardAvailability availability;

    /** Creates cards without the texts of the agents' own cards. */
    public AgentCards(Database database, CardSigner signer) {
        this(database, signer, agent -> OwnCard.NONE);
    }

    /** @param own returns an agent's own card, whose texts appear in the card of the gateway */
    public AgentCards(Database database, CardSigner signer, Function<AgentProfile, OwnCard> own) {
        this.agents = new AgentStore(database);
        this.hosts = new HostStore(database);
        this.signer = signer;
        this.own = own;
        this.availability = new CardAvailability(database);
    }

    /**
     * Returns the card in the layout of A2A 0.3. The path names the agent; otherwise the requested host is mapped to it.
     *
     * @throws ApiError 400 for another {@code via} than {@code gateway}; 404 for an unknown agent, an MCP server, an agent without an
     *     endpoint and a host without a mapping; 410 for a deregistered agent
     */
    ApiResponse ofVersion03(ApiRequest request) {
        ObjectNode card = card(request).version03();
        return answer(card, request, EntityTag.of(Json.text(card)));
    }

    /**
     * Returns the card in the layout of A2A 1.0. The card is signed if the registry has a key and the request used an address of the
     * registry or a mapped host.
     *
     * @throws ApiError as {@link #ofVersion03}
     */
    ApiResponse ofVersion1(ApiRequest request) {
        ObjectNode card = card(request).version1();
        boolean signed = !signer.keyId().isEmpty() && mayBeSigned(request);
        // Two signatures of the same card differ.
        EntityTag tag = EntityTag.of((signed ? signer.keyId() : "") + Json.text(card));
        return answer(signed ? signer.sign(card, request.served().baseUrl()) : card, request, tag);
    }

    /**
     * Returns whether a card may be signed. A signature confirms that the addresses in the card are the registry's. On one machine, a
     * caller may choose the host in them.
     */
    private boolean mayBeSigned(ApiRequest request) {
        return request.served().isAtOwnAddress() || mappingOfHost(request).isPresent();
    }

    /**
     * Returns the card with the gateway's URL for {@code via=gateway}, and for personal agents, as their own address may name a person.
     * Callers of the gateway need no key of the agent.
     */
    private AgentCardJson card(ApiRequest request) {
        Fields query = request.queryFieldsOfPublic("via");
        boolean viaGateway = query.oneOf("via", "gateway").isPresent();
        query.check();
        StoredAgent agent =
                agent(request.pathText(AGENT_ID).isEmpty() ? agentOfHost(request) : request.pathId(AGENT_ID));
        AgentProfile profile = agent.profile();
        return viaGateway || profile.description().personal()
                ? AgentCardJson.viaGateway(
                        profile,
                        ownCard(profile),
                        availability.of(agent),
                        request.served().baseUrl())
                : AgentCardJson.of(profile, request.served().baseUrl());
    }

    /**
     * Returns the card of an agent in the layout of A2A 1.0, unsigned.
     *
     * @param origin the address of the registry, such as {@code https://agents.example.com}
     * @throws ApiError 404 for an unknown agent, an MCP server, and an agent without an endpoint; 410 for a deregistered agent
     */
    public ObjectNode card(String agentId, String origin) {
        AgentProfile profile = agent(agentId).profile();
        AgentCardJson card = profile.description().personal()
                ? AgentCardJson.viaGateway(profile, OwnCard.NONE, Optional.empty(), origin)
                : AgentCardJson.of(profile, origin);
        return card.version1();
    }

    /** Returns the agent's own card; {@link OwnCard#NONE} for a personal agent, as its card may name a person. */
    private OwnCard ownCard(AgentProfile profile) {
        return profile.description().personal() ? OwnCard.NONE : own.apply(profile);
    }

    /** Returns whether an agent has an extended card for authenticated clients. */
    public boolean hasExtended(AgentProfile profile) {
        return ownCard(profile).extended();
    }

    /** Returns whether an agent sends push notifications about tasks. */
    public boolean pushes(AgentProfile profile) {
        return ownCard(profile).pushing();
    }

    /** Returns whether an agent sends push notifications about tasks; {@code false} for an unknown agent. */
    public boolean pushes(String agentId) {
        return agents.find(agentId).filter(agent -> pushes(agent.profile())).isPresent();
    }

    /**
     * Returns the gateway's extended card for authenticated clients, unsigned.
     *
     * @param extended the agent's own extended card
     * @param version the version of A2A
     */
    public ObjectNode extended(StoredAgent agent, JsonNode extended, A2aVersion version, String origin) {
        AgentProfile profile = agent.profile();
        OwnCard known = ownCard(profile);
        OwnCard own = new OwnCard(OwnCard.of(extended).shown(), true, known.streaming(), known.pushing());
        AgentCardJson card = AgentCardJson.viaGateway(profile, own, availability.of(agent), origin);
        return version == A2aVersion.V0_3 ? card.version03() : card.version1();
    }

    private StoredAgent agent(String agentId) {
        StoredAgent agent = agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
        if (agent.pulse().status() == LifecycleStatus.DEREGISTERED) {
            throw AgentError.deregistered(agentId, "agent card");
        }
        if (agent.profile().agentInterface().kind() == AgentKind.MCP_SERVER) {
            throw ApiError.notFound("no_agent_card", "'" + agentId + "' is an MCP server, which has no agent card.");
        }
        if (agent.profile().agentInterface().endpoint().isEmpty()) {
            throw ApiError.notFound(
                    "no_agent_card", "Agent '" + agentId + "' declares no endpoint, without which there is no card.");
        }
        return agent;
    }

    private String agentOfHost(ApiRequest request) {
        return mappingOfHost(request)
                .map(HostMapping::agentId)
                .orElseThrow(() -> ApiError.notFound(
                        "no_agent_card",
                        "The requested host is mapped to no agent. The card of an agent is at"
                                + " /agents/{agent_id}/.well-known/agent-card.json."));
    }

    private Optional<HostMapping> mappingOfHost(ApiRequest request) {
        String host = request.served().hostName();
        return host.isEmpty() ? Optional.empty() : hosts.find(host, false);
    }

    private static ApiResponse answer(ObjectNode card, ApiRequest request, EntityTag tag) {
        return ApiResponse.cacheable(request, card, tag, Freshness.SHARED);
    }
}
