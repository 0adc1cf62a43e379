package dev.agenthealth.functions.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets past the registry's door (RFC-0016 §11, Security Considerations). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryAccessTest {

    private static final String AGENT = "guarded";

    private TestSystem system;

    @BeforeAll
    void open() {
        system = new TestSystem();
        TestAgent.registered(system, AGENT);
    }

    @AfterAll
    void close() {
        system.close();
    }

    /** Every route of the registry, and whether it is about one agent. */
    private static Stream<Arguments> routes() {
        return Stream.of(
                Arguments.of("POST", "/api/v1/agents", false),
                Arguments.of("GET", "/api/v1/agents", false),
                Arguments.of("GET", "/api/v1/agents/" + AGENT, true),
                Arguments.of("PATCH", "/api/v1/agents/" + AGENT, true),
                Arguments.of("DELETE", "/api/v1/agents/" + AGENT, true),
                Arguments.of("PATCH", "/api/v1/agents/" + AGENT + "/status", true),
                Arguments.of("GET", "/api/v1/agents/" + AGENT + "/events", true),
                Arguments.of("GET", "/api/v1/events", false));
    }

    @ParameterizedTest
    @MethodSource("routes")
    @Tag("R16-31")
    void without_a_known_key_nothing_is_answered_and_nothing_happens(String method, String path) {
        TableContents before = TableContents.of(system.tables());
        for (String key : List.of("", " ", "nobody's key", "test-agent-key ".repeat(20), "tést", "\u0000")) {
            for (String body : List.of("", "{}", "no JSON", "{\"status\":\"draining\"}")) {
                Response response = request(method, path).key(key).body(body).send();
                assertUnauthenticated(response);
            }
        }
        assertUnauthenticated(request(method, path).send());
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("routes")
    @Tag("R16-31")
    @Tag("R16-33")
    @Tag("R16-35")
    void another_agent_s_key_is_refused_wherever_one_agent_is_meant(String method, String path, boolean ofOneAgent) {
        TableContents before = TableContents.of(system.tables());
        Response response = request(method, path)
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("if-match", "*")
                .body("{\"status\":\"draining\"}")
                .send();
        if (ofOneAgent) {
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.json().get("error").textValue()).isEqualTo("forbidden");
            assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(response.header("WWW-Authenticate")).isEmpty();
        }
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @Test
    void ping_needs_no_key() {
        assertThat(system.api().get("/ping").send().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AGENT", "COORDINATOR", "ADMINISTRATOR"})
    @Tag("R16-31")
    void a_revoked_key_stops_working_within_a_minute(String role) {
        String key = "revoked-" + role;
        system.addKey(key, Role.valueOf(role), Set.of());
        assertThat(register(key, "{}").status()).isEqualTo(201);
        assertThat(system.stores().keys().revoke("key-" + key)).isTrue();
        system.clock().advance(Authenticator.CACHE_TIME);
        assertUnauthenticated(register(key, "{}"));
        assertThat(Authenticator.CACHE_TIME).isLessThan(Duration.ofSeconds(60));
    }

    @Test
    @Tag("R16-31")
    void a_key_works_as_soon_as_it_is_issued() {
        assertUnauthenticated(register("new-key", "{}"));
        system.addKey("new-key", Role.AGENT, Set.of());
        assertThat(register("new-key", "{}").status()).isEqualTo(201);
    }

    @Test
    @Tag("R16-31")
    void a_known_key_is_looked_up_once_in_a_while() {
        system.addKey("often", Role.COORDINATOR, Set.of());
        system.clock().advanceSeconds(31);
        assertThat(lookups("often")).isEqualTo(1);
        assertThat(lookups("often")).isZero();
        system.clock().advanceSeconds(29);
        assertThat(lookups("often")).isZero();
        system.clock().advanceSeconds(1);
        assertThat(lookups("often")).isEqualTo(1);
    }

    @Test
    @Tag("R16-31")
    void the_administrator_s_key_is_never_looked_up() {
        assertThat(lookups(TestSystem.ADMINISTRATOR_KEY)).isZero();
    }

    @Test
    @Tag("R16-31")
    void blanks_around_a_key_are_not_part_of_it() {
        assertThat(register("  " + TestSystem.AGENT_KEY + "\t", "{}").status()).isEqualTo(201);
    }

    @Test
    @Tag("R16-34")
    void a_coordinator_of_some_roles_registers_agents_of_these_roles() {
        system.addKey("of-billing", Role.COORDINATOR, Set.of("billing"));
        assertThat(register("of-billing", "{\"role_id\":\"billing\"}").status()).isEqualTo(201);
        assertThat(register("of-billing", "{\"role_id\":\"other\"}").status()).isEqualTo(403);
        assertThat(register("of-billing", "{}").status()).isEqualTo(403);
        assertThat(register(TestSystem.COORDINATOR_KEY, "{\"role_id\":\"other\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    @Tag("R16-35")
    void a_coordinator_of_some_roles_reads_and_changes_agents_of_these_roles_only() {
        system.addKey("of-research", Role.COORDINATOR, Set.of("research"));
        register(TestSystem.AGENT_KEY, "{\"agent_id\":\"in\",\"role_id\":\"research\"}");
        register(TestSystem.AGENT_KEY, "{\"agent_id\":\"out\",\"role_id\":\"billing\"}");
        for (String path : List.of("", "/events")) {
            assertThat(system.api()
                            .get("/api/v1/agents/in" + path)
                            .key("of-research")
                            .send()
                            .status())
                    .isEqualTo(200);
            assertThat(system.api()
                            .get("/api/v1/agents/out" + path)
                            .key("of-research")
                            .send()
                            .status())
                    .isEqualTo(403);
        }
    }

    private long lookups(String key) {
        system.meter().reset();
        assertThat(system.api().get("/api/v1/agents").key(key).send().status()).isEqualTo(200);
        return system.meter().operations().stream().filter("GetItem"::equals).count();
    }

    private Response register(String key, String body) {
        return system.api().post("/api/v1/agents").key(key).body(body).send();
    }

    private Request request(String method, String path) {
        return switch (method) {
            case "POST" -> system.api().post(path);
            case "PATCH" -> system.api().patch(path);
            case "DELETE" -> system.api().delete(path);
            default -> system.api().get(path);
        };
    }

    private static void assertUnauthenticated(Response response) {
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("WWW-Authenticate")).isEqualTo("ApiKey realm=\"agent-health\"");
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("error").textValue()).isEqualTo("unauthenticated");
    }
}
