package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestSqs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of notifications, and receivers that fail, refuse or may no longer be called. */
class PushDeliveryTest extends PushNotificationsCase {

    @Test
    void an_agent_sends_a_hundred_notifications_then_one_a_second_a_thousand_and_the_end() {
        Registered registered = subscribed();
        count(registered, PushReception.BURST);
        Response refused = notify(registered, WORKING);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        gateway.system().clock().advanceSeconds(1);
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        assertThat(notify(registered, WORKING).status()).isEqualTo(429);
        gateway.system().clock().advance(Duration.ofHours(1));
        count(registered, PushReception.MAX_NOTIFICATIONS - PushReception.BURST - 1);
        assertThat(notify(registered, WORKING).status()).isEqualTo(429);
        for (int i = 0; i < PushReception.MAX_ENDS; i++) {
            assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        }
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(429);
    }

    private void count(Registered registered, int notifications) {
        PushStore store = new PushStore(gateway.system().database());
        PushStore.Push push =
                store.find("a", registered.path().replaceAll(".*/", "")).orElseThrow();
        for (int i = 0; i < notifications; i++) {
            assertThat(store.count(push, PushReception.MAX_NOTIFICATIONS)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"agents/a", "providers/" + GatewayHarness.PROVIDER})
    void a_blocked_agent_is_not_heard_and_what_waits_is_not_sent(String blocked) {
        Registered registered = subscribed();
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        gateway.block(blocked);
        Response refused = notify(registered, COMPLETED);
        assertThat(refused.status()).isEqualTo(403);
        assertNothingReceived();
        gateway.unblock(blocked);
        assertNothingReceived();
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
    }

    @Test
    void an_agent_that_drains_still_notifies() {
        Registered registered = subscribed();
        assertThat(new TestAgent(gateway.system(), "a")
                        .drain(gateway.system().api())
                        .status())
                .isEqualTo(200);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        received();
    }

    @Test
    void a_revoked_key_receives_nothing() {
        Registered registered = subscribed();
        notify(registered, WORKING);
        new KeyStore(gateway.system().database()).revoke(TestSystem.keyId(CALLER));
        assertNothingReceived();
        assertThat(notify(registered, WORKING).status()).isEqualTo(404);
    }

    @Test
    void a_key_that_no_longer_calls_agents_is_not_notified() {
        Registered registered = subscribed();
        KeyLimits reading = new KeyLimits(Optional.empty(), List.of(), Set.of(KeyAction.READ));
        gateway.system().addKey(CALLER, Role.AGENT, Set.of(), reading);
        assertThat(notify(registered, WORKING).status()).isEqualTo(404);
        gateway.system().addKey(CALLER, Role.AGENT, Set.of());
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        received();
    }

    @Test
    void the_deployments_key_is_not_notified_once_it_is_switched_off() {
        assertThat(send(TestSystem.ADMINISTRATOR_KEY, config(SECRETS)).json().has("result"))
                .isTrue();
        Registered registered = registered();
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        TestApi api = gateway.system().api();
        TestTokens.configure(api, "acme", "[{'claim':'sub','value':'ada','role':'administrator'}]", TestTokens.EC);
        String ada = TestTokens.token(
                TestTokens.claims("ada", gateway.system().clock().instant()), TestTokens.EC);
        assertThat(api.put("/v1/admin/administrator-key")
                        .header("authorization", "Bearer " + ada)
                        .body("{\"enabled\":false}")
                        .send()
                        .status())
                .isEqualTo(200);
        gateway.system().clock().advanceSeconds(60);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(404);
    }

    @Test
    void a_receiver_that_fails_gets_a_notification_three_times_under_one_id() {
        Registered registered = subscribed();
        notify(registered, COMPLETED);
        receiver.plays(Script.status(503, "Retry-After: 60"));
        assertThat(gateway.deliver()).isEqualTo(1);
        receiver.plays(Script.status(503, "Retry-After: 86400"));
        assertThat(gateway.deliver()).isEqualTo(1);
        assertThat(gateway.system().sqs().redeliveries())
                .extracting(TestSqs.Redelivery::seconds)
                .containsExactly(60, 90);
        assertThat(gateway.deliver()).as("it is given up").isZero();
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.requests()).hasSize(3);
        assertThat(receiver.requests().stream().map(request -> request.headers().get("webhook-id")))
                .containsOnly(receiver.requests().get(0).headers().get("webhook-id"));
    }

    @ParameterizedTest
    @CsvSource({"302, 204", "400, 204", "401, 204", "410, 404"})
    void a_receiver_that_refuses_gets_it_once_and_ends_the_subscription_by_410(int status, int next) {
        Registered registered = subscribed();
        notify(registered, WORKING);
        receiver.plays(Script.status(status, "Location: http://" + GatewayHarness.HOST + "/"));
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.connections()).isEqualTo(1);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(next);
    }

    @Test
    void private_addresses_are_not_called() {
        Registered registered = subscribed();
        notify(registered, WORKING);
        assertThat(gateway.deliver(gateway.deployedWorker())).isZero();
        assertThat(receiver.connections()).isZero();
        int calls = agent.connections();
        for (String url : List.of(
                "http://169.254.169.254/latest",
                "https://10.0.0.1/",
                "https://[fe80::1]/",
                "ftp://example.com/",
                "https://user@example.com/",
                "nonsense")) {
            Response refused = send(CALLER, "{\"url\":\"" + url + "\"}");
            assertThat(refused.json().at("/error/code").asInt()).as(url).isEqualTo(-32_602);
        }
        for (String more : List.of(
                ",\"token\":\"a\\r\\nX: y\"",
                ",\"token\":\"\u00e4\"",
                """
                        ,"authentication":{"scheme":"Bea rer","credentials":"x"}\
                        """,
                ",\"authentication\":{\"credentials\":\"x\"}",
                """
                        ,"authentication":{"scheme":"Bearer","credentials":"a\\nb"}\
                        """,
                ",\"authentication\":7",
                ",\"id\":7")) {
            assertThat(send(CALLER, config(more)).json().at("/error/code").asInt())
                    .as(more)
                    .isEqualTo(-32_602);
        }
        assertThat(agent.connections()).isEqualTo(calls);
    }
}
