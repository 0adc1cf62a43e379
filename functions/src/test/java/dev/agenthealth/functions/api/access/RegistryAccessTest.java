package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acceptance, caching and revocation of keys, and coordinators of some roles (RFC-0016 §11, Security Considerations). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryAccessTest {

    @AutoClose
    private TestSystem system;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void ping_needs_no_key() {
        assertThat(system.api().get("/api/v1/ping").send().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AGENT", "COORDINATOR", "ADMINISTRATOR"})
    @Tag("R16-31")
    void a_revoked_key_stops_working_within_a_minute(String role) {
        String key = "revoked-" + role;
        system.addKey(key, Role.valueOf(role), Set.of());
        assertThat(register(key, "{\"owner_key_id\":\"key-" + key + "\"}").status())
                .isEqualTo(201);
        assertThat(new KeyStore(system.database()).revoke("key-" + key)).isTrue();
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
    void a_cached_key_is_looked_up_again_after_its_time_to_live() {
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
    void whether_the_administrator_s_key_is_off_is_read_once_in_half_a_minute() {
        system.clock().advanceSeconds(31);
        assertThat(lookups(TestSystem.ADMINISTRATOR_KEY)).isEqualTo(1);
        system.clock().advanceSeconds(29);
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

    private static void assertUnauthenticated(Response response) {
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\"");
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("error").textValue()).isEqualTo("unauthenticated");
    }
}
