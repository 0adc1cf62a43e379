package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.TelemetryFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.identity.IdentityProviderStore;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.identity.IdentityProvider;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.ApiDescription.Operation;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestEventBridge;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every operation of {@code docs/openapi.yaml} is executed with its examples and succeeds. */
@Tag("slow")
class DescribedExamplesTest {

    /** In an order in which each finds what it needs. */
    private static final List<String> STORY =
            """
            ping headApiPing getCaller getDescription headDescription getPage headPage getPageFile headPageFile
            putNotification getNotification listNotifications testNotification deleteNotification
            putSilence getSilence listSilences deleteSilence putOwnSilence getOwnSilence listOwnSilences deleteOwnSilence
            putIdentityProvider getIdentityProvider listIdentityProviders listSignIns headSignIns signIn beginDeviceSignIn revokeSignIn deleteIdentityProvider getAdministratorKey putAdministratorKey
            putConfiguration getConfiguration exportRegistry importRegistry issueKey listKeys changeKey rotateKey
            putSource getSource listSources syncSource deleteSource revokeKey
            registerAgent getAgent listAgents sendHeartbeat sendHeartbeats reportOutcomes mapSpans listSpanMappings exportTraces exportLogs configureTelemetry unmapSpans changeAgent changeOwner acceptDeclaration
            getAgentHealthDocument headAgentHealthDocument getHealthDocument headHealthDocument
            getAgentCard03 headAgentCard03 getAgentCard headAgentCard
            listAuditEntries mapHost listHosts getHostCard03 headHostCard03 getHostCard headHostCard unmapHost getCardKeys headCardKeys
            getCatalogue headCatalogue getAiCatalogue headAiCatalogue searchCatalogue getCatalogueEntry headCatalogueEntry
            putStatusPage getStatusPage putStatusIncident getPublishedStatus getStatusSummary getStatusBadge deleteStatusIncident
            getAgentHealth getAgentHealthHistory getAgentAvailability getSystemHealth getMetrics getFleetAvailability getFleetHistory getUsage listCalls
            putWorkflow getWorkflow listWorkflows listPools getPool getPoolVersions getPoolAvailability
            acquireLease getLease listLeases listAgentLeases verifyLease renewLease revokeLease releaseLease listIntentEvents
            openIntentRegisterAgent openIntentGetAgentRecord openIntentListAgents openIntentSendHeartbeat openIntentAcquireLease
            openIntentGetLeases openIntentRenewLease openIntentReleaseLease openIntentGetEvents
            sendMessageByA2a listTasksByA2a getTaskByA2a changeTaskByA2a getExtendedCardByA2a
            createPushConfigByA2a getPushConfigByA2a listPushConfigsByA2a receiveNotificationByA2a deletePushConfigByA2a
            invokeAgent invokeAgentAsync callAgentByA2a callMcp setAgentCredential getAgentCredential removeAgentCredential getReceipt
            listAgentRecords getAgentRecord listProviderRecords getProviderRecord
            listProblems getProblem acknowledgeProblem dismissProblem
            putContainmentRule getContainmentRule listContainmentRules deleteContainmentRule
            stopAgents listStops liftStop blockAgent listAgentTrust getAgentTrust unblockAgent blockProvider listProviderTrust getProviderTrust unblockProvider
            issuePingUrl getSignal headSignal sendSignal getPing headPing sendPing getPingUrl revokePingUrl
            requestCommand listCommands withdrawDrain openIntentUpdateAgentStatus changeAgentStatus
            listAgentEvents listEvents republishEvents deregisterAgent eraseAgent deleteWorkflow
            """
                    .lines()
                    .flatMap(line -> List.of(line.strip().split(" ")).stream())
                    .toList();

    /** Operations whose answers are no JSON. */
    private static final Set<String> TEXTS = Set.of("getMetrics", "getPublishedStatus", "getStatusBadge");

    private final TestSystem system = new TestSystem();
    private final TestEventBridge eventBridge = TestEventBridge.of(List.of("bus"));
    private final ScriptedServer agent = ScriptedServer.http();
    private final TestApi api = api();
    private final Map<String, Operation> operations = ApiDescription.ofProject().operations().values().stream()
            .collect(Collectors.toMap(Operation::id, Function.identity()));

    /** What earlier answers had, in place of the examples. */
    private final Map<String, String> learned = new HashMap<>();

    @AfterEach
    void close() {
        agent.close();
        eventBridge.close();
        system.close();
    }

    @Test
    void every_operation_succeeds_with_its_examples() {
        assertThat(STORY)
                .as("operations of docs/openapi.yaml in STORY")
                .containsExactlyInAnyOrderElementsOf(operations.values().stream()
                        .filter(operation -> operation.statuses().stream().anyMatch(status -> status < 300))
                        .map(Operation::id)
                        .toList());
        agent.plays(AgentScripts.message());
        for (String id : STORY) {
            if (id.equals("listProblems")) {
                reportDrift();
            }
            if (id.equals("listSignIns")) {
                moveProviderHere();
            }
            prepare(id);
            Response response = send(operations.get(id));
            if (id.equals("beginDeviceSignIn")) {
                agent.plays(AgentScripts.message());
            }
            assertThat(response.status()).as(id + " " + response.text()).isBetween(200, 299);
            if (!id.startsWith("getPage") && !TEXTS.contains(id)) {
                learn(id, response.json());
            }
            if (id.equals("changeOwner")) {
                moveAgentHere();
            }
        }
    }

    /** What the agent answers to calls other than messages. */
    private void prepare(String id) {
        switch (id) {
            case "getMetrics" -> system.sweep().passes(TestContext.of("SweepFunction"));
            case "listTasksByA2a" -> agent.plays(AgentScripts.result("{\"tasks\":[],\"nextPageToken\":\"\"}"));
            case "getTaskByA2a" -> agent.plays(AgentScripts.task("working"));
            case "changeTaskByA2a" -> {
                agent.plays(AgentScripts.task("canceled"));
                learned.put("task", "task-7f3a:cancel");
            }
            case "getExtendedCardByA2a" ->
                agent.plays((request, out) -> {
                    String card = "{\"name\":\"Own\",\"url\":\"http://agent.test:" + agent.port()
                            + "/a2a\",\"supportsAuthenticatedExtendedCard\":true,\"capabilities\":{\"pushNotifications\":true}}";
                    boolean asksForCard = request.line().startsWith("GET ");
                    (asksForCard ? ScriptedServer.Script.body(card) : AgentScripts.result(card)).play(request, out);
                });
            case "createPushConfigByA2a" -> {
                learned.put("task", "task-7f3a");
                agent.plays(AgentScripts.result("{}"));
            }
            case "receiveNotificationByA2a" -> {
                JsonNode config = Json.stored(agent.requests()
                                .get(agent.requests().size() - 1)
                                .body())
                        .path("params");
                String url = config.findValue("url").asText();
                learned.put("push_id", url.substring(url.lastIndexOf('/') + 1));
                learned.put(
                        "X-A2A-Notification-Token", config.findValue("token").asText());
            }
            case "invokeAgent" -> agent.plays(AgentScripts.message());
            default -> {
                // The agent answers as before.
            }
        }
    }

    private Response send(Operation operation) {
        TestApi.Request request =
                api.request(operation.method(), path(operation)).key(TestSystem.ADMINISTRATOR_KEY);
        if (operation.id().contains("Catalogue") || operation.id().contains("PushConfig")) {
            request.domain("registry.example.com");
        }
        if (operation.id().contains("HostCard")) {
            request.domain("billing-agent.example.com");
        }
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.path("name").asText();
            boolean sent =
                    parameter.has("example") && (parameter.path("required").asBoolean() || !name.equals("If-Match"));
            if (sent && parameter.path("in").asText().equals("query")) {
                request.query(name, text(parameter.path("example")));
            } else if (sent && parameter.path("in").asText().equals("header")) {
                String value = learned.getOrDefault(name, text(parameter.path("example")));
                request.header(name.toLowerCase(Locale.ROOT), value);
            }
        }
        if (!operation.example().isMissingNode()) {
            request.header("content-type", "application/json")
                    .body(body(operation).toString());
        }
        return request.send();
    }

    private String path(Operation operation) {
        String path = operation.pathTemplate();
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.path("name").asText();
            String value = learned.getOrDefault(name, parameter.path("example").asText());
            path = path.replace("{" + name + "}", value);
        }
        return path;
    }

    private ObjectNode body(Operation operation) {
        ObjectNode body = operation.example().deepCopy();
        if (body.has("fencing_token")) {
            body.put("fencing_token", Long.parseLong(learned.get("fencing_token")));
        }
        if (operation.id().equals("acceptDeclaration")) {
            body.put("digest", learned.get("digest"));
        }
        if (List.of("putSource", "syncSource").contains(operation.id())) {
            body.put("key_id", learned.get("key_id"));
        }
        return body;
    }

    private void learn(String id, JsonNode answer) {
        switch (id) {
            case "issueKey" -> learned.put("key_id", answer.path("key_id").asText());
            case "openIntentAcquireLease" ->
                learned.put("lease_id", answer.path("id").asText());
            case "acquireLease" -> {
                learned.put("lease_id", answer.path("id").asText());
                learned.put("fencing_token", answer.path("fencing_token").asText());
            }
            case "issuePingUrl" -> {
                String url = answer.path("ping_url").asText();
                learned.put("token", url.substring(url.lastIndexOf('/') + 1));
            }
            case "invokeAgentAsync" ->
                learned.put("receipt_id", answer.path("receipt_id").asText());
            case "changeAgentStatus" -> system.clock().advance(Duration.ofMinutes(35));
            default -> {
                // Nothing is needed later.
            }
        }
    }

    /** The endpoint of the example does not exist, and its model changes. */
    private void moveAgentHere() {
        String endpoint = "http://agent.test:" + agent.port() + "/a2a";
        ObjectNode change = Json.object().put("endpoint", endpoint);
        change.putObject("model").put("name", "other-model");
        Response changed = api.patch("/api/v1/agents/agent_billing_01")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", "*")
                .body(change.toString())
                .send();
        assertThat(changed.status()).isEqualTo(200);
        learned.put("digest", changed.json().at("/declaration/digest").asText());
    }

    /** The provider of the example does not exist. */
    private void moveProviderHere() {
        String here = "http://127.0.0.1:" + agent.port();
        IdentityProviderStore store = new IdentityProviderStore(system.database());
        IdentityProviderStore.Known known = store.known();
        IdentityProvider example = known.providers().get(0);
        IdentityProvider moved = new IdentityProvider(
                example.name(),
                new IdentityProvider.AcceptedTokens(here, example.audiences(), example.algorithms(), "", ""),
                example.signIn(),
                example.grants(),
                example.createdAt(),
                2);
        assertThat(store.write(moved, known)).isTrue();
        ObjectNode claims =
                TestTokens.claims("user-1", system.clock().instant()).put("iss", here);
        ObjectNode answer = Json.object()
                .put("issuer", here)
                .put("jwks_uri", here)
                .put("token_endpoint", here)
                .put("device_authorization_endpoint", here)
                .put("access_token", TestTokens.token(claims, TestTokens.EC))
                .put("device_code", "code");
        answer.putArray("keys");
        agent.plays(ScriptedServer.Script.body(Json.text(answer)));
    }

    /** A problem of the agent, as the function that reads events notes it. */
    private void reportDrift() {
        Map<String, String> detail = Map.of(
                "event_id",
                "e1",
                "agent_id",
                "agent_billing_01",
                "timestamp",
                system.clock().instant().toString());
        List<ReceivedEvent> drift = ReceivedEvent.of(EventType.AGENT_CLOCK_DRIFT, detail);
        new ProblemStore(system.database()).add(drift);
        learned.put("problem_id", ProblemId.of(drift.get(0).entry().subject()));
    }

    private static String text(JsonNode example) {
        return example.isArray()
                ? StreamSupport.stream(example.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(","))
                : example.asText();
    }

    private TestApi api() {
        Map<String, String> invocations = new HashMap<>(TestSystem.INVOCATIONS);
        invocations.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        Wiring wiring = system.wiring(Map.of(), eventBridge::client, () -> {
            throw new IllegalStateException("no other function is called");
        });
        return new TestApi(List.of(
                new RegistryFunction(wiring),
                new HeartbeatFunction(wiring),
                new HealthFunction(system.wiring(invocations), TestSystem.NO_NAMES),
                new TelemetryFunction(wiring),
                // The receiver of the example is not public here, so that nothing is sent.
                new AdministrationFunction(
                        wiring, host -> List.of(InetAddress.getLoopbackAddress()), SecureSockets.usual()),
                new GatewayFunction(
                        system.wiring(invocations),
                        host -> List.of(InetAddress.getLoopbackAddress()),
                        SecureSockets.usual())));
    }
}
