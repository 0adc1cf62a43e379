package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deployment's own key, which people who signed in switch off. */
class AdministratorKeyTest {

    private static final String PATH = "/v1/admin/administrator-key";
    private static final String ISSUED = "issued-administrator";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeEach
    void configure() {
        TestTokens.configure(
                system.api(),
                "acme",
                "[{'claim':'sub','value':'ada','role':'administrator'},{'claim':'sub','value':'bob','role':'coordinator'},"
                        + "{'claim':'sub','value':'job','role':'agent','owner':'job'}]",
                TestTokens.EC);
        system.addKey(ISSUED, Role.ADMINISTRATOR, Set.of());
    }

    private String token(String subject) {
        return TestTokens.token(TestTokens.claims(subject, system.clock().instant()), TestTokens.EC);
    }

    private Response put(String credential, boolean enabled) {
        return system.api()
                .put(PATH)
                .header("authorization", "Bearer " + credential)
                .body("{\"enabled\":" + enabled + "}")
                .send();
    }

    private static int status(TestApi api, String key) {
        return api.get("/api/v1/me").key(key).send().status();
    }

    @Test
    void only_a_person_who_is_an_administrator_switches_it_off() {
        for (String other : List.of(TestSystem.ADMINISTRATOR_KEY, ISSUED, token("bob"), token("job"))) {
            assertThat(put(other, false).status()).isEqualTo(403);
        }
        assertThat(put(token("ada"), false).text()).isEqualTo("{\"enabled\":false}");
        system.clock().advanceSeconds(60);
        assertThat(status(system.api(), TestSystem.ADMINISTRATOR_KEY)).isEqualTo(401);
        assertThat(system.api().get(PATH).key(ISSUED).send().text()).isEqualTo("{\"enabled\":false}");
    }

    @Test
    void every_administrator_switches_it_on() {
        put(token("ada"), false);
        system.clock().advanceSeconds(60);
        assertThat(put(TestSystem.ADMINISTRATOR_KEY, true).status()).isEqualTo(401);
        assertThat(put(ISSUED, true).text()).isEqualTo("{\"enabled\":true}");
        system.clock().advanceSeconds(60);
        assertThat(status(system.api(), TestSystem.ADMINISTRATOR_KEY)).isEqualTo(200);
    }

    @Test
    void heartbeats_with_it_end_as_well_and_no_agent_is_given_to_it() {
        String agent = "{\"agent_id\":\"a1\",\"owner_key_id\":\"administrator\"}";
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(agent)
                        .send()
                        .status())
                .isEqualTo(201);
        TestApi.Request heartbeat =
                system.api().post("/api/v1/agents/a1/heartbeat").key(TestSystem.ADMINISTRATOR_KEY);
        assertThat(heartbeat.send().status()).isEqualTo(200);
        put(token("ada"), false);
        system.clock().advanceSeconds(60);
        assertThat(heartbeat.send().status()).isEqualTo(401);
        assertThat(system.api()
                        .put("/v1/admin/agents/a1/owner")
                        .key(ISSUED)
                        .body("{\"key_id\":\"administrator\"}")
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void another_key_of_the_deployment_works() {
        put(token("ada"), false);
        system.clock().advanceSeconds(60);
        Wiring next = system.wiring(
                Map.of("ADMIN_KEY_SHA256", KeyHash.ofKey("next-key").hex()));
        TestApi deployed = new TestApi(List.of(new RegistryFunction(next), new AdministrationFunction(next)));
        assertThat(status(deployed, "next-key")).isEqualTo(200);
        assertThat(status(deployed, TestSystem.ADMINISTRATOR_KEY)).isEqualTo(401);
        assertThat(deployed.get(PATH).key("next-key").send().text()).isEqualTo("{\"enabled\":true}");
    }
}
