package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every route of every function with every kind of key and token, valid and not: the route's declaration determines which are refused (RFC-0016
 * §11).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-31")
@Tag("SN-03")
@Tag(Attack.TAG)
class AccessMatrixTest {

    private static final String ROLE = "worker";
    private static final int ALLOWED = 0;

    /** Valid bodies for routes that read the body before the agent; other routes get an invalid body. */
    private static final Map<String, String> BODIES = Map.of(
            "POST /api/v1/agents/{agent_id}/commands",
            "{\"command\":\"drain\"}",
            "POST /api/v1/agents/{agent_id}/declaration/accept",
            "{\"digest\":\"other\"}",
            "POST /api/v1/agents/{agent_id}/heartbeat",
            "{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:00:00Z\"}",
            "POST /openintent/api/v1/agents/{agent_id}/heartbeat",
            "{\"status\":\"active\",\"current_load\":0,\"tasks_in_progress\":[]}",
            "POST /api/v1/heartbeats",
            "{\"heartbeats\":[]}");

    private static final String PUBLIC_CATALOGUE =
            """
            {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
             "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
             "invocations":{"per_second":10,"burst":20,"max_in_flight":5},"default_window_seconds":86400,
             "max_agents_per_key":20000,"max_watched_agents_per_key":1000,"public_catalogue":true}
            """;

    private static final String GRANTS =
            """
            [{'claim':'sub','value':'workload','role':'agent','owner':'team'},
             {'claim':'sub','value':'viewer','role':'viewer'},
             {'claim':'sub','value':'coordinator','role':'coordinator','role_ids':['worker']},
             {'claim':'sub','value':'coordinator-of-others','role':'coordinator','role_ids':['other']},
             {'claim':'sub','value':'administrator','role':'administrator'}]
            """;

    /** The callers. The agent's role is {@link #ROLE}. */
    private enum Key {
        NONE(""),
        BLANK(" "),
        UNKNOWN("unknown-key"),
        NOT_ASCII("tést\u0000"),
        TOO_LONG((TestSystem.AGENT_KEY + " ").repeat(20)),
        REVOKED("revoked"),
        ROTATED_OUT("rotated-out"),
        EXPIRED("expired"),
        OTHER_ADDRESS("elsewhere"),
        EXPIRED_TOKEN(token("administrator", -400, TestTokens.ISSUER, TestTokens.EC)),
        TOKEN_NOT_YET_VALID(token("administrator", 61, TestTokens.ISSUER, TestTokens.EC)),
        TOKEN_OF_REMOVED_PROVIDER(token("administrator", 0, "https://removed.example", TestTokens.EC)),
        FORGED_TOKEN(token("administrator", 0, TestTokens.ISSUER, TestTokens.OTHER_EC)),
        UNSIGNED_TOKEN(withHeader("{\"alg\":\"none\",\"kid\":\"ec-1\"}", "")),
        TOKEN_OF_UNKNOWN_KEY(withHeader("{\"alg\":\"ES256\",\"kid\":\"../../ec-1\"}", "x".repeat(86))),
        TOKEN_WITH_ITS_OWN_KEY(withHeader(
                "{\"alg\":\"ES256\",\"kid\":\"ec-2\",\"jwk\":" + TestTokens.OTHER_EC.toPublicJWK() + "}",
                "x".repeat(86))),
        HUGE_TOKEN(withHeader("{\"alg\":\"ES256\",\"kid\":\"" + "k".repeat(9_000) + "\"}", "x".repeat(86))),
        TOKEN_WITHOUT_GRANT(token("nobody", 0, TestTokens.ISSUER, TestTokens.EC)),
        OWNER(TestSystem.AGENT_KEY),
        OTHER_AGENT(TestSystem.OTHER_AGENT_KEY),
        VIEWER("viewer"),
        VIEWER_OF_ROLE("viewer-of-workers"),
        VIEWER_OF_OTHER_ROLE("viewer-of-others"),
        COORDINATOR(TestSystem.COORDINATOR_KEY),
        COORDINATOR_OF_ROLE("coordinator-of-workers"),
        COORDINATOR_OF_OTHER_ROLE("coordinator-of-others"),
        ADMINISTRATOR(TestSystem.ADMINISTRATOR_KEY),
        LIMITED_TO_HEARTBEATS("administrator-heartbeat"),
        LIMITED_TO_READING("administrator-read"),
        LIMITED_TO_CALLS("administrator-invoke"),
        WORKLOAD(token("workload", 0, TestTokens.ISSUER, TestTokens.EC)),
        PERSON_VIEWER(token("viewer", 0, TestTokens.ISSUER, TestTokens.EC)),
        PERSON_COORDINATOR_OF_ROLE(token("coordinator", 0, TestTokens.ISSUER, TestTokens.EC)),
        PERSON_COORDINATOR_OF_OTHER_ROLE(token("coordinator-of-others", 0, TestTokens.ISSUER, TestTokens.EC)),
        PERSON_ADMINISTRATOR(token("administrator", 0, TestTokens.ISSUER, TestTokens.EC));

        private final String text;

        /** A token that is issued so many seconds from now. */
        private static String token(String subject, int seconds, String issuer, JWK key) {
            Instant issued = MutableClock.atExampleTime().instant().plusSeconds(seconds);
            return TestTokens.token(TestTokens.claims(subject, issued).put("iss", issuer), key);
        }

        /** A token of an administrator with another header and signature. */
        private static String withHeader(String header, String signature) {
            String claims =
                    token("administrator", 0, TestTokens.ISSUER, TestTokens.EC).split("\\.")[1];
            return Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
                    + claims + "." + signature;
        }

        boolean isToken() {
            return text.startsWith("eyJ");
        }

        boolean isAdministrator() {
            return this == ADMINISTRATOR || this == PERSON_ADMINISTRATOR || isLimited();
        }

        boolean isLimited() {
            return this == LIMITED_TO_HEARTBEATS || this == LIMITED_TO_READING || this == LIMITED_TO_CALLS;
        }

        boolean may(KeyAction action) {
            return !isLimited() || text.endsWith("-" + action.wireName());
        }

        /** The status with which it is refused where it is not valid. */
        int refusal() {
            return this == TOKEN_WITHOUT_GRANT || this == OTHER_ADDRESS ? 403 : 401;
        }

        Key(String text) {
            this.text = text;
        }

        boolean isSent() {
            return !text.isBlank();
        }

        boolean isValid() {
            return compareTo(OWNER) >= 0;
        }

        boolean isOfAgent() {
            return this == OWNER || this == OTHER_AGENT || this == WORKLOAD;
        }

        boolean isViewer() {
            return this == VIEWER || this == VIEWER_OF_ROLE || this == VIEWER_OF_OTHER_ROLE || this == PERSON_VIEWER;
        }

        boolean isOfOtherRole() {
            return this == VIEWER_OF_OTHER_ROLE
                    || this == COORDINATOR_OF_OTHER_ROLE
                    || this == PERSON_COORDINATOR_OF_OTHER_ROLE;
        }

        boolean isOfAllRoles() {
            return this == VIEWER || this == PERSON_VIEWER || this == COORDINATOR || isAdministrator();
        }
    }

    /** A comparison of the tables reads all agents, and every test adds agents. */
    private static final int TESTS_OF_SYSTEM = 10;

    @AutoClose
    private TestSystem system = new TestSystem();

    private final Attack attack = Attack.begin("access");
    private int tests;
    private int agents;
    private long sent;
    private long refused;

    @AfterAll
    void showFigures() {
        attack.figure("routes", system.api().routes().size())
                .figure("credentials", Key.values().length)
                .figure("requests", sent)
                .figure("refused without any effect", refused)
                .end();
    }

    @BeforeEach
    void replaceLargeSystem() {
        if (tests++ % TESTS_OF_SYSTEM == 0) {
            system.close();
            system = new TestSystem();
            // Metrics are there after the first sweep.
            system.sweep().passes(TestContext.of("SweepFunction"));
            addKeys();
        }
    }

    private void addKeys() {
        // Otherwise the catalogue requires a key.
        assertThat(system.api()
                        .put("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(PUBLIC_CATALOGUE)
                        .send()
                        .status())
                .isEqualTo(200);
        system.addKey(Key.VIEWER.text, Role.VIEWER, Set.of());
        system.addKey(Key.VIEWER_OF_ROLE.text, Role.VIEWER, Set.of(ROLE));
        system.addKey(Key.VIEWER_OF_OTHER_ROLE.text, Role.VIEWER, Set.of("other"));
        system.addKey(Key.COORDINATOR_OF_ROLE.text, Role.COORDINATOR, Set.of(ROLE));
        system.addKey(Key.COORDINATOR_OF_OTHER_ROLE.text, Role.COORDINATOR, Set.of("other"));
        system.addKey(Key.REVOKED.text, Role.ADMINISTRATOR, Set.of());
        system.addKey(Key.ROTATED_OUT.text, Role.ADMINISTRATOR, Set.of());
        assertThat(system.api()
                        .post("/v1/admin/keys/" + TestSystem.keyId(Key.ROTATED_OUT.text) + "/rotate")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"overlap_seconds\":0}")
                        .send()
                        .status())
                .isEqualTo(200);
        addLimited(Key.EXPIRED, new KeyLimits(Optional.of(system.clock().instant()), List.of(), Set.of()));
        AddressBlock block = AddressBlock.of("198.51.100.0/24").orElseThrow();
        addLimited(Key.OTHER_ADDRESS, new KeyLimits(Optional.empty(), List.of(block), Set.of()));
        addLimited(Key.LIMITED_TO_HEARTBEATS, limitedTo(KeyAction.HEARTBEAT));
        addLimited(Key.LIMITED_TO_READING, limitedTo(KeyAction.READ));
        addLimited(Key.LIMITED_TO_CALLS, limitedTo(KeyAction.INVOKE));
        new KeyStore(system.database()).revoke(TestSystem.keyId(Key.REVOKED.text));
        TestTokens.configure(system.api(), "acme", GRANTS, TestTokens.EC);
    }

    private static KeyLimits limitedTo(KeyAction action) {
        return new KeyLimits(Optional.empty(), List.of(), Set.of(action));
    }

    private void addLimited(Key key, KeyLimits limits) {
        system.addKey(key.text, Role.ADMINISTRATOR, Set.of(), limits);
    }

    Stream<String> routes() {
        return system.api().routes().stream().map(Route::key);
    }

    @ParameterizedTest
    @MethodSource("routes")
    @Tag("R16-33")
    @Tag("R16-35")
    void a_route_accepts_the_declared_callers_and_refuses_others_without_effect(String routeKey) {
        Route route = route(routeKey);
        String agentId = newAgent();
        TableContents before = contents();
        for (Key key : Key.values()) {
            int roleRefusal = refusalBefore(route, key);
            if (roleRefusal != ALLOWED) {
                // All keys together: every agent with every body.
                List<String> ids = List.of(agentId, "unknown", "a~b");
                List<String> bodies = List.of("", "no JSON", body(routeKey));
                for (int i = 0; i < ids.size(); i++) {
                    String body = bodies.get((i + key.ordinal()) % bodies.size());
                    assertRefused(routeKey, roleRefusal, send(routeKey, ids.get(i), key, body), key);
                }
            } else if (refusalByData(route, key)) {
                assertRefused(routeKey, 403, send(routeKey, agentId, key, body(routeKey)), key);
            }
        }
        assertThat(contents()).isEqualTo(before);
        for (Key key : Key.values()) {
            if (refusalBefore(route, key) == ALLOWED && !refusalByData(route, key)) {
                assertThat(send(routeKey, newAgent(), key, body(routeKey)).status())
                        .as(key.name())
                        .isNotIn(401, 403)
                        .isLessThan(500);
            }
        }
    }

    /** But for the entries of the audit log that say what was refused. */
    private TableContents contents() {
        TableContents contents = TableContents.of(system.tables());
        contents.items().removeIf(item -> item.values().stream()
                .anyMatch(value -> value.s() != null && value.s().contains("request.refused")));
        return contents;
    }

    @ParameterizedTest
    @MethodSource("routes")
    void an_agent_of_a_workload_is_open_to_its_tokens_and_not_to_the_keys_of_others(String routeKey) {
        Access access = route(routeKey).access();
        if (!routeKey.contains("{agent_id}")
                || access != Access.AGENT && access != Access.OWNER && access != Access.UNVERIFIED_KEY) {
            return;
        }
        String agentId = newAgent(Key.WORKLOAD);
        assertRefused(routeKey, 403, send(routeKey, agentId, Key.OWNER, body(routeKey)), Key.OWNER);
        assertThat(send(routeKey, agentId, Key.WORKLOAD, body(routeKey)).status())
                .isNotIn(401, 403)
                .isLessThan(500);
    }

    @Test
    void every_route_has_the_action_of_what_it_does() {
        Map<KeyAction, List<String>> routes = system.api().routes().stream()
                .collect(Collectors.groupingBy(Route::action, Collectors.mapping(Route::key, Collectors.toList())));
        assertThat(routes.get(KeyAction.HEARTBEAT))
                .containsExactlyInAnyOrder(
                        "POST /api/v1/agents",
                        "DELETE /api/v1/agents/{agent_id}",
                        "PATCH /api/v1/agents/{agent_id}/status",
                        "POST /openintent/api/v1/agents/register",
                        "PATCH /openintent/api/v1/agents/{agent_id}/status",
                        "POST /api/v1/agents/{agent_id}/heartbeat",
                        "POST /api/v1/heartbeats",
                        "POST /openintent/api/v1/agents/{agent_id}/heartbeat",
                        "POST /api/v1/agents/{agent_id}/outcomes",
                        "POST /v1/otlp/v1/traces",
                        "POST /v1/otlp/v1/logs");
        assertThat(routes.get(KeyAction.INVOKE))
                .containsExactlyInAnyOrder(
                        "POST /v1/agents/{agent_id}/invoke",
                        "POST /v1/agents/{agent_id}/invoke-async",
                        "POST /a2a/agents/{agent_id}",
                        "POST /a2a/agents/{agent_id}/{operation}",
                        "GET /a2a/agents/{agent_id}/tasks",
                        "GET /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "DELETE /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "GET /a2a/agents/{agent_id}/extendedAgentCard");
        assertThat(system.api().routes())
                .allMatch(route -> (route.action() == KeyAction.READ)
                        == (route.access() != Access.UNVERIFIED_KEY && !changes(route)));
    }

    @Test
    void every_route_about_one_agent_checks_access_to_the_agent() {
        assertThat(system.api().routes())
                .filteredOn(route -> route.access() == Access.AGENT)
                .hasSizeGreaterThan(10)
                .allMatch(route -> route.key().contains("{agent_id}"));
        assertThat(system.api().routes())
                .filteredOn(route -> route.access() == Access.ANY_KEY)
                .extracting(Route::key)
                .filteredOn(key -> key.contains("{agent_id}"))
                .as("every key may invoke every agent")
                .containsExactly(
                        "POST /v1/agents/{agent_id}/invoke",
                        "POST /v1/agents/{agent_id}/invoke-async",
                        "POST /a2a/agents/{agent_id}",
                        "POST /a2a/agents/{agent_id}/{operation}",
                        "GET /a2a/agents/{agent_id}/tasks",
                        "GET /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "DELETE /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "GET /a2a/agents/{agent_id}/extendedAgentCard");
    }

    /** The status with which a key is refused before any read; {@link #ALLOWED} if it is not refused. */
    private static int refusalBefore(Route route, Key key) {
        boolean hasCaller = route.access() != Access.UNVERIFIED_KEY && route.access() != Access.PUBLIC;
        if (key.isViewer() && changes(route) && hasCaller) {
            return 403;
        }
        if (route.access() != Access.PUBLIC && !key.may(route.action())) {
            return 403;
        }
        return switch (route.access()) {
            case PUBLIC -> ALLOWED;
            case OPTIONAL_KEY -> !key.isSent() || key.isValid() ? ALLOWED : key.refusal();
            case UNVERIFIED_KEY, ANY_KEY, AGENT, OWNER -> key.isValid() ? ALLOWED : key.refusal();
            case COORDINATOR -> !key.isValid() ? key.refusal() : key.isOfAgent() ? 403 : ALLOWED;
            case COORDINATOR_OF_ALL_ROLES -> !key.isValid() ? key.refusal() : key.isOfAllRoles() ? ALLOWED : 403;
            case ADMINISTRATOR -> !key.isValid() ? key.refusal() : key.isAdministrator() ? ALLOWED : 403;
        };
    }

    private static boolean changes(Route route) {
        return !(route.key().startsWith("GET ") && !route.key().startsWith("GET /a2a/"))
                && !route.key().startsWith("HEAD ")
                && !route.key().endsWith("/leases/{lease_id}/verify")
                && !route.key().equals("POST /search")
                && !route.key().equals("POST /mcp");
    }

    /** Whether a key is refused because of the agent or the role that the path names. */
    private static boolean refusalByData(Route route, Key key) {
        return switch (route.access()) {
            case UNVERIFIED_KEY -> route.key().contains("{agent_id}") && key != Key.OWNER;
            case OWNER ->
                key != Key.OWNER && !key.isAdministrator()
                        // A ping address ends with the key that issued it, and a person has none.
                        || key == Key.PERSON_ADMINISTRATOR
                                && route.key().equals("POST /api/v1/agents/{agent_id}/ping-url");
            case AGENT ->
                key == Key.LIMITED_TO_HEARTBEATS
                        || key == Key.OTHER_AGENT
                        || key == Key.WORKLOAD
                        || key.isOfOtherRole();
            case COORDINATOR -> route.key().contains("{role_id}") && key.isOfOtherRole();
            default -> false;
        };
    }

    private static String body(String routeKey) {
        return BODIES.getOrDefault(routeKey, "{\"no_such_field\":1}");
    }

    private Response send(String routeKey, String agentId, Key key, String body) {
        sent++;
        String path = routeKey.substring(routeKey.indexOf(' ') + 1)
                .replace("{agent_id}", agentId)
                .replace("{role_id}", ROLE)
                .replaceAll("\\{[a-z_]+}", "unknown");
        var request = system.api()
                .request(routeKey.substring(0, routeKey.indexOf(' ')), path)
                .header("if-match", "*")
                .body(body);
        if (key.isToken()) {
            return request.header("authorization", "Bearer " + key.text).send();
        }
        return (key == Key.NONE ? request : request.key(key.text)).send();
    }

    private void assertRefused(String routeKey, int status, Response response, Key key) {
        refused++;
        assertThat(response.status()).as(key + " " + response.text()).isEqualTo(status);
        if (routeKey.startsWith("HEAD ")) {
            assertThat(response.text()).isNullOrEmpty();
        } else if (response.json().has("error")) {
            assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(response.json().path("error").asText())
                    .isIn(
                            status == 403
                                    ? switch (key) {
                                        case TOKEN_WITHOUT_GRANT -> List.of("not_granted");
                                        case OTHER_ADDRESS -> List.of("address_not_allowed");
                                        default ->
                                            key.isLimited()
                                                    ? List.of("action_not_allowed", "forbidden")
                                                    : List.of("forbidden");
                                    }
                                    : List.of(key.isToken() ? "invalid_token" : "unauthenticated"));
        } else if (response.json().has("errorCode")) {
            assertThat(response.json().path("errorCode").asText())
                    .as("of ARD")
                    .isEqualTo(status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED");
        } else {
            assertThat(response.json().path("code").asInt()).as("of gRPC").isEqualTo(status == 401 ? 16 : 7);
        }
        String scheme = key.isToken()
                ? "Bearer realm=\"agent-health\", error=\"invalid_token\""
                : "Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\"";
        assertThat(response.header("WWW-Authenticate")).isEqualTo(status == 401 ? scheme : "");
    }

    private Route route(String routeKey) {
        return system.api().routes().stream()
                .filter(route -> route.key().equals(routeKey))
                .findFirst()
                .orElseThrow();
    }

    private String newAgent() {
        return newAgent(Key.OWNER);
    }

    private String newAgent(Key owner) {
        String agentId = "agent_" + agents++;
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .header("authorization", "Bearer " + owner.text)
                        .body("{\"agent_id\":\"" + agentId + "\",\"role_id\":\"" + ROLE + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        return agentId;
    }
}
