package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attacks with requests at the same time. On one machine, a handler of its own answers each of them, and all handlers share their limits. */
@Tag("SYS-02")
class HandlersOfOneProcessTest {

    private static final String GUESSER = "203.0.113.7";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Wiring wiring = system.wiring(Map.of());
    private final TestApi first = new TestApi(List.of(new RegistryFunction(wiring)));
    private final TestApi second = new TestApi(List.of(new RegistryFunction(wiring)));

    @Test
    void guesses_of_the_administrators_key_count_together() {
        Wiring ofHealth =
                system.wiring(Map.of()).toBuilder().process(wiring.process()).build();
        TestApi third = new TestApi(List.of(new HealthFunction(ofHealth)));
        for (int i = 0; i < WrongKeys.MAX_GUESSES / 2; i++) {
            assertThat(first.get("/api/v1/agents/a")
                            .key("one-" + i)
                            .from(GUESSER)
                            .send()
                            .status())
                    .isEqualTo(401);
            assertThat(third.get("/api/v1/agents/a/health")
                            .key("two-" + i)
                            .from(GUESSER)
                            .send()
                            .status())
                    .isEqualTo(401);
        }
        assertThat(second.get("/api/v1/agents/a")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .from(GUESSER)
                        .send()
                        .status())
                .isEqualTo(429);
    }

    @Test
    void leases_count_together() {
        configure(100, 4);
        assertThat(register(first, "holder").status()).isEqualTo(201);
        for (int i = 0; i < 4; i++) {
            assertThat(acquire(i % 2 == 0 ? first : second, "scope-" + i).status())
                    .isEqualTo(201);
        }
        assertThat(acquire(first, "one-more").status()).isEqualTo(429);
        assertThat(acquire(second, "one-more").status()).isEqualTo(429);
    }

    @Test
    void registrations_count_together() {
        configure(2, 4);
        assertThat(register(first, "one").status()).isEqualTo(201);
        assertThat(register(second, "two").status()).isEqualTo(201);
        assertThat(register(first, "three").status()).isEqualTo(403);
        assertThat(register(second, "three").status()).isEqualTo(403);
    }

    private static Response register(TestApi api, String agentId) {
        return api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agentId + "\"}")
                .send();
    }

    private static Response acquire(TestApi api, String scope) {
        return api.post("/api/v1/intents/i/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"holder\",\"scope\":\"" + scope + "\"}")
                .send();
    }

    private void configure(int maxAgents, int maxLeases) {
        String body =
                """
                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},"default_window_seconds":86400,
                 "max_agents_per_key":%d,"max_watched_agents_per_key":100,"public_catalogue":false,
                 "leases":{"max_per_agent":100,"max_per_key":%d,"max_in_all":100}}
                """
                        .formatted(maxAgents, maxLeases);
        assertThat(system.api()
                        .put("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
