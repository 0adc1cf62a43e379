package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Administrators write rules; no answer and no item shows a secret. */
class NotificationRoutesTest {

    private static final String RULES = "/v1/admin/notifications";
    private static final String SECRET =
            "whsec_" + Base64.getEncoder().encodeToString("a signing secret of 32 bytes....".getBytes());
    private static final String SLACK = "{\"type\":\"slack\",\"url\":\"https://hooks.slack.com/services/T/B/hidden\"}";

    private final NotificationHarness notifications = new NotificationHarness();

    @AfterEach
    void close() {
        notifications.close();
    }

    @Test
    void a_rule_is_created_replaced_listed_and_deleted() {
        Response created = put("on-call", rule(SLACK));
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"name":"on-call","events":["agent.lifecycle"],"filter":{"role_ids":[],"severities":[],"verdicts":[]},
                                 "target":{"type":"slack","url":"https://hooks.slack.com/…","has_secret":true},"after_seconds":0,"group_seconds":30,
                                 "recovery":true,"created_at":"2026-02-08T10:00:00.000Z"}
                                """));
        notifications.system.clock().advanceSeconds(60);
        String changed =
                """
                {"events":["agent.health","agent.lifecycle"],"filter":{"role_ids":["r"],"severities":["error"],"verdicts":["down"]},
                 "target":{"type":"slack"},"group_seconds":60,"recovery":false,
                 "quiet":{"from":"22:00","to":"07:00","time_zone":"Europe/Berlin","except_severities":["critical"]}}
                """;
        Response replaced = put("on-call", changed);
        assertThat(replaced.status()).isEqualTo(200);
        JsonNode read = get("/on-call").json();
        assertThat(read).isEqualTo(replaced.json());
        assertThat(read.path("created_at").asText()).isEqualTo("2026-02-08T10:00:00.000Z");
        assertThat(read.path("quiet").path("time_zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(get("").json().path("notifications")).hasSize(1).contains(read);
        for (int i = 0; i < 2; i++) {
            assertThat(send(notifications.system.api().delete(RULES + "/on-call"))
                            .status())
                    .isEqualTo(204);
        }
        assertThat(get("/on-call").status()).isEqualTo(404);
        assertThat(get("").json().path("notifications")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | events target target.type",
                "{\"events\":[],\"target\":SLACK} | events",
                "{\"events\":[\"agent.death\"],\"target\":SLACK} | events[0]",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"fax\"}} | target.type",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"slack\"}} | target.url",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"slack\",\"url\":\"http://example.com/x\"}} | target.url",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"slack\",\"url\":\"https://10.0.0.1/x\"}} | target.url",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"slack\",\"url\":\"https://hooks.slack.com/…\"}} | target.url",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"slack\",\"url\":\"https://h.com/x\",\"secrets\":[]}} | target.secrets",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"webhook\",\"url\":\"https://h.com\",\"secrets\":[\"x\"]}} | target.secrets[0]",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"pagerduty\"}} | target.routing_key",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"pagerduty\",\"routing_key\":\"short\"}} | target.routing_key",
                "{\"events\":[\"agent.health\"],\"target\":{\"type\":\"email\",\"address\":\"no one\"}} | target.address target.type",
                "{\"events\":[\"agent.health\"],\"target\":SLACK,\"group_seconds\":4,\"recovery\":1,\"more\":1} | group_seconds more recovery",
                "{\"events\":[\"agent.health\"],\"target\":SLACK,\"filter\":{\"role_ids\":[\"a b\"],\"severities\":[\"bad\"],\"verdicts\":[\"bad\"],\"x\":1}}"
                        + " | filter.role_ids[0] filter.severities[0] filter.verdicts[0] filter.x",
                "{\"events\":[\"agent.health\"],\"target\":SLACK,\"quiet\":{\"from\":\"25:00\",\"to\":\"7\",\"time_zone\":\"Mars\",\"except_severities\":[\"bad\"]}}"
                        + " | quiet.except_severities[0] quiet.from quiet.time_zone quiet.to",
                "{\"events\":[\"agent.health\"],\"target\":SLACK,\"quiet\":{}} | quiet.from quiet.time_zone quiet.to",
                "{\"events\":[\"agent.health\"],\"target\":SLACK,\"quiet\":{\"from\":\"07:00\",\"to\":\"07:00\",\"time_zone\":\"UTC\"}} | quiet.to"
            })
    void bad_input_is_refused_by_field_and_changes_nothing(String body, String fields) {
        TableContents before = TableContents.of(notifications.system.tables());
        Response refused = put("on-call", body.replace("SLACK", SLACK));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder(fields.trim().split(" "));
        assertThat(TableContents.of(notifications.system.tables())).isEqualTo(before);
    }

    /** Each value in place of each field, also of the nested ones. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "\"x\"", "true", "[1]", "[[]]", "[{}]", "{\"x\":[]}", "1e400", "-0.5", "\"\\u0000\""})
    void a_wrong_type_in_any_field_of_a_rule_is_an_error_of_the_caller(String value) {
        String whole = "{\"events\":[\"agent.health\"],\"target\":" + SLACK
                + ",\"filter\":{\"role_ids\":[\"r\"],\"severities\":[\"error\"],\"verdicts\":[\"down\"]},\"group_seconds\":30,"
                + "\"quiet\":{\"from\":\"22:00\",\"to\":\"07:00\",\"time_zone\":\"UTC\",\"except_severities\":[\"error\"]},\"recovery\":true}";
        assertThat(put("on-call", whole).status()).isEqualTo(201);
        JsonNode rule = Json.stored(whole);
        rule.fieldNames().forEachRemaining(field -> {
            assertRefusedOrTaken(with(rule, "", field, value));
            rule.path(field)
                    .fieldNames()
                    .forEachRemaining(nested -> assertRefusedOrTaken(with(rule, "/" + field, nested, value)));
        });
    }

    /** The rule as a text, with a value that need not be JSON of its own in place of a field. */
    private static String with(JsonNode rule, String parent, String field, String value) {
        ObjectNode changed = rule.deepCopy();
        ((ObjectNode) changed.at(parent)).put(field, "REPLACED");
        return Json.text(changed).replace("\"REPLACED\"", value);
    }

    private void assertRefusedOrTaken(String body) {
        Response answer = put("on-call", body);
        assertThat(answer.status()).as(body + answer.text()).isIn(200, 400);
    }

    @Test
    void the_secret_of_a_webhook_is_generated_shown_once_and_kept_until_others_are_given() {
        Response created =
                put("hook", rule("{\"type\":\"webhook\",\"url\":\"https://example.com/hook?token=hidden\"}"));
        String generated = created.json().path("target").path("secret").asText();
        assertThat(generated).startsWith("whsec_");
        assertThat(created.json().path("target").path("url").asText()).isEqualTo("https://example.com/hook?…");
        assertThat(put("hook", rule("{\"type\":\"webhook\"}")).text()).doesNotContain(generated, "hidden");
        notify("hook");
        String both = "{\"type\":\"webhook\",\"secrets\":[\"" + SECRET + "\",\"" + generated + "\"]}";
        Response rotated = put("hook", rule(both));
        assertThat(rotated.json().path("target").path("secret_count").asInt()).isEqualTo(2);
        notify("hook");
        assertThat(notifications.targets)
                .extracting(target -> target.texts("secrets"))
                .containsExactly(List.of(generated), List.of(SECRET, generated));
        assertThat(notifications.targets.get(1).url()).hasToString("https://example.com/hook?token=hidden");
    }

    /** The change of one request keeps the target and is written while another one, which changes the target, is answered. */
    @Test
    void a_change_that_keeps_the_target_does_not_undo_an_acknowledged_one_of_the_target() {
        put(
                "hook",
                rule("{\"type\":\"webhook\",\"url\":\"https://example.com/old\",\"secrets\":[\"" + SECRET + "\"]}"));
        AtomicInteger writes = new AtomicInteger();
        TestApi slow =
                notifications.system.apiThrough(new TestDynamoDb(notifications.system.dynamoDb()).before(request -> {
                    if (request instanceof TransactWriteItemsRequest && writes.incrementAndGet() == 1) {
                        String moved = "{\"type\":\"webhook\",\"url\":\"https://example.com/new\",\"secrets\":[\""
                                + SECRET + "\"]}";
                        assertThat(put("hook", rule(moved)).status()).isEqualTo(200);
                    }
                }));
        Response kept = send(
                slow.put(RULES + "/hook")
                        .body(
                                """
                        {"events":["agent.health"],"target":{"type":"webhook"},"group_seconds":60}\
                        """));
        assertThat(kept.status()).isEqualTo(200);
        assertThat(writes.get()).as("attempts").isEqualTo(2);
        assertThat(get("/hook").json().at("/target/url").asText()).isEqualTo("https://example.com/new");
        assertThat(get("/hook").json().path("group_seconds").asInt()).isEqualTo(60);
    }

    @Test
    void a_new_routing_key_keeps_the_address_of_pagerduty() {
        String url = "https://events.eu.pagerduty.com/v2/enqueue";
        String first = "0123456789abcdef0123456789abcdef";
        String second = "fedcba9876543210fedcba9876543210";
        put("duty", rule("{\"type\":\"pagerduty\",\"routing_key\":\"" + first + "\",\"url\":\"" + url + "\"}"));
        Response rotated = put("duty", rule("{\"type\":\"pagerduty\",\"routing_key\":\"" + second + "\"}"));
        assertThat(rotated.json().path("target").path("url").asText()).isEqualTo(url);
        notify("duty");
        assertThat(notifications.targets).singleElement().satisfies(target -> assertThat(target.text("routing_key"))
                .isEqualTo(second));
    }

    @Test
    void a_test_call_answers_what_became_of_the_message() {
        String target = "{\"type\":\"slack\",\"url\":\"https://10.1.1.1.example.invalid/x\"}";
        put("on-call", rule(target));
        Response tested = send(notifications.system.api().post(RULES + "/on-call/test"));
        assertThat(tested.status()).isEqualTo(200);
        assertThat(tested.json().path("delivered").asBoolean(true)).isFalse();
        assertThat(tested.json().path("reason").asText()).isNotEmpty();
        assertThat(send(notifications.system.api().post(RULES + "/other/test")).status())
                .isEqualTo(404);
    }

    @Test
    void there_are_at_most_fifty_rules() {
        for (int i = 0; i < 50; i++) {
            assertThat(put("rule-" + i, rule(SLACK)).status()).isEqualTo(201);
        }
        Response refused = put("one-more", rule(SLACK));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("too_many_notifications");
        assertThat(put("rule-7", rule(SLACK)).status()).isEqualTo(200);
    }

    /** Makes the rule send a message. */
    private void notify(String rule) {
        notifications.lifecycle("agent-of-" + rule, "dead", "heartbeat_timeout");
        notifications.runAfter(Duration.ofMinutes(1));
    }

    private static String rule(String target) {
        return "{\"events\":[\"agent.lifecycle\"],\"target\":" + target + "}";
    }

    private Response put(String name, String body) {
        return send(notifications.system.api().put(RULES + "/" + name).body(body));
    }

    private Response get(String path) {
        return send(notifications.system.api().get(RULES + path));
    }

    private static Response send(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY).send();
    }
}
