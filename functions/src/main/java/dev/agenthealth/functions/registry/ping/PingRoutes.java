package dev.agenthealth.functions.registry.ping;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.OWNER;
import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The routes of ping addresses and pings. A ping needs no key, only the secret in its path, so that no log contains the path of a request.
 */
public final class PingRoutes {

    private static final String ADDRESS = "/api/v1/agents/{agent_id}/ping-url";
    private static final String PREFIX = "/p/";
    private static final String PING = PREFIX + "{token}";
    private static final int SECRET_BYTES = 24;

    /** The number of bytes of a message that are read. Reading one byte more than is stored shows whether a message is longer. */
    private static final int READ_BYTES = LastPing.MAX_MESSAGE_BYTES + 1;

    private final Database database;
    private final AgentAccess access;
    private final PingStore addresses;
    private final PingIssuers issuers;
    private final Pings pings;
    private final LastRun lastRun;
    private final Clock clock;

    public PingRoutes(Database database, Authenticator authenticator, Clock clock) {
        this.database = database;
        this.access = new AgentAccess(new AgentStore(database));
        this.addresses = new PingStore(database);
        this.issuers = new PingIssuers(authenticator);
        this.pings = new Pings(database, issuers, clock);
        this.lastRun = new LastRun(
                new AgentStore(database), new FindingStore(database), addresses, new UpstreamStore(database));
        this.clock = clock;
    }

    /** Returns whether a path is a ping address, issued or not. A ping needs only the beginning of its body. */
    public static boolean isPing(String path) {
        return path.startsWith(PREFIX);
    }

    /** Returns the ping address in the path of a ping, without a signal. */
    public static String address(String path) {
        return PREFIX + path.substring(PREFIX.length()).replaceFirst("/.*", "");
    }

    public void addTo(Routes routes) {
        routes.on("POST " + ADDRESS, OWNER, this::issue)
                .on("GET " + ADDRESS, AGENT, this::show)
                .on("DELETE " + ADDRESS, OWNER, this::revoke)
                .on("GET " + PING, PUBLIC, this::ping, SAMPLED, ALSO_HEAD)
                .on("POST " + PING, PUBLIC, this::ping, SAMPLED)
                .on("GET " + PING + "/{signal}", PUBLIC, this::ping, SAMPLED, ALSO_HEAD)
                .on("POST " + PING + "/{signal}", PUBLIC, this::ping, SAMPLED);
    }

    /** Issues a token of the owner, or of an administrator. It replaces the earlier token of the same kind; the other token stays valid. */
    private ApiResponse issue(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Caller caller = request.caller();
        Owner first = owner(request);
        if (caller.kind() == CallerKind.PERSON) {
            throw ApiError.forbidden("A ping address ends with the key that issued it, and a person has none.");
        }
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        OptimisticUpdates.untilPresent(first, () -> owner(request), owner -> {
            Token token = new Token(KeyHash.ofKey(secret), caller.asOwner(), clock.instant());
            Optional<PingAddress> before = addresses.find(agentId);
            PingAddress after = before.filter(address -> address.isOf(owner))
                    .orElseGet(() -> PingAddress.none(owner.keyId()))
                    .with(token);
            return Optional.of(after).filter(issued -> recording(request, "agent.ping_url_issued", agentId)
                    .issue(agentId, before, issued));
        });
        return ApiResponse.json(
                201, Json.object().put("ping_url", request.served().baseUrl() + PREFIX + agentId + "." + secret));
    }

    private Owner owner(ApiRequest request) {
        return access.findOwned(request.caller(), request.pathId("agent_id"))
                .pulse()
                .owner();
    }

    private ApiResponse show(ApiRequest request) {
        StoredAgent agent = access.find(request.caller(), request.pathId("agent_id"));
        String agentId = agent.pulse().agentId();
        return ApiResponse.json(
                200,
                addresses
                        .find(agentId)
                        .filter(address -> address.isOf(agent.pulse().owner()))
                        .map(address -> PingAddressJson.of(agentId, address, inForce(address)))
                        .filter(json -> !json.path(PingAddressJson.TOKENS).isEmpty())
                        .orElseThrow(() -> ApiError.notFound(
                                "ping_url_not_found", "Agent '" + agentId + "' has no ping address.")));
    }

    private List<Token> inForce(PingAddress address) {
        return Stream.of(address.ofOwner(), address.ofAdministrator())
                .filter(token -> issuers.find(address, token).isPresent())
                .toList();
    }

    private ApiResponse revoke(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        owner(request);
        OptimisticUpdates.untilDone(() -> {
            Optional<PingAddress> before = addresses.find(agentId);
            return before.isEmpty()
                    || recording(request, "agent.ping_url_revoked", agentId).remove(agentId, before.get());
        });
        lastRun.record(agentId, RunResult.ADDRESS_REVOKED, "");
        return ApiResponse.noContent();
    }

    private PingStore recording(ApiRequest request, String action, String agentId) {
        AuditEntry entry = AuditEntry.of(request.author(), action, AuditObject.agent(agentId), Json.object());
        return AuditStore.recording(database, entry, PingStore::new);
    }

    private ApiResponse ping(ApiRequest request) {
        return ApiResponse.json(200, pings.receive(request, request.bodyStart(READ_BYTES)));
    }
}
