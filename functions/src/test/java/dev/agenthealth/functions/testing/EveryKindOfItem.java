package dev.agenthealth.functions.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.operations.sources.SourceStore;
import dev.agenthealth.functions.operations.sources.SyncState;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.ghosts.GhostStore;
import dev.agenthealth.functions.storage.history.AgentDayStore;
import dev.agenthealth.functions.storage.invocations.CallerOutcomeStore;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore.OpenTask;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.functions.storage.keys.AdministratorKeyStore;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.telemetry.TraceStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.functions.storage.usage.OpenExecutionStore;
import dev.agenthealth.functions.storage.usage.SharedUsageStore;
import dev.agenthealth.functions.storage.workflows.WorseVersionStore;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.availability.AgentDay;
import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.health.availability.Timeline;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentChange;
import dev.agenthealth.model.health.containment.ContainmentGuard;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.containment.HeldBack;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.operations.source.ImportedEntry;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import dev.agenthealth.model.registry.lifecycle.GhostActivity;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.GhostState;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Sighting;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.telemetry.ExecutionParents;
import dev.agenthealth.model.registry.telemetry.OpenExecutions;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamFigures;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.upstream.UpstreamRule;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.SharedUsageChange;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageState;
import dev.agenthealth.model.registry.version.VersionFigures;
import dev.agenthealth.model.registry.version.VersionFinding;
import dev.agenthealth.model.registry.version.VersionRule;
import dev.agenthealth.model.registry.version.VersionSums;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A system with items of every kind, created by requests. Most are about the agent {@value #AGENT}, all of whose texts contain
 * {@value #MARKER}.
 */
public final class EveryKindOfItem implements AutoCloseable {

    public static final String AGENT = "subject";

    /** An agent that stays registered. */
    public static final String OTHER = "bystander";

    /** An archived agent. */
    public static final String ARCHIVED = "buried";

    public static final String HOST = "subject.example";

    /** The idempotency key of the completed invocation. */
    public static final String IDEMPOTENCY_KEY = "order-1";

    public static final String AGENT_KEY = "key-of-the-agent";
    public static final String COORDINATOR_KEY = "key-of-the-coordinator";
    public static final String REVOKED_KEY = "key-that-was-revoked";

    /** Part of every text that a caller chose for the agent. */
    public static final String MARKER = "secret-of-the-subject";

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String INTENT = "/api/v1/intents/invoice/leases";

    private final DeployedSystem system = new DeployedSystem();
    private final TestApi api = system.api();
    private String lease = "";
    private String receipt = "";
    private String waiting = "";

    public EveryKindOfItem() {
        keys();
        send(
                200,
                api.put("/v1/admin/configuration")
                        .key(ADMIN)
                        .body(
                                """
                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},"default_window_seconds":86400,
                 "max_agents_per_key":20000,"max_watched_agents_per_key":1000,"public_catalogue":false}
                """));
        archivedAgent();
        workflow();
        register(
                OTHER,
                """
                "kind":"mcp_server","role_id":"billing","provider_id":"acme"\
                """);
        register(
                AGENT,
                """
                "role_id":"billing","name":"%1$s","capabilities":["%1$s"],"capacity":{"max_concurrent_tasks":3},
                "endpoint":"https://%1$s.invalid/","accepts_push":true,"watch":{"by":"http","url":"https://%1$s.invalid/%1$s","interval_seconds":60,
                "expect":{"statuses":[204],"contains":"%1$s"}},"listed":true,"heartbeat_config":{"max_repeats":10},"agent_uri":"https://%1$s.example/card","provider_id":"acme",
                "platform":"cloud","agent_version":"2.4.1","model":{"name":"%1$s","version":"%1$s","changed_at":"2026-02-01T00:00:00Z"},
                "expectations":{"window_seconds":3600,"runtime_ms":100},"metadata":{"%1$s":"%1$s"}
                """
                        .formatted(MARKER));
        // A page that is not the last one has a token.
        send(200, api.get("/api/v1/agents").query("limit", "1").key(AGENT_KEY));
        sendHeartbeat(AGENT, ",\"current_load\":1,\"tasks_in_progress\":[\"" + MARKER + "\"]");
        leases();
        outcomes(MARKER);
        invocations();
        blocks();
        send(
                200,
                api.put("/api/v1/status-page")
                        .key(ADMIN)
                        .body(
                                "{\"path\":\"acme\",\"title\":\"Acme\",\"published\":true,\"entries\":[{\"name\":\"search\",\"label\":\""
                                        + MARKER + "\",\"agent_id\":\"" + AGENT + "\"}]}"));
        send(200, api.put("/v1/admin/hosts/" + HOST).key(ADMIN).body("{\"agent_id\":\"" + AGENT + "\"}"));
        send(
                200,
                api.put("/api/v1/telemetry/mappings")
                        .key(AGENT_KEY)
                        .body("{\"service_name\":\"" + MARKER + "\",\"agent_name\":\"" + MARKER + "\",\"agent_id\":\""
                                + AGENT + "\"}"));
        call();
        trace();
        openExecution();
        send(200, api.put("/api/v1/telemetry/settings").key(AGENT_KEY).body("{\"auto_register\":true}"));
        send(
                200,
                api.put("/v1/agents/" + AGENT + "/credential")
                        .key(AGENT_KEY)
                        .body("{\"bearer_token\":\"" + MARKER + "\"}"));
        ping();
        poolBelowMinimum();
        silences();
        notifications();
        problems();
        sources();
        identityProvider();
        new AdministratorKeyStore(database()).switchOff(KeyHash.ofKey("another"));
        // A slice is closed by the first computation after its end.
        system.clock().advanceSeconds(300);
        outcomes("later");
        minute();
        send(
                202,
                api.post("/api/v1/agents/" + AGENT + "/commands")
                        .key(ADMIN)
                        .body("{\"command\":\"drain\",\"reason\":\"" + MARKER + "\"}"));
        containment();
        // Last, as the gateway calls no stopped agent.
        send(
                200,
                api.post("/v1/admin/stop")
                        .key(ADMIN)
                        .body("{\"agent_id\":\"" + AGENT + "\",\"reason\":\"" + MARKER + "\"}"));
        PushStore.Push push = new PushStore.Push(
                AGENT,
                "push",
                new PushStore.Subscriber("key", MARKER, A2aVersion.V1_0, MARKER.getBytes(StandardCharsets.UTF_8)),
                MARKER,
                KeyHash.ofKey("secret"),
                system.clock().instant(),
                "");
        PushStore pushes = new PushStore(database());
        pushes.begin(push);
        assertThat(pushes.bind(push, MARKER)).isTrue();
        pushes.put(push, 1, "{\"text\":\"" + MARKER + "\"}");
        ghost();
        modelProviderFails();
        versionIsWorse();
        sharedLimit();
        Instant probed = system.clock().instant();
        long day = AgentDay.at(probed);
        Timeline.Builder states = new Timeline.Builder(AgentDay.start(day), AgentDay.start(day + 1));
        states.set(probed, AvailabilityState.UP, Optional.empty());
        new AgentDayStore(database()).put(AGENT, new AgentDay(day, states.timeline(), states.timeline()), probed);
        new ProbeStore(database())
                .replace(
                        AGENT,
                        ProbeState.NONE,
                        ProbeState.NONE
                                .then(new ProbeResult(probed, "", "", 8, probed))
                                .then(new ProbeResult(
                                        probed,
                                        "does not contain '" + MARKER + "'",
                                        "unhealthy",
                                        9,
                                        probed,
                                        Optional.of(CardSignature.VALID),
                                        "digest")));
        DeclarationState accepted = DeclarationState.NONE.observed(
                DeclarationKind.TOOLS,
                DeclaredParts.of(Map.of("tool:" + MARKER, List.of("1"))),
                ModelInfo.UNKNOWN,
                probed);
        DeclarationState changed = accepted.observed(
                DeclarationKind.TOOLS,
                DeclaredParts.of(Map.of("tool:other", List.of("1"))),
                ModelInfo.UNKNOWN,
                probed.plusSeconds(1));
        for (DeclarationChange change : List.of(
                new DeclarationChange(DeclarationState.NONE, accepted), new DeclarationChange(accepted, changed))) {
            Pulse seen = new AgentStore(database()).find(AGENT).orElseThrow().pulse();
            assertThat(new DeclarationStore(database()).write(seen, false, "", change))
                    .isTrue();
        }
    }

    /** A call of a tool in a span of the agent, which declares loops. */
    private void call() {
        String nanos = system.clock().instant().getEpochSecond() + "000000000";
        send(
                200,
                api.post("/v1/otlp/v1/traces")
                        .key(AGENT_KEY)
                        .header("content-type", "application/json")
                        .body(
                                """
                                {"resourceSpans":[{"resource":{"attributes":[{"key":"agent_health.agent_id","value":{"stringValue":"%1$s"}}]},"scopeSpans":[
                                 {"spans":[{"traceId":"00000000000000000000000000000001","spanId":"0000000000000001","startTimeUnixNano":"%2$s","endTimeUnixNano":"%2$s",
                                 "attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"%3$s"}},
                                 {"key":"gen_ai.tool.call.arguments","value":{"stringValue":"%3$s"}}]}]}]}]}
                                """
                                        .formatted(AGENT, nanos, MARKER)));
    }

    /** An execution in a trace, as an agent with a minimum quality has it. */
    private void trace() {
        new TraceStore(database())
                .add(
                        TestSystem.keyId(AGENT_KEY),
                        AGENT,
                        List.of(new SpanKey("00000000000000000000000000000002", "0000000000000002")));
    }

    /** An execution that goes on, as an agent with a limit for a single execution has it. */
    private void openExecution() {
        SpanKey span = new SpanKey("00000000000000000000000000000003", "0000000000000003");
        Usage call = Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.INPUT_TOKENS, 9L, UsageCounter.MODEL_CALLS, 1L));
        Transaction transaction = database().transaction();
        new OpenExecutionStore(database())
                .put(
                        transaction,
                        AGENT,
                        OpenExecutions.NONE,
                        OpenExecutions.NONE.plus(Map.of(span, call), ExecutionParents.NONE));
        assertThat(transaction.commit()).isTrue();
    }

    /** A failing call of the agent, and a model provider that fails for others. */
    private void modelProviderFails() {
        Instant at = system.clock().instant();
        UpstreamCall call = new UpstreamCall("openai", "gpt-5", Optional.of(UpstreamError.RATE_LIMITED), at);
        new UpstreamCallStore(database())
                .add(new PulseStore(database()).find(AGENT).orElseThrow(), List.of(call, call));
        UpstreamFigures figures =
                new UpstreamFigures(List.of(new UpstreamFigures.Part("gpt-5", UpstreamError.RATE_LIMITED, 1, 2)));
        UpstreamProblem problem =
                new UpstreamProblem("openai", at, new UpstreamProblem.Counts(1, 1, 1, 1, figures), Set.of(1));
        assertThat(new UpstreamStore(database())
                        .put(new UpstreamRule.Change(Optional.empty(), Optional.of(problem)), at))
                .isTrue();
    }

    /** A version that is worse than the version before it. */
    private void versionIsWorse() {
        Instant at = system.clock().instant();
        VersionFigures before = new VersionFigures("2.4.0", at, at, VersionSums.NONE);
        VersionFigures after = new VersionFigures("2.4.1", at, at, VersionSums.NONE);
        assertThat(new WorseVersionStore(database())
                        .put(
                                "billing",
                                new VersionRule.Change(after, before, Set.of(VersionFinding.SUCCESS), Optional.empty()),
                                at))
                .isTrue();
    }

    /** A process of the agent that does not stop. */
    private void ghost() {
        GhostStore ghosts = new GhostStore(database());
        StoredAgent agent = new AgentStore(database()).find(AGENT).orElseThrow();
        Instant at = system.clock().instant();
        Sighting sighting =
                new Sighting(GhostSource.HEARTBEATS, GhostState.SUPERSEDED, 1, true, at, MARKER, "192.0.2.7");
        assertThat(ghosts.publish(agent, ghosts.find(AGENT), new GhostActivity(sighting, at, 3, false)))
                .isTrue();
    }

    /** A rule with a case of the agent, and an act. */
    private void containment() {
        send(
                201,
                api.put("/v1/admin/containment/runaway")
                        .key(ADMIN)
                        .body(
                                "{\"filter\":{\"roles\":[\"r\"],\"owners\":[\"k\"],\"providers\":[\"p\"],\"capabilities\":[\"c\"],\"kind\":\"agent\"},"
                                        + "\"when\":{\"reasons\":[\"looping\"],\"min_executions\":1,\"for_seconds\":1},"
                                        + "\"action\":\"restart\",\"mode\":\"enforce\"}"));
        ContainmentStore store = new ContainmentStore(database());
        Instant now = system.clock().instant();
        StoredContainment rule = store.find("runaway").orElseThrow();
        store.holdBack(rule, Optional.of(new HeldBack(ContainmentGuard.SHARE_OF_ROLE, 1, now)), "");
        StoredContainment held = store.find("runaway").orElseThrow();
        ContainmentCase begun = ContainmentCase.begun("runaway", AGENT, 7, Set.of(ContainmentReason.LOOPING), now);
        store.write(
                List.of(new ContainmentChange(Optional.empty(), Optional.of(begun.did(held.rule(), now)))), () -> true);
        register("contained", "\"capabilities\":[\"c\"]");
        Pulse pulse = new AgentStore(database()).find("contained").orElseThrow().pulse();
        ContainmentCase acted =
                ContainmentCase.begun("runaway", "contained", 7, Set.of(ContainmentReason.LOOPING), now);
        assertThat(store.command(
                        held,
                        new ContainmentChange(Optional.empty(), Optional.of(acted.did(held.rule(), now))),
                        pulse.withOneMoreEvent()
                                .withPendingDrain(PendingDrain.ofRule("runaway", Duration.ofSeconds(9), true)),
                        "",
                        0))
                .isTrue();
    }

    private void problems() {
        String event =
                """
                {"detail-type":"agent.declaration_changed","detail":{"agent_id":"%s","added":["tool:%s"],"event_id":"e","timestamp":"%s"}}
                """
                        .formatted(AGENT, MARKER, system.clock().instant());
        system.sqs().client().sendMessage(r -> r.queueUrl(notificationQueue()).messageBody(event));
        minute();
        String problem = "/api/v1/problems/" + ProblemId.of("agent.declaration_changed:" + AGENT);
        String note = "{\"note\":\"" + MARKER + "\"}";
        send(200, api.post(problem + "/acknowledge").key(ADMIN).body(note));
        send(200, api.post(problem + "/dismiss").key(ADMIN).body(note));
    }

    /** A source with all that is kept of a sync. */
    private void sources() {
        String keyId = new KeyStore(database())
                .find(KeyHash.ofKey(AGENT_KEY))
                .orElseThrow()
                .keyId();
        send(
                201,
                api.put("/v1/admin/sources/partners")
                        .key(ADMIN)
                        .body(
                                "{\"url\":\"https://catalogue.invalid/\",\"kind\":\"ai_catalog\",\"require_signature\":true,\"key_id\":\""
                                        + keyId + "\"}"));
        SourceStore sources = new SourceStore(database());
        Instant at = system.clock().instant();
        sources.note(
                sources.find("partners").orElseThrow(),
                new SyncState(
                        at,
                        at,
                        true,
                        Map.of(
                                "registered",
                                1L,
                                "updated",
                                0L,
                                "unchanged",
                                0L,
                                "missing",
                                0L,
                                "deregistered",
                                0L,
                                "conflict",
                                1L,
                                "skipped",
                                0L,
                                "failed",
                                0L,
                                "refused",
                                1L,
                                "postponed",
                                0L),
                        new SyncState.Listed(
                                List.of(new SyncState.Conflict(
                                        "urn:air:catalogue.invalid:x", "catalogue.invalid:x", "taken")),
                                List.of(new SyncState.Refused(
                                        "urn:air:catalogue.invalid:z",
                                        "catalogue.invalid:z",
                                        CardSignature.UNKNOWN_KEY,
                                        true)),
                                List.of(new SyncState.Skipped("urn:air:catalogue.invalid:w", "has no type"))),
                        List.of("unknown host")));
        sources.note("partners", new ImportedEntry(AGENT, "urn:air:catalogue.invalid:y", "00", 1));
    }

    private void identityProvider() {
        send(
                201,
                api.put("/v1/admin/identity-providers/cluster")
                        .key(ADMIN)
                        .body(
                                """
                                {"issuer":"https://cluster.invalid","audiences":["agent-health"],"client_id":"page","algorithms":["ES256"],
                                 "jwks":{"keys":[{"kty":"EC","crv":"P-256","kid":"1",
                                  "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]},
                                 "grants":[{"claim":"groups","value":"billing","role":"coordinator","role_ids":["billing","sales"]},
                                  {"claim":"sub","value":"*","role":"agent","owner":"billing","provider_ids":["acme"]}]}
                                """));
    }

    private void ping() {
        String url = send(201, api.post("/api/v1/agents/" + AGENT + "/ping-url").key(AGENT_KEY))
                .path("ping_url")
                .asText();
        send(200, api.post(url.substring(url.indexOf("/p/")) + "/start").body(MARKER));
    }

    private void silences() {
        String body = "{\"scope\":{\"agent_id\":\"" + AGENT + "\"},\"reason\":\"" + MARKER + "\",\"for_seconds\":600}";
        send(201, api.put("/api/v1/silences/deployment").key(AGENT_KEY).body(body));
        String schedule =
                """
                        "schedule":{"cron":"0 2 * * *","duration_seconds":600,"time_zone":"Europe/Berlin"}\
                        """;
        send(
                201,
                api.put("/v1/admin/silences/" + MARKER)
                        .key(ADMIN)
                        .body("{\"scope\":{\"agent_id\":\"" + AGENT + "\"},\"reason\":\"" + MARKER + "\"," + schedule
                                + "}"));
        send(
                201,
                api.put("/v1/admin/silences/long")
                        .key(ADMIN)
                        .body("{\"scope\":{\"agent_id\":\"silenced\"},\"for_seconds\":2592000}"));
        String queue = system.function("NotificationFunction").environment().get("NOTIFICATION_QUEUE_URL");
        String event =
                """
                {"detail-type":"agent.lifecycle","detail":{"agent_id":"silenced","new_status":"dead","severity":"error",
                 "previous_status":"unhealthy","reason":"heartbeat_timeout","event_id":"agent:silenced:2","sequence":2,
                 "timestamp":"%s"}}
                """
                        .formatted(system.clock().instant());
        system.sqs().client().sendMessage(r -> r.queueUrl(queue).messageBody(event));
    }

    /** A message of several agents that cannot be sent, and an event that waits for it. */
    private void notifications() {
        send(
                201,
                api.put("/v1/admin/notifications/on-call")
                        .key(ADMIN)
                        .body(
                                """
                                {"events":["agent.lifecycle"],"filter":{"role_ids":["r"],"severities":["error"],"verdicts":["down"]},
                                 "quiet":{"from":"01:00","to":"02:00","time_zone":"UTC","except_severities":["critical"]},
                                 "target":{"type":"slack","url":"https://receiver.invalid/x"}}
                                """));
        for (int i = 1; i <= 7; i++) {
            String event =
                    """
                    {"detail-type":"agent.lifecycle","detail":{"agent_id":"notified-%1$d","role_id":"r","new_status":"dead",
                     "previous_status":"unhealthy","reason":"heartbeat_timeout","severity":"error","event_id":"agent:notified-%1$d:2","sequence":2,
                     "timestamp":"%2$s"}}
                    """
                            .formatted(i, system.clock().instant());
            system.sqs().client().sendMessage(r -> r.queueUrl(notificationQueue())
                    .messageBody(event));
            if (i >= 6) {
                minute();
            }
        }
    }

    private String notificationQueue() {
        return system.function("NotificationFunction").environment().get("NOTIFICATION_QUEUE_URL");
    }

    public DeployedSystem system() {
        return system;
    }

    public TestApi api() {
        return api;
    }

    /** The id of a lease of the agent on the intent {@code invoice}, valid for a day. */
    public String lease() {
        return lease;
    }

    /** The id of the receipt of the completed invocation. */
    public String receipt() {
        return receipt;
    }

    /** The id of the receipt of an invocation that was not started. */
    public String waiting() {
        return waiting;
    }

    public Database database() {
        return new Database(
                system.tables().dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                system.clock(),
                pause(),
                new StorageMeter());
    }

    /** Advances the clock by a minute, sends heartbeats of both agents and runs all scheduled functions. */
    public void minute() {
        system.clock().advanceSeconds(60);
        for (String agent : new String[] {AGENT, OTHER}) {
            api.post("/api/v1/agents/" + agent + "/heartbeat")
                    .key(AGENT_KEY)
                    .body(heartbeat(""))
                    .send();
        }
        sweep();
        measure();
    }

    public void sweep() {
        JsonNode passes = Json.stored(system.invoke("SweepFunction", "{}"));
        passes.forEach(pass ->
                assertThat(pass.path("failed").asInt(-1)).as(passes.toString()).isZero());
    }

    public void measure() {
        JsonNode numbers = Json.stored(system.invoke("MeasurementFunction", "{}"));
        assertThat(numbers.path("failed").asInt(-1)).as(numbers.toString()).isZero();
    }

    public JsonNode send(int status, Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return response.json();
    }

    private Pause pause() {
        return system.clock()::advance;
    }

    private void keys() {
        addKey(AGENT_KEY, Role.AGENT, KeyLimits.NONE);
        addKey(COORDINATOR_KEY, Role.COORDINATOR, limits());
        addKey(REVOKED_KEY, Role.AGENT, KeyLimits.NONE);
        send(204, api.delete("/v1/admin/keys/" + REVOKED_KEY).key(ADMIN));
    }

    /** Limits that stop none of the requests here. */
    private KeyLimits limits() {
        Instant end = system.clock().instant().plus(Duration.ofDays(3_000));
        return new KeyLimits(Optional.of(end), List.of(), Set.of());
    }

    private void addKey(String key, Role role, KeyLimits limits) {
        new KeyStore(database())
                .add(ApiKey.issued(
                                key,
                                KeyHash.ofKey(key),
                                role,
                                "",
                                Set.of(),
                                ProviderGrants.of(Set.of("acme")),
                                system.clock().instant())
                        .limitedTo(limits));
    }

    private void register(String agentId, String more) {
        send(201, api.post("/api/v1/agents").key(AGENT_KEY).body("{\"agent_id\":\"" + agentId + "\"," + more + "}"));
    }

    private void sendHeartbeat(String agentId, String more) {
        send(
                200,
                api.post("/api/v1/agents/" + agentId + "/heartbeat")
                        .key(AGENT_KEY)
                        .body(heartbeat(more)));
    }

    private String heartbeat(String more) {
        return "{\"status\":\"active\",\"client_timestamp\":\"" + system.clock().instant() + "\"" + more + "}";
    }

    /** An owner with a limit that is nearly used. */
    private void sharedLimit() {
        KeyStore keys = new KeyStore(database());
        UsageLimits limits = new UsageLimits(Map.of(UsageLimit.TOKENS_PER_DAY, 10L), false, OnExceeded.NONE);
        ApiKey coordinator = keys.find(COORDINATOR_KEY).orElseThrow();
        assertThat(keys.change(
                        coordinator,
                        coordinator
                                .changed(coordinator.name(), Set.of(), coordinator.providers(), coordinator.limits())
                                .sharing(limits)))
                .isTrue();
        Instant now = system.clock().instant();
        UsageState state =
                new UsageState(UsageLevel.WARNING, UsageLimit.TOKENS_PER_DAY, 8, 10, now.plus(Duration.ofHours(1)));
        SharedUsageChange change = SharedUsageChange.due(
                        LimitHolder.owner(COORDINATOR_KEY), Optional.empty(), state, OnExceeded.NONE, now)
                .orElseThrow();
        SharedUsageStore shared = new SharedUsageStore(database());
        assertThat(shared.put(change)).isTrue();
        SharedUsage usage = change.after().orElseThrow();
        assertThat(shared.putReached(usage, usage.reached(OTHER))).isTrue();
    }

    private void archivedAgent() {
        register(ARCHIVED, "\"name\":\"Buried\"");
        send(204, api.delete("/api/v1/agents/" + ARCHIVED).key(AGENT_KEY));
        sweep();
        system.clock().advanceSeconds(3_660);
        sweep();
        sweep();
    }

    private void workflow() {
        send(
                201,
                api.put("/api/v1/workflows/invoices")
                        .key(ADMIN)
                        .body("agents:\n  billing:\n    pool:\n      min_instances: 2\n"));
    }

    private void leases() {
        lease = send(
                        201,
                        api.post(INTENT)
                                .key(AGENT_KEY)
                                .body("{\"agent_id\":\"" + AGENT + "\",\"scope\":\"send\",\"duration_seconds\":86400}"))
                .path("id")
                .asText();
    }

    private void outcomes(String batch) {
        for (String key : new String[] {AGENT_KEY, COORDINATOR_KEY}) {
            send(
                    202,
                    api.post("/api/v1/agents/" + AGENT + "/outcomes")
                            .key(key)
                            .body("{\"batch_id\":\"" + batch
                                    + "\",\"outcomes\":[{\"result\":\"success\",\"latency_ms\":50,\"usage\":{\"input_tokens\":9,\"model\":\"m\"}},"
                                    + "{\"result\":\"failure\",\"error_type\":\"timeout\",\"latency_ms\":90}]}"));
        }
    }

    private void invocations() {
        String message = "{\"message\":\"" + MARKER + "\"}";
        receipt = send(502, invocation(api)).path("receipt_id").asText();
        Receipt over = new ReceiptStore(database()).find(receipt).orElseThrow();
        // The output of an asynchronous invocation is stored with its receipt.
        new ReceiptStore(database()).putOutput(over, "{\"code\":-1,\"message\":\"" + MARKER + "\"}");
        new ReceiptStore(database()).putMessage(receipt, message, over.expiresAt());
        new TaskAccessStore(database()).allow(AGENT, MARKER, over.keyId());
        new OpenTaskStore(database())
                .put(new OpenTask(
                        AGENT,
                        MARKER,
                        "billing",
                        over.keyId(),
                        false,
                        system.clock().instant()));
        refusedInvocation();
        waiting = send(
                        202,
                        api.post("/v1/agents/" + OTHER + "-callable/invoke-async")
                                .key(COORDINATOR_KEY)
                                .body(callable()))
                .path("receipt_id")
                .asText();
    }

    /** An invocation that is no evidence, and what it shows of the agent's endpoint. */
    private void refusedInvocation() {
        Instant now = system.clock().instant();
        Receipt running = Receipt.synchronous(
                "rcpt_refused", AGENT, "key", Duration.ofSeconds(5), TraceContext.NONE, now, Duration.ofSeconds(30));
        new ReceiptStore(database()).create(running);
        new ReceiptStore(database())
                .finish(
                        running,
                        CallResult.failure(InvocationFailure.RPC_REFUSED, now, 5),
                        new Invocation(
                                running.id(),
                                AGENT,
                                "",
                                "key",
                                new Call(false, 5, Call.NO_LIMIT, now),
                                EvidenceScope.NONE));
        new CallerOutcomeStore(database()).addFailure(AGENT, "key", Duration.ofDays(1));
        new ConnectionStore(database())
                .answered(
                        new AgentStore(database()).find(AGENT).orElseThrow().profile(),
                        new A2aProtocol(A2aVersion.V1_0, A2aBinding.HTTP_JSON, ""));
    }

    /** The request of the completed invocation. */
    public static Request invocation(TestApi api) {
        return api.post("/v1/agents/" + AGENT + "/invoke")
                .key(COORDINATOR_KEY)
                .header("idempotency-key", IDEMPOTENCY_KEY)
                .body("{\"message\":\"" + MARKER + "\"}");
    }

    private String callable() {
        register(OTHER + "-callable", "\"endpoint\":\"https://bystander.invalid/\"");
        return "{\"message\":\"Hello\"}";
    }

    private void blocks() {
        for (String whom : new String[] {"agents/" + AGENT, "providers/acme"}) {
            String reason = whom.startsWith("agents") ? MARKER : "Under review";
            send(200, api.post("/v1/admin/" + whom + "/block").key(ADMIN).body("{\"reason\":\"" + reason + "\"}"));
        }
    }

    /** The pool reaches its two members, then one of them deregisters. */
    private void poolBelowMinimum() {
        minute();
        register("leaving", "\"role_id\":\"billing\"");
        minute();
        send(204, api.delete("/api/v1/agents/leaving").key(AGENT_KEY));
        send(
                200,
                api.put("/api/v1/workflows/invoices")
                        .key(ADMIN)
                        .body("agents:\n  billing:\n    pool:\n      min_instances: 3\n"));
        minute();
        minute();
    }

    @Override
    public void close() {
        system.close();
    }
}
