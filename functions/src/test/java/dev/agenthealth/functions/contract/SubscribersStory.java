package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.Dismissals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.KeyEvents;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.sweep.ClockEpisode;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.ProbeSample;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * A scenario that causes every type of event, with the events as subscribers receive them. It runs once, and is deterministic except for
 * the ids of leases.
 */
final class SubscribersStory {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String LEASES = "/api/v1/intents/invoice_42/leases";

    /** Thresholds of agents that become dead after a minute of silence, and of agents that stay alive. */
    private static final String SHORT =
            "{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,\"dead_after_seconds\":20}";

    private static final String LONG =
            "{\"interval_seconds\":3600,\"unhealthy_after_seconds\":7200,\"dead_after_seconds\":14400}";

    private final DeployedSystem system;
    private final TestApi api;
    private String key = "";

    private SubscribersStory(DeployedSystem system) {
        this.system = system;
        this.api = system.api();
    }

    /** The events as immutable texts. */
    private static final class Once {

        private static final List<String> EVENTS;

        static {
            try (DeployedSystem system = new DeployedSystem()) {
                EVENTS = new SubscribersStory(system)
                        .live().stream().map(Json::text).toList();
            }
        }
    }

    /** All events, in the order in which they were sent, each as a rule's target gets it. */
    static List<JsonNode> events() {
        return Once.EVENTS.stream().map(Json::stored).toList();
    }

    private List<ObjectNode> live() {
        sweep();
        key = send(
                        201,
                        api.post("/v1/admin/keys")
                                .key(ADMIN)
                                .body(
                                        """
                                        {"role":"agent","name":"billing","provider_ids":["acme-labs"]}\
                                        """))
                .path("api_key")
                .asText();
        agentsWork();
        leasesEnd();
        agentsDie();
        clocksAndDrains();
        aToolHangs();
        aRunFails();
        aCertificateEnds();
        aModelIsReplaced();
        qualityFalls();
        operatorsDecide();
        theRegistryIsDeaf();
        nearlyAllAreSilent();
        allIsWell();
        probesFail();
        aKeyEnds();
        manyAgentsRestart();
        theClockSteps();
        aPersonIsAsked();
        agentsAreStopped();
        aToolIsCalledAgainAndAgain();
        aLimitIsUsedUp();
        agentsOfARoleUseUpTheirSharedLimit();
        aProcessGoesOn();
        aModelProviderFails();
        aRuleContainsAgents();
        aVersionIsWorse();
        return sent();
    }

    private void agentsWork() {
        String workflow = "agents:\n  billing-processor:\n    pool:\n      min_instances: 2\n";
        send(201, api.put("/api/v1/workflows/billing").key(ADMIN).body(workflow));
        register(
                "billing-1",
                LONG,
                """
                        "role_id":"billing-processor","capabilities":["billing","invoicing"],\
                        "provider_id":"acme-labs","expectations":{"runtime_ms":100,"baseline_latency_ms":150,\
                        "sla_ms":1000,"window_seconds":3600}\
                        """);
        register("billing-2", SHORT, "\"role_id\":\"billing-processor\",\"capabilities\":[\"billing\"]");
        register(
                "planner-1",
                SHORT,
                """
                "role_id":"planner","capabilities":["coordinator","planning"]\
                """);
        register("report-1", LONG, "\"capabilities\":[\"reporting\"]");
        report("monday-1", Collections.nCopies(20, "{\"result\":\"success\",\"latency_ms\":80}"));
        system.clock().advanceSeconds(2);
        measure();
        sweep();
    }

    private void leasesEnd() {
        String given = lease("billing-1", "draft", 600);
        send(204, api.delete(LEASES + "/" + given).key(key));
        send(
                200,
                api.post(LEASES + "/" + lease("billing-1", "approve", 600) + "/revoke")
                        .key(ADMIN));
        lease("billing-1", "print", 1);
        lease("billing-2", "send", 600);
        lease("report-1", "archive", 600);
        send(204, api.delete("/api/v1/agents/report-1").key(key));
        sweeps(1, 3);
    }

    private void agentsDie() {
        sweeps(2, 15);
        dismiss("planner-1");
        send(
                201,
                api.post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"planner-1\",\"heartbeat_config\":" + LONG
                                + ",\"role_id\":\"planner\",\"capabilities\":[\"coordinator\",\"planning\"]}"));
    }

    private void dismiss(String agentId) {
        Caller operator = Caller.ofKey("administrator", "", Role.ADMINISTRATOR, Set.of(), KeyHash.NONE);
        new Dismissals(database(), system.clock())
                .dismiss(new Author(operator, "", ""), agentId, "Replaced by another planner");
    }

    private Database database() {
        return new Database(
                system.tables().dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                system.clock(),
                duration -> {},
                new StorageMeter());
    }

    private void clocksAndDrains() {
        send(
                200,
                sendHeartbeat("billing-1", "active", 1, system.clock().instant().minusSeconds(86_400)));
        register("billing-3", SHORT, "\"role_id\":\"billing-processor\",\"capacity\":{\"max_concurrent_tasks\":4}");
        send(200, sendHeartbeat("billing-3", "active", 2, system.clock().instant()));
        lease("billing-3", "archive", 600);
        send(
                202,
                api.post("/api/v1/agents/billing-3/commands")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(
                                """
                                        {"command":"drain","reason":"maintenance_window","drain_timeout_seconds":30}\
                                        """));
        send(200, sendHeartbeat("billing-3", "draining", 2, system.clock().instant()));
        system.clock().advanceSeconds(36);
        sweep();
    }

    private void aToolHangs() {
        String stall = LONG.replace("}", ",\"stall_after_seconds\":{\"tool\":900}}");
        register("billing-6", stall, "\"role_id\":\"billing-processor\"");
        for (int age : List.of(930, 15)) {
            send(
                    200,
                    api.post("/api/v1/agents/billing-6/heartbeat")
                            .key(key)
                            .body("{\"status\":\"active\",\"client_timestamp\":\""
                                    + system.clock().instant()
                                    + "\",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":" + age + "}}"));
            sweeps(1, 5);
        }
        send(204, api.delete("/api/v1/agents/billing-6").key(key));
    }

    private void aPersonIsAsked() {
        register("billing-7", LONG, "\"role_id\":\"billing-processor\"");
        for (String phase : List.of("human", "other")) {
            send(
                    200,
                    api.post("/api/v1/agents/billing-7/heartbeat")
                            .key(key)
                            .body("{\"status\":\"active\",\"client_timestamp\":\""
                                    + system.clock().instant()
                                    + "\",\"activity\":{\"phase\":\"" + phase + "\",\"no_progress_seconds\":90}}"));
            sweeps(1, 5);
        }
        send(204, api.delete("/api/v1/agents/billing-7").key(key));
    }

    private void aToolIsCalledAgainAndAgain() {
        register("billing-9", LONG.replace("}", ",\"max_repeats\":10}"), "\"role_id\":\"billing-processor\"");
        for (int repeats : List.of(12, 0)) {
            send(
                    200,
                    api.post("/api/v1/agents/billing-9/heartbeat")
                            .key(key)
                            .body("{\"status\":\"active\",\"client_timestamp\":\""
                                    + system.clock().instant()
                                    + "\",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":40,\"tool\":\"search\",\"repeats\":"
                                    + repeats + "}}"));
            sweeps(1, 5);
        }
        send(204, api.delete("/api/v1/agents/billing-9").key(key));
    }

    private void aLimitIsUsedUp() {
        send(
                201,
                api.post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"billing-10\",\"role_id\":\"billing-processor\",\"heartbeat_config\":"
                                + LONG + ",\"expectations\":{\"limits\":{\"tokens_per_execution\":1000}}}"));
        send(
                202,
                api.post("/api/v1/agents/billing-10/outcomes")
                        .key(key)
                        .body("{\"batch_id\":\"limit\",\"outcomes\":[{\"result\":\"success\",\"usage\":"
                                + "{\"input_tokens\":900,\"output_tokens\":300}}]}"));
        measure();
        send(204, api.delete("/api/v1/agents/billing-10").key(key));
    }

    private void agentsOfARoleUseUpTheirSharedLimit() {
        String workflow = "agents:\n  auditor:\n    limits:\n      tokens_per_hour: 1000\n";
        send(201, api.put("/api/v1/workflows/audits").key(ADMIN).body(workflow));
        send(
                201,
                api.post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"auditor-1\",\"role_id\":\"auditor\",\"heartbeat_config\":" + LONG
                                + "}"));
        send(
                202,
                api.post("/api/v1/agents/auditor-1/outcomes")
                        .key(key)
                        .body("{\"batch_id\":\"shared\",\"outcomes\":[{\"result\":\"success\",\"usage\":"
                                + "{\"input_tokens\":900,\"output_tokens\":300}}]}"));
        measure();
        sweep();
        send(204, api.delete("/api/v1/agents/auditor-1").key(key));
        send(204, api.delete("/api/v1/workflows/audits").key(ADMIN));
    }

    private void agentsAreStopped() {
        send(
                200,
                api.post("/v1/admin/stop")
                        .key(ADMIN)
                        .body("{\"role_id\":\"billing-processor\",\"reason\":\"deletes invoices\"}"));
        system.clock().advanceSeconds(60);
        send(
                200,
                api.delete("/v1/admin/stop")
                        .query("role_id", "billing-processor")
                        .key(ADMIN));
    }

    private void aRuleContainsAgents() {
        String rule = "{\"when\":{\"reasons\":[\"looping\"]},\"action\":\"drain\",\"mode\":\"";
        for (String mode : List.of("observe", "enforce")) {
            send(
                    mode.equals("observe") ? 201 : 200,
                    api.put("/v1/admin/containment/runaway").key(ADMIN).body(rule + mode + "\"}"));
            for (String id : List.of("billing-11", "billing-12")) {
                if (mode.equals("observe")) {
                    register(id, LONG.replace("}", ",\"max_repeats\":10}"), "\"role_id\":\"billing-processor\"");
                }
                send(
                        200,
                        api.post("/api/v1/agents/" + id + "/heartbeat")
                                .key(key)
                                .body(
                                        "{\"status\":\"active\",\"client_timestamp\":\""
                                                + system.clock().instant()
                                                + "\",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":40,\"tool\":\"search\",\"repeats\":12}}"));
                sweeps(1, 5);
            }
        }
        send(204, api.delete("/v1/admin/containment/runaway").key(ADMIN));
        for (String id : List.of("billing-11", "billing-12")) {
            send(204, api.delete("/api/v1/agents/" + id).key(key));
        }
    }

    private void aProcessGoesOn() {
        register("billing-8", LONG, "\"role_id\":\"billing-processor\",\"instance\":\"billing-host-3\"");
        send(204, api.delete("/api/v1/agents/billing-8").key(ADMIN));
        for (int heartbeat = 0; heartbeat < 4; heartbeat++) {
            send(
                    410,
                    api.post("/api/v1/agents/billing-8/heartbeat")
                            .key(key)
                            .body("{\"status\":\"active\",\"client_timestamp\":\""
                                    + system.clock().instant() + "\"}"));
            sweeps(1, 30);
        }
        sweeps(16, 60);
    }

    private void aModelProviderFails() {
        String call = "\"upstream\":{\"provider\":\"openai\",\"model\":\"gpt-5\"";
        for (int agent = 1; agent <= 6; agent++) {
            register("chat-" + agent, LONG, "\"role_id\":\"chat\"");
            reportOf("chat-" + agent, "limited", "{\"result\":\"failure\"," + call + ",\"error\":\"rate_limited\"}}");
        }
        sweeps(1, 30);
        for (int agent = 1; agent <= 6; agent++) {
            reportOf("chat-" + agent, "answered", "{\"result\":\"success\"," + call + "}}");
        }
        sweeps(1, 60);
        for (int agent = 1; agent <= 6; agent++) {
            send(204, api.delete("/api/v1/agents/chat-" + agent).key(key));
        }
    }

    private void aVersionIsWorse() {
        String success = "{\"result\":\"success\",\"latency_ms\":900,\"usage\":{\"input_tokens\":4000}}";
        String failure = "{\"result\":\"failure\",\"latency_ms\":900}";
        register("support-1", LONG, "\"role_id\":\"support\",\"agent_version\":\"2.4.0\"");
        reportOf("support-1", "before", several(190, success) + "," + several(10, failure));
        measure();
        sweeps(1, 60);
        register("support-2", LONG, "\"role_id\":\"support\",\"agent_version\":\"2.4.1\"");
        reportOf("support-2", "worse", several(20, success) + "," + several(20, failure));
        measure();
        sweeps(1, 60);
        reportOf("support-2", "better", several(500, success));
        measure();
        for (String id : List.of("support-1", "support-2")) {
            send(204, api.delete("/api/v1/agents/" + id).key(key));
        }
    }

    private static String several(int number, String outcome) {
        return String.join(",", Collections.nCopies(number, outcome));
    }

    private void reportOf(String agentId, String batchId, String outcome) {
        send(
                202,
                api.post("/api/v1/agents/" + agentId + "/outcomes")
                        .key(key)
                        .body("{\"batch_id\":\"" + batchId + "\",\"outcomes\":[" + outcome + "]}"));
    }

    private void aRunFails() {
        register("invoices-1", LONG, "\"role_id\":\"invoices\"");
        String address = send(
                        201, api.post("/api/v1/agents/invoices-1/ping-url").key(key))
                .path("ping_url")
                .asText();
        String ping = address.substring(address.indexOf("/p/"));
        send(200, api.get(ping + "/3"));
        send(200, api.get(ping + "/0"));
        send(204, api.delete("/api/v1/agents/invoices-1").key(key));
    }

    private void aCertificateEnds() {
        register("search-1", LONG, "\"role_id\":\"search\"");
        Instant now = system.clock().instant();
        Database database = database();
        Pulse counted = new PulseStore(database).find("search-1").orElseThrow().withOneMoreEvent();
        ProbeState after = ProbeState.NONE.then(new ProbeResult(now, "", "", 42, now.plus(7, ChronoUnit.DAYS)));
        assertThat(new ProbeStore(database)
                        .replace(
                                counted,
                                ProbeState.NONE,
                                after,
                                AgentEvents.certificateExpiring(counted, "search", after)))
                .isTrue();
        send(204, api.delete("/api/v1/agents/search-1").key(key));
    }

    private void aModelIsReplaced() {
        register(
                "search-2",
                LONG,
                """
                "role_id":"search","model":{"name":"example-model"}\
                """);
        register(
                "search-2",
                LONG,
                """
                "role_id":"search","replace":true,"model":{"name":"small-model"}\
                """);
        String record = "/api/v1/agents/search-2";
        String digest =
                api.get(record).key(key).send().json().at("/declaration/digest").asText();
        send(200, api.post(record + "/declaration/accept").key(ADMIN).body("{\"digest\":\"" + digest + "\"}"));
        send(204, api.delete(record).key(key));
    }

    private void qualityFalls() {
        sweeps(1, 360);
        String failure =
                """
                {"result":"failure","error_type":"timeout","latency_ms":1200}\
                """;
        report("monday-2", Collections.nCopies(4, failure));
        system.clock().advanceSeconds(2);
        measure();
    }

    private void operatorsDecide() {
        for (String whom : List.of("agents/billing-1", "providers/acme-labs")) {
            send(
                    200,
                    api.post("/v1/admin/" + whom + "/block")
                            .key(ADMIN)
                            .body("{\"reason\":\"policy violation under review\"}"));
            send(200, api.post("/v1/admin/" + whom + "/unblock").key(ADMIN));
        }
    }

    private void theRegistryIsDeaf() {
        register("guard-1", SHORT, "\"role_id\":\"guard\"");
        system.publicApi().shut();
        sweeps(1, 60);
        system.publicApi().open();
        sweeps(2, 60);
    }

    private void nearlyAllAreSilent() {
        send(
                200,
                api.put("/v1/admin/configuration")
                        .key(ADMIN)
                        .body(
                                """
                                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                                 "mass_silence":{"minimum_agents":10,"silent_percent":55,"death_percent_per_minute":10},
                                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},
                                 "default_window_seconds":86400,"max_agents_per_key":20000,"max_watched_agents_per_key":1000,"public_catalogue":false}
                                """));
        for (int i = 1; i <= 12; i++) {
            register("mail-" + i, SHORT, "\"capabilities\":[\"mail\"]");
            send(200, sendHeartbeat("mail-" + i, "active", 0, system.clock().instant()));
        }
        sweeps(1, 60);
    }

    private void allIsWell() {
        for (int i = 4; i <= 5; i++) {
            register("billing-" + i, LONG, "\"role_id\":\"billing-processor\"");
        }
        for (int i = 1; i <= 12; i++) {
            sendHeartbeat("mail-" + i, "active", 0, system.clock().instant()).send();
        }
        sweeps(1, 1);
    }

    /** Results as a run of probes adds them: nothing is asked in this story. */
    private void probesFail() {
        SweepStateStore states = new SweepStateStore(new Database(
                system.tables().dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                system.clock(),
                system.clock()::advance,
                new StorageMeter()));
        for (boolean failed : List.of(true, false)) {
            system.clock().advanceSeconds(60);
            Instant now = system.clock().instant();
            states.addProbes(
                    IntStream.range(0, 20)
                            .mapToObj(i -> ProbeSample.Result.of(1, "watched-" + i, "host-" + i, failed, now, 60))
                            .toList(),
                    now);
        }
    }

    /** Counted here as a pass does it: the story has no 500 agents. */
    private void manyAgentsRestart() {
        SweepStateStore states = new SweepStateStore(database());
        FleetCount restarting = new FleetCount(
                new Counts<>(Map.of(FleetCounter.ACTIVE, 700L, FleetCounter.RESTARTED, 640L)), Instant.MIN, 0);
        FleetCount after = new FleetCount(
                new Counts<>(Map.of(FleetCounter.ACTIVE, 700L, FleetCounter.RESTARTED, 31L)), Instant.MIN, 0);
        system.clock().advanceSeconds(60);
        Instant since = system.clock().instant();
        assertThat(states.beginMassRestart(since, at -> RegistryEvents.massRestart(restarting, 12, at)))
                .isTrue();
        system.clock().advanceSeconds(60);
        assertThat(states.endMassRestart(
                        since,
                        RegistryEvents.massRestartOver(
                                after, since, system.clock().instant())))
                .isTrue();
    }

    /** Noted as a pass of one machine does it: the clock of the story makes no step. */
    private void theClockSteps() {
        SweepStateStore states = new SweepStateStore(database());
        system.clock().advanceSeconds(60);
        Instant since = system.clock().instant();
        assertThat(states.clockStepped(
                        ClockEpisode.NONE,
                        since,
                        since,
                        at -> RegistryEvents.clockStepped(
                                Duration.ofHours(-2), RegistryEvents.MONOTONIC_CLOCK, 14, at)))
                .isTrue();
        system.clock().advance(ClockEpisode.EFFECTS);
        assertThat(states.endClockStepped(
                        since, RegistryEvents.clockSteady(since, system.clock().instant())))
                .isTrue();
    }

    /** Announced as an hourly pass does it: no time passes here. */
    private void aKeyEnds() {
        Instant end = system.clock().instant().plus(Duration.ofDays(8));
        String body = "{\"role\":\"agent\",\"name\":\"billing\",\"expires_at\":\"" + end + "\"}";
        String keyId = send(201, api.post("/v1/admin/keys").key(ADMIN).body(body))
                .path("key_id")
                .asText();
        KeyStore keys = new KeyStore(database());
        ApiKey ending = keys.find(keyId).orElseThrow();
        Instant now = system.clock().instant();
        assertThat(keys.announce(
                        ending,
                        end.minus(KeyLimits.WARNED_AHEAD),
                        KeyEvents.expiring(keyId, ending.name(), ending.role(), end, now)))
                .isTrue();
    }

    private void register(String agentId, String heartbeatConfig, String more) {
        send(
                201,
                api.post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + agentId + "\",\"heartbeat_config\":" + heartbeatConfig + "," + more
                                + "}"));
    }

    private Request sendHeartbeat(String agentId, String status, int load, Instant clientTime) {
        return api.post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(key)
                .body("{\"status\":\"" + status + "\",\"current_load\":" + load + ",\"client_timestamp\":\""
                        + clientTime + "\"}");
    }

    private String lease(String agentId, String scope, int seconds) {
        return send(
                        201,
                        api.post(LEASES)
                                .key(key)
                                .body("{\"agent_id\":\"" + agentId + "\",\"scope\":\"" + scope
                                        + "\",\"duration_seconds\":" + seconds + "}"))
                .path("id")
                .asText();
    }

    private void report(String batchId, List<String> outcomes) {
        send(
                202,
                api.post("/api/v1/agents/billing-1/outcomes")
                        .key(key)
                        .body("{\"batch_id\":\"" + batchId + "\",\"outcomes\":[" + String.join(",", outcomes) + "]}"));
    }

    private void measure() {
        JsonNode numbers = Json.stored(system.invoke("MeasurementFunction", "{}"));
        assertThat(numbers.path("computed").asInt()).as(numbers.toString()).isPositive();
    }

    private void sweeps(int number, int seconds) {
        for (int i = 0; i < number; i++) {
            system.clock().advanceSeconds(seconds);
            sweep();
        }
    }

    private void sweep() {
        Json.stored(system.invoke("SweepFunction", "{}"))
                .forEach(pass -> assertThat(pass.path("failed").asInt(-1))
                        .as(pass.toString())
                        .isZero());
    }

    private static JsonNode send(int status, Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return status == 204 ? Json.object() : response.json();
    }

    /** What the publisher made of the table's stream, in the envelope that the bus puts around it. */
    private List<ObjectNode> sent() {
        system.invoke("PublisherFunction", StreamRecords.event(StreamRecords.events(system.tables())));
        List<ObjectNode> events = new ArrayList<>();
        for (List<PutEventsRequestEntry> request : system.eventBridge().requests()) {
            request.forEach(entry -> events.add(envelope(entry)));
        }
        return events;
    }

    private static ObjectNode envelope(PutEventsRequestEntry entry) {
        JsonNode detail = Json.stored(entry.detail());
        Instant time = Instant.parse(detail.path("timestamp").asText()).truncatedTo(ChronoUnit.SECONDS);
        String eventId = detail.path("event_id").asText();
        ObjectNode envelope = Json.object();
        envelope.put("version", "0")
                .put(
                        "id",
                        UUID.nameUUIDFromBytes(eventId.getBytes(StandardCharsets.UTF_8))
                                .toString())
                .put("detail-type", entry.detailType())
                .put("source", entry.source())
                .put("account", "123456789012")
                .put("time", time.toString())
                .put("region", "eu-central-1");
        envelope.putArray("resources");
        envelope.set("detail", detail);
        return envelope;
    }
}
