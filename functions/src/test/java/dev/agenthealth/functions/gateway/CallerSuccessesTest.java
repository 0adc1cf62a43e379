package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attacks on a reputation from above: successes by the agent's owner and by its friends. */
@Tag("SN-02")
class CallerSuccessesTest {

    /** (5 + 10) / (10 + 10). */
    private static final double TEN_SUCCESSES = 0.75;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @BeforeEach
    void register() {
        gateway.agent("a", gateway.server().plays(AgentScripts.task("completed")));
    }

    @Test
    void an_owner_does_not_raise_the_reputation_of_its_agent_and_its_provider() {
        for (int i = 0; i < 15; i++) {
            invoke(TestSystem.AGENT_KEY);
        }
        assertThat(gateway.reputation("a")).isEqualTo(0.5);
        assertThat(reputationOfProvider()).isEqualTo(0.5);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(15);
        assertThat(gateway.healthOfProvider().path("success_count").asInt()).isEqualTo(15);
        assertThat(gateway.health("a").path("status").textValue()).isEqualTo("online");
        assertThat(gateway.outcomes("a").executions()).isEqualTo(15);
        assertThat(gateway.unsettled()).isEmpty();
    }

    @Test
    void an_owner_does_not_raise_it_with_asynchronous_calls_either() {
        for (int i = 0; i < 3; i++) {
            Response accepted = gateway.api()
                    .post("/v1/agents/a/invoke-async")
                    .key(TestSystem.AGENT_KEY)
                    .body(GatewayHarness.HELLO)
                    .send();
            assertThat(accepted.status()).isEqualTo(202);
        }
        gateway.deliver();
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(3);
        assertThat(gateway.reputation("a")).isEqualTo(0.5);
    }

    @Test
    void another_key_of_the_owners_provider_is_the_owner() {
        String own = issued("own", ",\"provider_ids\":[\"others\",\"acme\"]");
        String friend = issued("friend", ",\"provider_ids\":[\"zeta\",\"acme\"]");
        Response registered = gateway.system()
                .api()
                .post("/api/v1/agents")
                .key(own)
                .body("{\"agent_id\":\"b\",\"provider_id\":\"acme\",\"endpoint\":\""
                        + GatewayHarness.endpoint(gateway.server().plays(AgentScripts.task("completed"))) + "\"}")
                .send();
        assertThat(registered.status()).as(registered.text()).isEqualTo(201);
        invoke("b", friend);
        assertThat(gateway.health("b").path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.reputation("b")).isEqualTo(0.5);
        invoke("b", TestSystem.OTHER_AGENT_KEY);
        assertThat(gateway.reputation("b")).isGreaterThan(0.5);
    }

    @Test
    void one_friend_raises_it_by_ten_successes_a_day() {
        for (int i = 0; i < 25; i++) {
            invoke(TestSystem.OTHER_AGENT_KEY);
        }
        assertThat(gateway.reputation("a")).isEqualTo(TEN_SUCCESSES);
        gateway.system().clock().advanceSeconds(86_401);
        for (int i = 0; i < 25; i++) {
            invoke(TestSystem.OTHER_AGENT_KEY);
        }
        assertThat(gateway.reputation("a")).isBetween(0.82, 0.84);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(50);
    }

    @Test
    void a_short_window_of_the_agent_gives_a_friend_no_more() {
        gateway.agent(
                "b",
                GatewayHarness.endpoint(gateway.server().plays(AgentScripts.task("completed"))),
                ",\"expectations\":{\"window_seconds\":300}");
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 10; j++) {
                invoke("b", TestSystem.OTHER_AGENT_KEY);
            }
            gateway.system().clock().advanceSeconds(301);
        }
        assertThat(gateway.reputation("b")).isEqualTo(TEN_SUCCESSES);
    }

    @Test
    void many_keys_of_one_provider_are_one_friend() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            keys.add(issued("key-" + i, ",\"provider_ids\":[\"others\"]"));
        }
        for (int i = 0; i < 20; i++) {
            invoke(keys.get(i % keys.size()));
        }
        assertThat(gateway.reputation("a")).isEqualTo(TEN_SUCCESSES);
    }

    @Test
    void an_agent_that_serves_three_owners_earns_all_their_successes() {
        List<String> keys = List.of(TestSystem.OTHER_AGENT_KEY, issued("second", ""), issued("third", ""));
        for (int i = 0; i < 20; i++) {
            keys.forEach(this::invoke);
        }
        // 30 within the numbers of the owners; the three confirm the other 30.
        assertThat(gateway.reputation("a")).isEqualTo(0.9286);
    }

    @Test
    void successes_of_coordinators_and_administrators_count_at_once() {
        for (int i = 0; i < 10; i++) {
            invoke(TestSystem.COORDINATOR_KEY);
            invoke(TestSystem.ADMINISTRATOR_KEY);
        }
        assertThat(gateway.reputation("a")).isEqualTo(0.8333);
    }

    private void invoke(String key) {
        invoke("a", key);
    }

    private void invoke(String agentId, String key) {
        // The rate of a key is limited too.
        gateway.system().clock().advanceSeconds(1);
        Response response = gateway.api()
                .post("/v1/agents/" + agentId + "/invoke")
                .key(key)
                .body(GatewayHarness.HELLO)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private double reputationOfProvider() {
        return gateway.read("/v1/trust/providers/" + GatewayHarness.PROVIDER)
                .path("reputation_score")
                .asDouble();
    }

    private String issued(String name, String more) {
        Response response = gateway.system()
                .api()
                .post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"agent\",\"name\":\"" + name + "\"" + more + "}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json().path("api_key").textValue();
    }
}
