package dev.agenthealth.functions.health;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;
import static dev.agenthealth.functions.api.access.Access.OPTIONAL_KEY;
import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.ANY_ORIGIN;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;

/** The routes of health documents and agent cards, of scores and their history, and of the health of the system. */
public final class HealthRoutes {

    /** The route for warming up. It needs no key, and reads the same items as most routes. */
    public static final String HEALTH_OF_AGENT = "GET /agents/{agent_id}/.well-known/agent-health";

    private final HealthDocuments documents;
    private final AgentCards cards;
    private final Scores scores;
    private final SystemHealth system;
    private final FleetMetrics metrics;
    private final CardSigner signer;

    /** @param own returns the agents' own cards */
    public HealthRoutes(Database database, Clock clock, CardSigner signer, OwnCards own) {
        this.documents = new HealthDocuments(database, clock);
        this.cards = new AgentCards(database, signer, own::of);
        this.scores = new Scores(database, clock);
        this.system = new SystemHealth(database, clock);
        this.metrics = new FleetMetrics(database, clock);
        this.signer = signer;
    }

    public void addTo(Routes routes) {
        Route.Option[] ofPublicDocuments = {SAMPLED, ANY_ORIGIN, ALSO_HEAD};
        routes.on("GET /.well-known/agent-health", OPTIONAL_KEY, documents::ofHost, ofPublicDocuments)
                .on(HEALTH_OF_AGENT, OPTIONAL_KEY, documents::ofAgent, ofPublicDocuments)
                .on("GET /.well-known/agent.json", PUBLIC, cards::ofVersion03, ofPublicDocuments)
                .on("GET /.well-known/agent-card.json", PUBLIC, cards::ofVersion1, ofPublicDocuments)
                .on("GET /agents/{agent_id}/.well-known/agent.json", PUBLIC, cards::ofVersion03, ofPublicDocuments)
                .on("GET /agents/{agent_id}/.well-known/agent-card.json", PUBLIC, cards::ofVersion1, ofPublicDocuments)
                .on("GET " + CardSigner.KEYS_PATH, PUBLIC, this::keys, ofPublicDocuments)
                .on("GET /api/v1/agents/{agent_id}/health", AGENT, this::score)
                .on("GET /api/v1/agents/{agent_id}/health/history", AGENT, scores::history, QUERY)
                .on("GET /api/v1/health", COORDINATOR, system::answer)
                .on("GET /metrics", COORDINATOR_OF_ALL_ROLES, metrics::answer, SAMPLED, QUERY);
    }

    /** Returns the keys that verify the signatures of cards. */
    private ApiResponse keys(ApiRequest request) {
        ObjectNode keys = signer.keys();
        return ApiResponse.cacheable(request, keys, EntityTag.of(Json.text(keys)), Freshness.SHARED);
    }

    private ApiResponse score(ApiRequest request) {
        return ApiResponse.json(
                200,
                scores.current(request.caller(), request.pathId("agent_id")).json());
    }
}
