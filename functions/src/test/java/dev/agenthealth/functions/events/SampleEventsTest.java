package dev.agenthealth.functions.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Route;
import dev.agenthealth.testkit.HealthDocumentSchema;
import dev.agenthealth.testkit.SampleEvents;
import dev.agenthealth.testkit.SampleEvents.Row;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every sample event runs through its function, read and written as Lambda does, and is answered as the README says. */
@Tag("SYS-04")
class SampleEventsTest {

    private final SampleEvents samples = new SampleEvents();

    @AutoClose
    private final DeployedSystem system = new DeployedSystem("sample-administrator-key");

    @Test
    void every_file_is_in_the_readme_and_every_route_and_function_has_a_file() {
        assertThat(samples.rows()).extracting(Row::file).containsExactlyInAnyOrderElementsOf(samples.files());
        Set<String> routes = new HashSet<>();
        Set<String> functions = new HashSet<>();
        for (Row row : samples.rows()) {
            functions.add(row.function());
            String routeKey = samples.json(row.file()).path("routeKey").asText();
            if (row.isHttp() && namesRoute(routeKey)) {
                routes.add(routeKey);
                assertThat(row.what()).contains("`" + routeKey + "`");
                assertThat(system.function(row.function()).routes())
                        .extracting(Route::routeKey)
                        .contains(routeKey);
            }
        }
        assertThat(functions)
                .isEqualTo(system.functions().stream()
                        .map(FunctionDefinition::logicalId)
                        .collect(Collectors.toSet()));
        assertThat(routes)
                .isEqualTo(system.functions().stream()
                        .flatMap(function -> function.routes().stream())
                        .map(Route::routeKey)
                        // HEAD differs from GET in the body of the response only.
                        .filter(routeKey -> namesRoute(routeKey) && !routeKey.startsWith("HEAD "))
                        .collect(Collectors.toSet()));
    }

    @Test
    void every_sample_request_is_what_its_route_receives() {
        for (Row row : samples.rows()) {
            if (row.isHttp()) {
                JsonNode event = samples.json(row.file());
                JsonNode context = event.path("requestContext");
                JsonNode http = context.path("http");
                String routeKey = event.path("routeKey").asText();
                assertThat(event.path("version").asText()).as(row.file()).isEqualTo("2.0");
                assertThat(context.path("routeKey").asText()).as(row.file()).isEqualTo(routeKey);
                assertThat(http.path("path").asText())
                        .as(row.file())
                        .isEqualTo(event.path("rawPath").asText());
                assertThat(http.path("method").asText() + " "
                                + event.path("rawPath").asText())
                        .as(row.file())
                        .matches(
                                request -> !namesRoute(routeKey) || request.equals(received(routeKey, event)),
                                received(routeKey, event));
                JsonNode body = event.path("body");
                if (body.isTextual()) {
                    assertThat(event.path("headers").path("content-length").asInt())
                            .as(row.file())
                            .isEqualTo(body.asText().getBytes(StandardCharsets.UTF_8).length);
                }
            }
        }
    }

    /** Returns false for a function URL and for a route of every method. */
    private static boolean namesRoute(String routeKey) {
        return !routeKey.equals(ApiRequest.NO_ROUTE) && !routeKey.startsWith("ANY ");
    }

    /** The route key with the event's path parameters in it. */
    private static String received(String routeKey, JsonNode event) {
        return Pattern.compile("\\{(\\w+)}")
                .matcher(routeKey)
                .replaceAll(name -> Matcher.quoteReplacement(
                        event.path("pathParameters").path(name.group(1)).asText()));
    }

    @Test
    @Tag("R16-04")
    @Tag("R16-10")
    void the_samples_in_order_have_the_responses_of_the_readme() {
        Map<String, JsonNode> answers = new HashMap<>();
        for (Row row : samples.rows()) {
            JsonNode answer = invoke(row);
            answers.put(row.file(), answer);
            if (row.isHttp()) {
                assertThat(answer.path("statusCode").asText())
                        .as(row.file() + " " + answer)
                        .isEqualTo(row.answer());
            }
        }
        assertSpecifiedAnswers(answers);
        assertThat(body(answers, "heartbeat-batch.json").path("results").findValuesAsText("status_code"))
                .containsExactly("200", "404");
        assertThat(body(answers, "heartbeat-with-outcomes.json").path("outcomes"))
                .isEqualTo(Json.stored("{\"status_code\":202,\"accepted\":2,\"duplicate\":false}"));
        assertThat(body(answers, "outcome-report.json")).isEqualTo(Json.stored("{\"accepted\":4,\"duplicate\":false}"));
        assertThat(body(answers, "registry-list-agents.json").path("agents").findValuesAsText("agent_id"))
                .containsExactly("agent_billing_01");
        assertThat(body(answers, "registry-agent-events.json").path("events").findValuesAsText("reason"))
                .containsExactly("registered", "policy violation under review", "policy violation under review");
        assertThat(body(answers, "registry-system-events.json").path("events").findValuesAsText("reason"))
                .containsExactlyInAnyOrder(
                        "registered",
                        "agent_deregistered",
                        "deregistered",
                        "policy violation under review",
                        "policy violation under review",
                        "manual review",
                        "manual review");
        assertThat(body(answers, "trust-of-agent.json").path("blocked").asBoolean())
                .isTrue();
        assertThat(body(answers, "trust-unblock-agent.json").path("blocked").asBoolean(true))
                .isFalse();
        assertThat(body(answers, "trust-of-provider.json").path("blocked").asBoolean())
                .isTrue();
        for (String file : List.of("trust-health-of-agents.json", "trust-health-of-providers.json")) {
            assertThat(body(answers, file).path("items").findValuesAsText("status"))
                    .as(file)
                    .containsExactly("unknown");
        }
        assertThat(body(answers, "health-of-host.json")
                        .at("/extensions/dev.agenthealth.agent_id")
                        .asText())
                .isEqualTo("agent_billing_01");
        assertThat(answers.get("sweep.json"))
                .hasSize(6)
                .allSatisfy(pass -> assertThat(pass.path("failed").asInt(-1)).isZero());
        assertThat(answers.get("sweep-shard-count.json").path("due").isNumber()).isTrue();
        assertThat(answers.get("sweep-shard-act.json").path("failed").asInt(-1)).isZero();
        HealthDocumentSchema schema = new HealthDocumentSchema();
        for (String file : List.of("health-of-agent.json", "health-of-host.json")) {
            schema.check(answers.get(file).path("body").asText());
        }
        assertThat(answers.get("invocation-worker.json").path("batchItemFailures"))
                .isEmpty();
        assertThat(answers.get("publisher.json").path("batchItemFailures")).isEmpty();
        assertThat(answers.get("notification.json"))
                .isEqualTo(Json.stored("{\"events\":0,\"messages\":0,\"failures\":0}"));
        assertThat(answers.get("source.json")).isEqualTo(Json.stored("{\"due\":0,\"read\":0}"));
        assertThat(answers.get("probe.json")).isEqualTo(Json.stored("{\"agents\":0,\"postponed\":0}"));
        assertThat(body(answers, "administration-test-notification.json")
                        .path("reason")
                        .asText())
                .contains("host name");
        assertThat(body(answers, "erasure.json").path("done").asBoolean(true)).isFalse();
        assertThat(body(answers, "republish.json").path("republished").asInt()).isEqualTo(4);
        assertThat(system.eventBridge().requests())
                .extracting(List::size)
                .filteredOn(size -> size > 0)
                .containsExactly(2, 4);
    }

    @Test
    @Tag("R16-18")
    void the_drain_of_the_specification_works_at_the_version_that_it_names() {
        invoke(row("registry-register.json"));
        system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.PULSES)
                .key(Map.of("id", AttributeValue.fromS("agent_billing_01")))
                .updateExpression("SET w = :w")
                .expressionAttributeValues(Map.of(":w", AttributeValue.fromN("14"))));
        JsonNode answer = invoke(row("registry-patch-status.json"));
        assertThat(answer.path("statusCode").asInt()).isEqualTo(200);
        assertThat(Json.stored(answer.path("body").asText()).path("status").asText())
                .isEqualTo("draining");
    }

    @Test
    void the_key_in_the_path_is_revoked_when_it_was_issued() {
        JsonNode issued = Json.stored(
                invoke(row("administration-issue-key.json")).path("body").asText());
        ObjectNode event = (ObjectNode) samples.json("administration-revoke-key.json");
        event.putObject("pathParameters").put("key_id", issued.path("key_id").asText());
        assertThat(Json.stored(system.invoke("AdministrationFunction", Json.text(event)))
                        .path("statusCode")
                        .asInt())
                .isEqualTo(204);
    }

    @Test
    @Tag("SYS-02")
    void the_tick_is_what_the_template_s_schedule_sends() {
        ObjectNode input = (ObjectNode)
                Json.stored(system.function("SweepFunction").schedules().get(0).input());
        JsonNode sample = samples.json("sweep.json");
        input.put("id", sample.path("id").asText()).set("resources", sample.path("resources"));
        assertThat(sample).isEqualTo(input);
    }

    @Test
    void every_sample_is_complete() {
        for (Row row : samples.rows()) {
            if (row.isHttp()) {
                JsonNode event = samples.json(row.file());
                assertThat(event.path("version").asText()).isEqualTo("2.0");
                assertThat(event.path("requestContext").path("routeKey")).isEqualTo(event.path("routeKey"));
                assertThat(event.path("requestContext").path("http").path("path"))
                        .isEqualTo(event.path("rawPath"));
                String method =
                        event.path("requestContext").path("http").path("method").asText();
                assertThat(event.path("routeKey").asText().split(" ")[0]).isIn(method, "ANY", ApiRequest.NO_ROUTE);
                String length = event.path("headers").path("content-length").asText("0");
                assertThat(event.path("body").asText("").length()).hasToString(length);
            }
        }
    }

    /** The specification's own responses (§3.2 and §4.2), of which the answers hold every field. */
    private static void assertSpecifiedAnswers(Map<String, JsonNode> answers) {
        JsonNode registered = body(answers, "registry-register.json");
        JsonNode specified = Json.stored(
                """
                {"agent_id":"agent_billing_01","role_id":"billing-processor","name":"Billing Processor",
                 "capabilities":["billing","invoicing","stripe-integration"],
                 "capacity":{"max_concurrent_tasks":5,"current_load":0},"status":"active",
                 "endpoint":"https://billing-agent.example.com/webhook",
                 "heartbeat_config":{"interval_seconds":30,"unhealthy_after_seconds":90,"dead_after_seconds":300},
                 "metadata":{"version":"1.2.0","runtime":"python-3.11"},"registered_at":"2026-02-08T10:00:00.000Z",
                 "last_heartbeat_at":"2026-02-08T10:00:00.000Z","version":1}
                """);
        specified.fieldNames().forEachRemaining(field -> assertThat(registered.path(field))
                .as(field)
                .isEqualTo(specified.path(field)));
        assertThat(answers.get("registry-register.json")
                        .path("headers")
                        .path("ETag")
                        .asText())
                .isEqualTo("\"1\"");
        assertThat(body(answers, "heartbeat-function-url.json")).isEqualTo(body(answers, "heartbeat.json"));
        JsonNode acknowledged = body(answers, "heartbeat.json");
        assertThat(acknowledged.path("acknowledged").asBoolean()).isTrue();
        assertThat(acknowledged.path("server_timestamp").asText()).isEqualTo("2026-02-08T10:30:00.123Z");
        assertThat(acknowledged.path("agent_status").asText()).isEqualTo("active");
        assertThat(acknowledged.path("pending_commands").isArray()).isTrue();
        assertThat(acknowledged.path("pending_commands")).isEmpty();
    }

    private static JsonNode body(Map<String, JsonNode> answers, String file) {
        return Json.stored(answers.get(file).path("body").asText());
    }

    private Row row(String file) {
        List<Row> rows =
                samples.rows().stream().filter(row -> row.file().equals(file)).toList();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    /** Hands over a sample at the moment it names. */
    private JsonNode invoke(Row row) {
        JsonNode event = samples.json(row.file());
        JsonNode at = event.path("requestContext").path("timeEpoch");
        if (at.isNumber()) {
            Duration until = Duration.between(system.clock().instant(), Instant.ofEpochMilli(at.longValue()));
            if (!until.isNegative()) {
                system.clock().advance(until);
            }
        }
        return Json.stored(system.invoke(row.function(), samples.text(row.file())));
    }
}
