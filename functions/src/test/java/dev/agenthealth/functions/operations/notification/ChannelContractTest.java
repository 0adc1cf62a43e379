package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.ChannelCase;
import dev.agenthealth.functions.operations.notification.channel.ChannelCase.Sent;
import dev.agenthealth.functions.operations.notification.channel.MadeUpChannel;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.TableContents;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What every channel does, from the rule that names it to the message at its receiver. */
@ParameterizedClass
@MethodSource("dev.agenthealth.functions.operations.notification.channel.ChannelCases#all")
class ChannelContractTest {

    private static final String RULE = "/v1/admin/notifications/on-call";

    private final ChannelCase testCase;
    private final ChannelCase.Receiver receiver;
    private final TestSystem system = new TestSystem();
    private final Channels channels;
    private final TestApi api;
    private final Dispatcher dispatcher;

    ChannelContractTest(ChannelCase testCase) {
        this.testCase = testCase;
        this.receiver = testCase.receiver().get();
        Wiring wiring = receiver.wiring(system.wiring(TestSystem.NOTIFICATIONS));
        List<Channel> all = new ArrayList<>(Channels.of(wiring, NameResolver.system(), SecureSockets.usualWhenUsed())
                .all());
        all.add(new MadeUpChannel(new HttpSender(wiring, NameResolver.system(), SecureSockets.usualWhenUsed())));
        channels = new Channels(all);
        api = new TestApi(List.of(new Notifications(wiring, channels)));
        dispatcher = new Dispatcher(wiring, channels, Messages.PAGE);
    }

    /** The function of notifications with these channels. */
    private static final class Notifications extends HttpFunction {

        Notifications(Wiring wiring, Channels channels) {
            super(wiring);
            new NotificationRoutes(wiring, database(), channels, log()).addTo(routes());
        }
    }

    @AfterEach
    void close() {
        receiver.close();
        system.close();
    }

    @Test
    void each_wrong_field_is_named_and_nothing_is_stored() {
        TableContents before = TableContents.of(system.tables());
        testCase.faults().forEach((target, fields) -> {
            assertRefused(target, fields);
            List<String> more = new ArrayList<>(fields);
            more.add("unknown");
            assertRefused(target.isEmpty() ? "'unknown':1" : target + ",'unknown':1", more);
        });
        assertRefused(testCase.target() + ",'unknown':1", List.of("unknown"));
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    private void assertRefused(String target, List<String> fields) {
        Response refused = put(target);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.header("Content-Type")).startsWith("application/problem+json");
        assertThat(refused.json().path("errors").findValuesAsText("field"))
                .as(target)
                .containsExactlyInAnyOrderElementsOf(
                        fields.stream().map(field -> "target." + field).toList());
    }

    @Test
    void the_whole_target_is_stored_encrypted_and_its_secrets_are_not_shown() {
        Response created = put(testCase.target());
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.json().path("target")).isEqualTo(json(testCase.shown()));
        assertThat(send(api.get(RULE)).json()).isEqualTo(created.json());
        String all = created.text()
                + send(api.get("/v1/admin/notifications")).text()
                + TableContents.of(system.tables())
                + dispatcher.open(stored());
        assertThat(all).contains(testCase.type());
        testCase.secrets().forEach(secret -> assertThat(all).doesNotContain(secret));
        assertStored();
    }

    @Test
    void a_rule_that_is_written_without_its_secrets_keeps_them() {
        put(testCase.target());
        Response written = put(testCase.withoutSecrets());
        assertThat(written.status()).as(written.text()).isEqualTo(200);
        assertThat(written.json().path("target")).isEqualTo(json(testCase.shown()));
        assertStored();
    }

    @Test
    void a_changed_address_wants_the_credentials_again() {
        put(testCase.target());
        TableContents before = TableContents.of(system.tables());
        if (testCase.credentials().isEmpty()) {
            assertThat(put(testCase.moved()).status()).isEqualTo(200);
        } else {
            assertRefused(testCase.moved(), testCase.credentials());
            assertThat(TableContents.of(system.tables())).isEqualTo(before);
            assertStored();
        }
    }

    @Test
    void a_rule_of_another_channel_has_nothing_to_keep() {
        String other = testCase.type().equals("slack") ? "pagerduty" : "slack";
        String target = other.equals("slack")
                ? "{\"type\":\"slack\",\"url\":\"https://hooks.slack.com/x\"}"
                : "{\"type\":\"pagerduty\",\"routing_key\":\"" + Messages.ROUTING_KEY + "\"}";
        assertThat(putTarget(target).status()).isEqualTo(201);
        assertRefused("", testCase.faults().get(""));
    }

    private void assertStored() {
        assertThat(dispatcher.open(stored()).orElseThrow().json()).isEqualTo(json(testCase.target()));
    }

    @Test
    void every_message_arrives_as_the_receiver_takes_it() {
        put(testCase.target());
        assertThat(send(api.post(RULE + "/test")).json().path("delivered").asBoolean())
                .isTrue();
        Stream.of(
                        Messages.deaths(1),
                        Messages.deaths(37),
                        Messages.of(Messages.recovery(1)),
                        Messages.of(Messages.recovery(1), Messages.death(2)),
                        Messages.nasty())
                .forEach(message -> {
                    int before = receiver.sent().size();
                    assertThat(dispatch(message)).isEqualTo(new Delivery.Delivered());
                    assertThat(receiver.sent()).hasSizeGreaterThan(before);
                });
        receiver.sent().forEach(testCase.check());
    }

    @Test
    void a_message_links_to_the_agent_on_the_page() {
        Assumptions.assumeFalse(testCase.type().equals("pager"), "it has no room for links");
        put(testCase.target());
        dispatch(Messages.of(Messages.entry("team:a b", "error", "Agent a is dead.", false)));
        assertThat(receiver.sent()).singleElement().satisfies(sent -> assertThat(sent.body())
                .contains("https://registry.example/#/agents/team%3Aa%20b"));
    }

    @Test
    void a_message_without_events_is_sent_where_it_ends_alerts() {
        put(testCase.target());
        NotificationMessage message = new NotificationMessage(
                "msg_1", "on-call", Messages.AT, List.of(), 0, true, false, 0, List.of("agent:a"), "");
        assertThat(dispatch(message)).isEqualTo(new Delivery.Delivered());
        List<Sent> sent = receiver.sent();
        sent.forEach(testCase.check());
        assertThat(!sent.isEmpty())
                .isEqualTo(channels.of(dispatcher.open(stored()).orElseThrow()).hasAlerts());
    }

    @Test
    void a_failure_is_retried_where_that_may_help_and_its_reason_names_no_secret() {
        put(testCase.target());
        receiver.failForNow();
        Delivery failed = dispatch(Messages.deaths(1));
        assertThat(failed).isInstanceOf(Delivery.Retry.class);
        receiver.refuse();
        Delivery refused = dispatch(Messages.deaths(1));
        assertThat(refused).isInstanceOf(Delivery.Refused.class);
        for (Delivery delivery : List.of(failed, refused)) {
            assertThat(delivery.reason()).isNotEmpty().doesNotContain(receiver.authority());
            testCase.secrets().forEach(secret -> assertThat(delivery.reason()).doesNotContain(secret));
        }
    }

    private Delivery dispatch(NotificationMessage message) {
        return dispatcher.send(stored(), message, Messages.AT);
    }

    private StoredRule stored() {
        return new NotificationRuleStore(system.database()).find("on-call").orElseThrow();
    }

    private JsonNode json(String fields) {
        ObjectNode json = Json.object().put("type", testCase.type());
        return json.setAll((ObjectNode) Json.stored("{" + filled(fields) + "}"));
    }

    private String filled(String fields) {
        return fields.replace('\'', '"').replace("RECEIVER", receiver.authority());
    }

    private Response put(String fields) {
        String more = fields.isEmpty() ? "" : "," + filled(fields);
        return putTarget("{\"type\":\"" + testCase.type() + "\"" + more + "}");
    }

    private Response putTarget(String target) {
        return send(api.put(RULE).body("{\"events\":[\"agent.lifecycle\"],\"target\":" + target + "}"));
    }

    private Response send(Request request) {
        Request keyed = request.key(TestSystem.ADMINISTRATOR_KEY);
        return testCase.type().equals("pager") ? keyed.undescribed().send() : keyed.send();
    }
}
