package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.ApiExchange;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every secret of a {@link Scenario} of all functions, sent or issued, is recorded as it passes, and searched afterwards in what the system
 * wrote: its log, its events, its queues, its messages, its tables, which a backup copies, and each answer but the one that issued it.
 */
@Tag(Attack.TAG)
class SecretsAreKeptTest {

    private static final int SHORTEST = 12;

    /** Fields of requests and answers that are secret as a whole, by name. */
    private static final Set<String> SECRET_FIELDS = Set.of(
            "api_key",
            "bearer_token",
            "secret",
            "secrets",
            "routing_key",
            "access_token",
            "refresh_token",
            "id_token",
            "code_verifier",
            "ping_url");

    private static final Set<String> SECRET_HEADERS = Set.of("x-api-key", "authorization");

    private static final List<String> TARGETS = List.of(
            """
                    {"type":"webhook","url":"https://receiver.invalid/webhook",\
                    "secrets":["whsec_CanaryOfASigningSecretCanaryOfASigningSecret"]}\
                    """,
            "{\"type\":\"webhook\",\"url\":\"https://receiver.invalid/generated\"}",
            "{\"type\":\"slack\",\"url\":\"https://receiver.invalid/services/canary-of-slack\"}",
            "{\"type\":\"teams\",\"url\":\"https://receiver.invalid/canary-of-teams\"}",
            "{\"type\":\"google_chat\",\"url\":\"https://receiver.invalid/v1/spaces/x/messages?key=canary-of-chat\"}",
            "{\"type\":\"discord\",\"url\":\"https://receiver.invalid/api/webhooks/1/canary-of-discord\"}",
            """
                    {"type":"pagerduty","routing_key":"fedcba9876543210fedcba9876543210",\
                    "url":"https://receiver.invalid/"}\
                    """,
            """
                    {"type":"opsgenie","api_key":"0c0ffee0-faa2-4ba2-a551-1afdf565c889",\
                    "url":"https://receiver.invalid/alerts"}\
                    """);

    private final Attack attack = Attack.begin("secrets");
    private final CapturedOutput log = new CapturedOutput();
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final List<ApiExchange> exchanges = new ArrayList<>();

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void no_secret_of_a_long_run_is_written_anywhere() {
        try (DeployedSystem system = new DeployedSystem()) {
            TestApi api = system.api();
            api.watch(this::note);
            new Scenario(system, api, false).run();
            rotatedKey(api);
            credentials(api);
            notifications(api);
            new ScenarioClient(system, api, false).sweep();
            readEverything(api);
            secrets.put("canary-of-", "part of an address");
            Map<String, String> written = new TreeMap<>();
            written.put("log", log.text());
            written.put("events", system.eventBridge().requests().toString());
            written.put("queues", system.sqs().messages().toString());
            written.put("mail", system.sns().messages().toString());
            written.put(
                    "tables",
                    system.invoke("PublisherFunction", StreamRecords.event(StreamRecords.events(system.tables())))
                            + TableContents.of(system.tables()));
            assertThat(found(written)).isEmpty();
            Set<String> kinds = new TreeSet<>(secrets.values());
            log.close();
            attack.figure("secrets", secrets.size())
                    .figure("kinds of secrets", kinds.size())
                    .figure("answers searched", exchanges.size())
                    .figure(
                            "characters of log, events, messages and tables",
                            written.values().stream().mapToLong(String::length).sum())
                    .end();
            assertThat(kinds)
                    .contains(
                            "api_key",
                            "bearer_token",
                            "ping_url",
                            "secret",
                            "secrets",
                            "routing_key",
                            "x-api-key",
                            "authorization");
            assertThat(secrets).hasSizeGreaterThan(20);
            assertThat(exchanges).hasSizeGreaterThan(300);
            assertThat(written)
                    .allSatisfy((where, text) -> assertThat(text).as(where).isNotEmpty());
        }
    }

    @Test
    void a_secret_that_is_written_or_answered_is_seen() {
        String key = "a key of somebody";
        note(new ApiExchange(
                "GET /api/v1/me",
                new ApiExchange.Request("/api/v1/me", Map.of(), Map.of("x-api-key", key), ""),
                new ApiExchange.Answer(200, Map.of(), "{\"name\":\"" + key + "\"}")));
        assertThat(found(Map.of("log", "request of " + key, "events", "none"))).hasSize(2);
    }

    private List<String> found(Map<String, String> written) {
        List<String> found = new ArrayList<>(answersWithSecrets());
        for (Map.Entry<String, String> secret : secrets.entrySet()) {
            written.forEach((where, text) -> {
                int at = text.indexOf(secret.getKey());
                if (at >= 0) {
                    found.add(secret + " in the " + where + ": "
                            + text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 100)));
                }
            });
        }
        return found;
    }

    private void note(ApiExchange exchange) {
        exchanges.add(exchange);
        SECRET_HEADERS.forEach(
                name -> add(name, exchange.headers().getOrDefault(name, "").replaceFirst("^Bearer ", "")));
        for (String body : List.of(exchange.body(), exchange.answer())) {
            if (body.startsWith("{")) {
                collect(TestJson.read(body));
            }
        }
    }

    private void collect(JsonNode json) {
        json.properties().forEach(field -> {
            if (SECRET_FIELDS.contains(field.getKey())) {
                JsonNode value = field.getValue();
                add(field.getKey(), value.isArray() ? value.path(0).asText() : value.asText());
            }
            collect(field.getValue());
        });
        if (json.isArray()) {
            json.forEach(this::collect);
        }
    }

    private void add(String kind, String secret) {
        // Of a ping address, the part that is not the id of the agent.
        String kept = kind.equals("ping_url") ? secret.substring(secret.lastIndexOf('.') + 1) : secret;
        if (kept.length() >= SHORTEST) {
            secrets.putIfAbsent(kept, kind);
        }
    }

    /** Answers that have a secret in another place than the field in which it is issued. */
    private List<String> answersWithSecrets() {
        List<String> found = new ArrayList<>();
        for (ApiExchange exchange : exchanges) {
            String answer = exchange.answer() + exchange.answerHeaders();
            Set<String> issued = issued(exchange.answer());
            for (Map.Entry<String, String> secret : secrets.entrySet()) {
                // A problem document names the path of its request; the description has the same examples as the
                // scenario.
                boolean isOwn = exchange.path().contains(secret.getKey())
                        || exchange.path().equals("/openapi.json");
                if (!isOwn
                        && answer.contains(secret.getKey())
                        && issued.stream().noneMatch(text -> text.contains(secret.getKey()))) {
                    found.add(secret + " in the answer of " + exchange.routeKey());
                }
            }
        }
        return found;
    }

    private static Set<String> issued(String answer) {
        if (!answer.startsWith("{")) {
            return Set.of();
        }
        JsonNode json = TestJson.read(answer);
        return List.of("api_key", "ping_url", "secret").stream()
                .flatMap(name -> json.findValues(name).stream())
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
    }

    private static void rotatedKey(TestApi api) {
        JsonNode key = api.post("/v1/admin/keys")
                .key(ADMIN)
                .body("{\"role\":\"administrator\",\"name\":\"rotated\"}")
                .send()
                .json();
        String path = "/v1/admin/keys/" + key.path("key_id").asText() + "/rotate";
        assertThat(api.post(path)
                        .key(ADMIN)
                        .body("{\"overlap_seconds\":60}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/agents")
                        .key(key.path("api_key").asText())
                        .send()
                        .status())
                .isEqualTo(200);
        for (String wrong : List.of("canary-of-an-unknown-key", "ahk_" + "x".repeat(43))) {
            assertThat(api.get("/v1/admin/keys").key(wrong).send().status()).isEqualTo(401);
            assertThat(api.get("/v1/admin/keys")
                            .header("authorization", "Bearer eyJhbGciOiJub25lIn0." + wrong + ".x")
                            .send()
                            .status())
                    .isEqualTo(401);
        }
    }

    private static void credentials(TestApi api) {
        String key = api.post("/v1/admin/keys")
                .key(ADMIN)
                .body("{\"role\":\"agent\"}")
                .send()
                .json()
                .path("api_key")
                .asText();
        String agent = "{\"agent_id\":\"credential\",\"endpoint\":\"https://receiver.invalid/\"}";
        assertThat(api.post("/api/v1/agents").key(key).body(agent).send().status())
                .isEqualTo(201);
        String body = "{\"bearer_token\":\"canary-of-credential\"}";
        assertThat(api.put("/v1/agents/credential/credential")
                        .key(key)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/v1/agents/credential/invoke")
                        .key(key)
                        .body("{\"message\":\"x\"}")
                        .send()
                        .status())
                .isEqualTo(502);
        String ping = api.post("/api/v1/agents/credential/ping-url")
                .key(key)
                .send()
                .json()
                .path("ping_url")
                .asText();
        assertThat(api.get(ping.substring(ping.indexOf("/p/"))).send().status()).isEqualTo(200);
        assertThat(api.get("/p/credential.canary-of-a-wrong-address").send().status())
                .isEqualTo(404);
    }

    private static void notifications(TestApi api) {
        for (int i = 0; i < TARGETS.size(); i++) {
            String rule = "/v1/admin/notifications/canary" + i;
            assertThat(api.put(rule)
                            .key(ADMIN)
                            .body("{\"events\":[\"agent.lifecycle\"],\"target\":" + TARGETS.get(i) + "}")
                            .send()
                            .status())
                    .isEqualTo(201);
            assertThat(api.post(rule + "/test").key(ADMIN).send().status()).isEqualTo(200);
        }
    }

    /** Everything that an administrator can read without naming one thing, and what names these. */
    private static void readEverything(TestApi api) {
        for (Route route : api.routes()) {
            String path = route.key().substring(route.key().indexOf(' ') + 1);
            if (route.key().startsWith("GET ")) {
                String named = path.replace("{agent_id}", "credential")
                        .replace("{name}", "canary0")
                        .replaceAll("\\{[a-z_]+}", "unknown");
                api.get(named).key(ADMIN).send();
            }
        }
    }
}
