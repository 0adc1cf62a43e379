package dev.agenthealth.functions.schedules;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.registry.lifesigns.SignsOfLife;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.schedules.LifecycleModel.Agent;
import dev.agenthealth.functions.schedules.LifecycleModel.Lease;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.sweep.RowSweep;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.testkit.MemoryDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The handlers of the API and the sweep on items in memory, with the operations of a schedule. */
final class RealLifecycle implements AutoCloseable {

    private static final String KEY = "key-of-schedules";
    private static final KeyHash FIRST_SECRET = KeyHash.ofKey(KEY);
    private static final String INTENT = "i";
    private static final Instant ZERO = Instant.parse("2026-02-08T00:00:00Z");

    private final TestSystem system = TestSystem.withoutPauses();
    private final MemoryDynamoDb memory;
    private final Map<String, HttpFunction> functions = new HashMap<>();
    private final Database database;
    private final Database stored;
    private final RowSweep sweep;
    private final SignsOfLife signs;

    /** @param client sends the requests to the memory */
    RealLifecycle(MemoryDynamoDb memory, DynamoDbClient client) {
        this.memory = memory;
        Wiring usual = system.wiring(Map.of());
        Wiring wiring = usual.toBuilder().dynamoDb(() -> client).build();
        PrintStream out = System.out;
        // A line for each request of a million schedules.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            for (HttpFunction function : List.of(
                    new RegistryFunction(wiring),
                    new HeartbeatFunction(wiring),
                    new HealthFunction(wiring, TestSystem.NO_NAMES),
                    new AdministrationFunction(wiring))) {
                function.routes().keys().forEach(route -> functions.put(route, function));
            }
        } finally {
            System.setOut(out);
        }
        this.database = system.databaseThrough(client);
        this.stored = system.databaseThrough(memory);
        this.sweep = new RowSweep(database);
        this.signs = SignsOfLife.in(database, system.clock());
        for (Role role : List.of(Role.AGENT, Role.COORDINATOR)) {
            String key = role == Role.AGENT ? KEY : TestSystem.COORDINATOR_KEY;
            new KeyStore(stored)
                    .add(ApiKey.issued(
                            TestSystem.keyId(key), KeyHash.ofKey(key), role, key, Set.of(), ProviderGrants.NONE, ZERO));
        }
    }

    @Override
    public void close() {
        system.close();
    }

    /** Sets the clock, in seconds. */
    void at(long seconds) {
        system.clock().advance(Duration.between(system.clock().instant(), ZERO.plusSeconds(seconds)));
    }

    /** The id of the last lease of each scope, empty where there is none. */
    List<String> lastLeases() {
        List<String> ids = new ArrayList<>();
        for (int scope = 0; scope < LifecycleModel.SCOPES; scope++) {
            ids.add(new LeaseStore(stored)
                    .ofScope(INTENT, "s" + scope)
                    .map(dev.agenthealth.model.registry.lease.Lease::id)
                    .orElse(""));
        }
        return ids;
    }

    /**
     * Performs an operation; returns its answer as the model has it, but with the id of a lease.
     *
     * @param leases the ids of the leases that operations name, by scope
     */
    String perform(Act act, List<String> leases) {
        String agent = "a" + act.agent();
        String path = "/api/v1/agents/{agent_id}";
        String lease = "/api/v1/intents/{intent_id}/leases";
        Map<String, String> ofAgent = Map.of("agent_id", agent);
        Map<String, String> ofLease = act.kind().isOfLease()
                ? Map.of("intent_id", INTENT, "lease_id", leases.get(act.scope()))
                : Map.of("intent_id", INTENT);
        String lastLease = lease + "/{lease_id}";
        return switch (act.kind()) {
            case REGISTER, REPLACE, REPLACE_ELSEWHERE -> register(act, agent);
            case HEARTBEAT -> heartbeat(ofAgent, "active", "");
            case HEARTBEAT_BUSY -> heartbeat(ofAgent, "active", ",\"current_load\":1");
            case HEARTBEAT_IDLE -> heartbeat(ofAgent, "active", ",\"current_load\":0");
            case HEARTBEAT_DRAINING -> heartbeat(ofAgent, "draining", "");
            case HEARTBEAT_OF_FIRST -> heartbeat(ofAgent, "active", ",\"incarnation\":1");
            case SIGN_BY_PROBE -> signs.record(agent, SeenBy.PROBE, true).name();
            case SIGN_BY_PING -> signs.record(agent, SeenBy.PING, true).name();
            case DRAIN -> drain(KEY, ofAgent);
            case DRAIN_BY_OPERATOR -> drain(TestSystem.ADMINISTRATOR_KEY, ofAgent);
            case DEREGISTER -> send("DELETE " + path, KEY, ofAgent, "").text();
            case ACQUIRE -> {
                Answer answer = send(
                        "POST " + lease,
                        KEY,
                        ofLease,
                        "{\"agent_id\":\"" + agent + "\",\"scope\":\"s" + act.scope() + "\",\"duration_seconds\":"
                                + LifecycleModel.LEASE_SECONDS + "}");
                yield answer.isError()
                        ? answer.text()
                        : answer.text() + " " + answer.body().path("id").textValue();
            }
            case RENEW ->
                send("PATCH " + lastLease, KEY, ofLease, "{\"duration_seconds\":" + LifecycleModel.LEASE_SECONDS + "}")
                        .text();
            case RELEASE -> send("DELETE " + lastLease, KEY, ofLease, "").text();
            case REVOKE ->
                send("POST " + lastLease + "/revoke", TestSystem.COORDINATOR_KEY, ofLease, "")
                        .text();
            case VERIFY ->
                send(
                                "POST " + lastLease + "/verify",
                                KEY,
                                ofLease,
                                "{\"fencing_token\":" + tokens.get(leases.get(act.scope())) + "}")
                        .text();
            case SHOW -> {
                Answer answer = send("GET " + lastLease, KEY, ofLease, "");
                yield answer.text() + " " + answer.body().path("status").asText();
            }
            case COMMAND ->
                send("POST " + path + "/commands", KEY, ofAgent, "{\"command\":\"drain\"}")
                        .text();
            case WITHDRAW ->
                send("DELETE " + path + "/commands/drain", KEY, ofAgent, "").text();
            case BLOCK, UNBLOCK ->
                send(
                                "POST /v1/admin/agents/{agent_id}/"
                                        + (act.kind() == Act.Kind.BLOCK ? "block" : "unblock"),
                                TestSystem.ADMINISTRATOR_KEY,
                                ofAgent,
                                act.kind() == Act.Kind.BLOCK ? "{}" : "")
                        .text();
            case ROTATE_KEY ->
                send(
                                "POST /v1/admin/keys/{key_id}/rotate",
                                TestSystem.ADMINISTRATOR_KEY,
                                Map.of("key_id", TestSystem.keyId(KEY)),
                                "{\"overlap_seconds\":0}")
                        .text();
            case REVOKE_KEY ->
                send(
                                "DELETE /v1/admin/keys/{key_id}",
                                TestSystem.ADMINISTRATOR_KEY,
                                Map.of("key_id", TestSystem.keyId(KEY)),
                                "")
                        .text();
            case SILENCE ->
                send(
                                "PUT /api/v1/silences/{name}",
                                KEY,
                                Map.of("name", "night"),
                                "{\"for_seconds\":600,\"reason\":\"work\"}")
                        .text();
            case END_SILENCE ->
                send("DELETE /api/v1/silences/{name}", KEY, Map.of("name", "night"), "")
                        .text();
            case SWEEP -> {
                sweep.agent(agent);
                yield "";
            }
            case SWEEP_LEASES -> {
                sweep.leases();
                yield "";
            }
        };
    }

    private final Map<String, Long> tokens = new HashMap<>();

    private String register(Act act, String agent) {
        String more = act.kind() == Act.Kind.REGISTER ? "" : ",\"replace\":true";
        String instance = act.kind() == Act.Kind.REPLACE_ELSEWHERE ? "two" : "one";
        Answer answer = send(
                "POST /api/v1/agents",
                KEY,
                Map.of(),
                "{\"agent_id\":\"" + agent + "\",\"role_id\":\"worker\",\"instance\":\"" + instance + "\"" + more
                        + "}");
        return answer.isError()
                ? answer.text()
                : answer.text() + " v" + answer.body().path("version").asLong() + " i"
                        + answer.body().path("incarnation").asLong();
    }

    private String heartbeat(Map<String, String> parameters, String status, String more) {
        Answer answer = send(
                "POST /api/v1/agents/{agent_id}/heartbeat",
                KEY,
                parameters,
                "{\"status\":\"" + status + "\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"" + more + "}");
        return answer.isError()
                ? answer.text()
                : answer.text() + " " + answer.body().path("agent_status").asText() + " i"
                        + answer.body().path("incarnation").asLong()
                        + (answer.body().path("pending_commands").isEmpty() ? "" : " drain");
    }

    private String drain(String key, Map<String, String> parameters) {
        Answer answer = send("PATCH /api/v1/agents/{agent_id}/status", key, parameters, "{\"status\":\"draining\"}");
        return answer.isError()
                ? answer.text()
                : answer.text() + " " + answer.body().path("status").asText() + " v"
                        + answer.body().path("version").asLong();
    }

    /** @param text the status, and the error where there is one */
    private record Answer(String text, JsonNode body) {

        boolean isError() {
            return text.startsWith("4") || text.startsWith("5");
        }
    }

    private Answer send(String route, String key, Map<String, String> parameters, String body) {
        String method = route.substring(0, route.indexOf(' '));
        APIGatewayV2HTTPResponse response = functions
                .get(route)
                .handleRequest(
                        APIGatewayV2HTTPEvent.builder()
                                .withVersion("2.0")
                                .withRouteKey(route)
                                .withRawPath(route.substring(method.length() + 1))
                                .withHeaders(Map.of("x-api-key", key, "if-match", "*"))
                                .withQueryStringParameters(Map.of())
                                .withPathParameters(parameters)
                                .withRequestContext(APIGatewayV2HTTPEvent.RequestContext.builder()
                                        .withDomainName("")
                                        .withHttp(APIGatewayV2HTTPEvent.RequestContext.Http.builder()
                                                .withMethod(method)
                                                .withSourceIp("")
                                                .build())
                                        .build())
                                .withBody(body.isEmpty() ? null : body)
                                .build(),
                        null);
        JsonNode json = response.getBody() == null || response.getBody().isEmpty()
                ? Json.object()
                : Json.stored(response.getBody());
        String error =
                response.getStatusCode() >= 400 ? " " + json.path("error").asText() : "";
        return new Answer(response.getStatusCode() + error, json);
    }

    /** Makes passes of the sweep. */
    void sweep(int passes) {
        for (int pass = 0; pass < passes; pass++) {
            for (int agent = 0; agent < LifecycleModel.AGENTS; agent++) {
                sweep.agent("a" + agent);
            }
            sweep.leases();
        }
    }

    /**
     * The stored state as a state of the model.
     *
     * @param ordinals receives the number of each lease among those of its scope, by id
     * @throws AssertionError where the items contradict each other
     */
    LifecycleModel observed(long now, Map<String, Integer> ordinals) {
        LifecycleModel observed = new LifecycleModel();
        observed.now = now;
        for (int i = 0; i < LifecycleModel.AGENTS; i++) {
            Optional<StoredAgent> agent = new AgentStore(stored).find("a" + i);
            if (agent.isPresent()) {
                observed.agents[i] = agent(agent.get(), now);
            }
            boolean blocked =
                    new BlockStore(stored).of("a" + i, Set.of()).ofAgent().inForce();
            if (agent.isEmpty()) {
                observed.agents[i].blocked = blocked;
            } else if (observed.agents[i].blocked != blocked) {
                throw new AssertionError("the row of a" + i + " does not say that it is blocked: " + blocked);
            }
        }
        Map<String, Lease> byId = new HashMap<>();
        List<dev.agenthealth.model.registry.lease.Lease> leases =
                new ArrayList<>(new LeaseStore(stored).ofIntent(INTENT, "", 100));
        leases.sort(Comparator.comparingLong(dev.agenthealth.model.registry.lease.Lease::fencingToken));
        Map<String, String> lastOfScope = new HashMap<>();
        Map<Integer, Integer> count = new HashMap<>();
        for (dev.agenthealth.model.registry.lease.Lease lease : leases) {
            Lease one = lease(lease);
            observed.leases.add(one);
            byId.put(lease.id(), one);
            tokens.put(lease.id(), lease.fencingToken());
            lastOfScope.put(lease.scope(), lease.id());
            ordinals.put(lease.id(), count.merge(one.scope, 1, Integer::sum) - 1);
        }
        events(observed, byId);
        check(leases, lastOfScope);
        observed.silenced =
                new SilenceStore(stored).find(TestSystem.keyId(KEY), "night").isPresent();
        Optional<ApiKey> key = new KeyStore(stored).find(TestSystem.keyId(KEY));
        observed.revoked = key.isEmpty();
        observed.secret = key.isEmpty() || key.get().hash().equals(FIRST_SECRET) ? 0 : 1;
        return observed;
    }

    private static Agent agent(StoredAgent stored, long now) {
        Pulse pulse = stored.pulse();
        Agent agent = new Agent();
        agent.status = pulse.status().wireName();
        agent.since = seconds(pulse.statusSince());
        agent.incarnation = (int) pulse.incarnation();
        agent.version = (int) pulse.version();
        agent.sequence = (int) pulse.sequence();
        agent.beats = pulse.heartbeatCount();
        agent.heardAt = seconds(pulse.lastHeartbeatAt());
        agent.load = pulse.workload().load();
        if (pulse.drain().isUnderWay()) {
            agent.deadline = seconds(pulse.drain().deadline());
            agent.beatsBefore = pulse.drain().heartbeatsBefore();
        }
        agent.commanded = pulse.coordination().pendingDrain().isPending();
        agent.blocked = pulse.coordination().blockedUntil().isAfter(ZERO.plusSeconds(now));
        agent.instance = stored.profile().history().instance();
        KeyHash secret = pulse.owner().credential();
        agent.secret = secret.isNone() ? -1 : secret.equals(FIRST_SECRET) ? 0 : 1;
        agent.seenByOthers = pulse.seenBy() != SeenBy.HEARTBEAT;
        agent.through = (int) pulse.cleanUp().through();
        agent.died = (int) pulse.cleanUp().dead();
        agent.left = (int) pulse.cleanUp().deregistered();
        agent.restarted = (int) pulse.cleanUp().restarted();
        return agent;
    }

    private static Lease lease(dev.agenthealth.model.registry.lease.Lease stored) {
        Lease lease = new Lease();
        lease.scope = Integer.parseInt(stored.scope().substring(1));
        lease.agent = Integer.parseInt(stored.agentId().substring(1));
        lease.incarnation = (int) stored.incarnation();
        lease.expiresAt = seconds(stored.expiresAt());
        lease.status = stored.status().name().toLowerCase(java.util.Locale.ROOT);
        lease.events = "";
        return lease;
    }

    private static long seconds(Instant moment) {
        return moment.getEpochSecond() - ZERO.getEpochSecond();
    }

    private void events(LifecycleModel observed, Map<String, Lease> leases) {
        Set<String> ids = new HashSet<>();
        Map<String, List<String>> ends = new HashMap<>();
        for (Map<String, AttributeValue> item : memory.items(TestTables.REGISTRY)) {
            if (!item.get("sk").s().startsWith("E#") || !item.containsKey("detail")) {
                continue;
            }
            JsonNode event = Json.stored(item.get("detail").s());
            if (!ids.add(event.path("event_id").asText())) {
                throw new AssertionError("two events have the id " + event.path("event_id"));
            }
            String type = event.path("type").asText();
            if (type.startsWith("lease.")) {
                Lease lease = leases.get(event.path("lease_id").asText());
                if (type.equals("lease.acquired")) {
                    lease.events = "acquired;" + lease.events;
                } else {
                    String reason = event.path("reason").asText("");
                    lease.events += type.substring("lease.".length()) + (reason.isEmpty() ? "" : " " + reason) + ";";
                }
            } else if (type.startsWith("audit.")) {
                observed.audit.add(audited(event));
            } else {
                Agent agent = observed.agents[
                        Integer.parseInt(event.path("agent_id").asText().substring(1))];
                if (!event.has("sequence")) {
                    agent.ahead += event.path("action").asText().charAt(0);
                    continue;
                }
                agent.events += switch (type) {
                    case "agent.lifecycle" ->
                        event.path("previous_status").asText() + ">"
                                + event.path("new_status").asText() + " "
                                + event.path("reason").asText() + ";";
                    case "agent.trust" -> event.path("action").asText() + ";";
                    default -> type.substring("agent.".length()) + ";";
                };
            }
        }
    }

    private static String audited(JsonNode entry) {
        String object = entry.path("object").path("id").asText();
        JsonNode before = entry.path("before");
        JsonNode after = entry.path("after");
        return entry.path("action").asText()
                + switch (entry.path("action").asText()) {
                    case "agent.registered" ->
                        " " + object + " i" + before.path("incarnation").asLong() + ">"
                                + after.path("incarnation").asLong();
                    case "agent.status_changed" ->
                        " " + object
                                + (after.has("status")
                                        ? " " + before.path("status").asText() + ">"
                                                + after.path("status").asText()
                                        : "");
                    case "key.rotated", "key.revoked", "silence.written", "silence.deleted" -> "";
                    default -> " " + object;
                };
    }

    /** The lock of a scope is its last lease, and exactly the leases that have not ended have a pointer from their holder. */
    private void check(List<dev.agenthealth.model.registry.lease.Lease> leases, Map<String, String> lastOfScope) {
        lastOfScope.forEach((scope, id) -> {
            dev.agenthealth.model.registry.lease.Lease lock =
                    new LeaseStore(stored).ofScope(INTENT, scope).orElseThrow();
            dev.agenthealth.model.registry.lease.Lease last = leases.stream()
                    .filter(lease -> lease.id().equals(id))
                    .findFirst()
                    .orElseThrow();
            if (!lock.equals(last)) {
                throw new AssertionError("the lock " + lock + " is not the last lease " + last);
            }
        });
        Set<String> pointers = new HashSet<>();
        for (Map<String, AttributeValue> item : memory.items(TestTables.REGISTRY)) {
            if (item.get("pk").s().startsWith("A#") && item.get("sk").s().startsWith("L#")) {
                pointers.add(item.get("sk").s().substring(2));
            }
        }
        Set<String> open = new HashSet<>();
        leases.stream()
                .filter(lease -> lease.status() == dev.agenthealth.model.registry.lease.LeaseStatus.ACTIVE)
                .forEach(lease -> open.add(lease.id()));
        if (!pointers.equals(open)) {
            throw new AssertionError("pointers " + pointers + " of leases " + open);
        }
    }
}
