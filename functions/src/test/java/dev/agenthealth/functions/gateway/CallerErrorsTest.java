package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures that a caller may have caused count in ServiceNet's records, and as evidence only where several owners met them. */
@Tag("SN-06")
class CallerErrorsTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    enum Refusal {
        INVALID_REQUEST(rpc(-32_600)),
        INVALID_PARAMS(rpc(-32_602)),
        CONTENT_TYPE(rpc(-32_005)),
        HTTP_400(Script.status(400)),
        HTTP_413(Script.status(413)),
        HTTP_415(Script.status(415)),
        HTTP_422(Script.status(422)),
        REJECTED(AgentScripts.task("rejected"));

        private final Script script;

        Refusal(Script script) {
            this.script = script;
        }
    }

    private static Script rpc(int code) {
        return (request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":" + code + ",\"message\":\"No\"}}")
                .play(request, out);
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void one_caller_ruins_no_agent(Refusal refusal) {
        gateway.agent("a", gateway.server().plays(refusal.script));
        for (int i = 0; i < 15; i++) {
            invoke(TestSystem.OTHER_AGENT_KEY);
        }
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(15);
        assertThat(gateway.healthOfProvider().path("failure_count").asInt()).isEqualTo(15);
        assertThat(gateway.health("a").path("success_rate").asInt()).isZero();
        assertThat(Instant.parse(gateway.health("a").path("last_seen_at").textValue()))
                .isEqualTo(gateway.system().clock().instant());
        assertThat(gateway.health("a").path("last_latency_ms").isInt()).isTrue();
        assertThat(gateway.health("a").path("status").textValue()).isEqualTo("unknown");
        assertThat(gateway.reputation("a")).isEqualTo(0.5);
        assertThat(gateway.outcomes("a").executions()).isZero();
        assertThat(gateway.unsettled()).isEmpty();
    }

    @Test
    void what_the_owner_or_a_coordinator_or_an_administrator_meets_counts_at_once() {
        gateway.agent("a", gateway.server().plays(rpc(-32_602)));
        invoke(TestSystem.AGENT_KEY);
        invoke(TestSystem.COORDINATOR_KEY);
        invoke(TestSystem.ADMINISTRATOR_KEY);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(3);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(3);
        assertThat(gateway.health("a").path("status").textValue()).isEqualTo("offline");
        assertThat(gateway.reputation("a")).isLessThan(0.3);
    }

    @Test
    void an_agent_that_refuses_three_owners_does_not_look_well() {
        gateway.agent("a", gateway.server().plays(rpc(-32_602)));
        String second = issued("second", "");
        String third = issued("third", "");
        for (int i = 0; i < 5; i++) {
            for (String key : List.of(TestSystem.OTHER_AGENT_KEY, second, third)) {
                invoke(key);
            }
        }
        assertThat(gateway.outcomes("a").executions()).isEqualTo(5);
        assertThat(gateway.health("a").path("status").textValue()).isEqualTo("offline");
    }

    @Test
    void after_chance_errors_of_two_owners_a_third_counts_no_more_often_than_they() {
        gateway.agent("a", gateway.server().plays(rpc(-32_602)));
        invoke(issued("second", ""));
        invoke(issued("third", ""));
        for (int i = 0; i < 15; i++) {
            invoke(TestSystem.OTHER_AGENT_KEY);
        }
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @Test
    void many_keys_of_one_provider_are_one_owner() {
        gateway.agent("a", gateway.server().plays(rpc(-32_602)));
        for (int i = 0; i < 4; i++) {
            invoke(issued("key-" + i, ",\"provider_ids\":[\"others\"]"));
        }
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(4);
        assertThat(gateway.outcomes("a").executions()).isZero();
    }

    @Test
    void errors_before_the_window_are_forgotten() {
        gateway.agent("a", gateway.server().plays(rpc(-32_602)));
        invoke(issued("second", ""));
        invoke(issued("third", ""));
        gateway.system().clock().advanceSeconds(86_401);
        invoke(TestSystem.OTHER_AGENT_KEY);
        assertThat(gateway.outcomes("a").executions()).isZero();
    }

    @Test
    void errors_that_are_the_agents_count_whoever_calls() {
        gateway.agent("a", gateway.server().plays(Script.status(429)));
        invoke(TestSystem.OTHER_AGENT_KEY);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @Test
    void asynchronous_invocations_follow_the_same_rule() {
        gateway.agent("a", gateway.server().plays(Script.status(422)));
        for (int i = 0; i < 3; i++) {
            gateway.accepted("a");
        }
        gateway.deliver();
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(3);
        assertThat(gateway.outcomes("a").executions()).isZero();
    }

    private void invoke(String key) {
        Response response = gateway.api()
                .post("/v1/agents/a/invoke")
                .key(key)
                .body(GatewayHarness.HELLO)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(502);
    }

    private String issued(String name, String more) {
        TestApi api = gateway.system().api();
        Response response = api.post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"agent\",\"name\":\"" + name + "\"" + more + "}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json().path("api_key").textValue();
    }
}
