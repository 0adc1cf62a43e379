package dev.agenthealth.functions.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Who changed what: the log, its pages and its filters. */
class AuditLogTest {

    private static final String KEYS = "/v1/admin/keys";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void an_issued_key_is_in_the_log_with_its_author_and_without_its_secret() {
        Response issued = send("POST", KEYS, "{\"role\":\"agent\",\"name\":\"billing\"}");
        String keyId = issued.json().path("key_id").asText();
        JsonNode entry = only(entries());
        assertThat(entry.path("action").asText()).isEqualTo("key.issued");
        assertThat(entry.path("author"))
                .isEqualTo(
                        Json.stored(
                                """
                                        {"id":"administrator","kind":"key","role":"administrator",\
                                        "name":"administrator's key"}\
                                        """));
        assertThat(entry.path("object").path("id").asText()).isEqualTo(keyId);
        assertThat(entry.path("after").path("name").asText()).isEqualTo("billing");
        assertThat(entry.path("before")).isEmpty();
        assertThat(Json.text(entry))
                .doesNotContain(issued.json().path("api_key").asText());
    }

    @Test
    void a_change_shows_only_what_changed() {
        String keyId = issue("one");
        system.clock().advanceSeconds(1);
        send("PATCH", KEYS + "/" + keyId, "{\"name\":\"two\"}");
        JsonNode entry = entries().get(0);
        assertThat(entry.path("action").asText()).isEqualTo("key.changed");
        assertThat(entry.path("before")).isEqualTo(Json.stored("{\"name\":\"one\"}"));
        assertThat(entry.path("after")).isEqualTo(Json.stored("{\"name\":\"two\"}"));
    }

    @Test
    void a_request_that_changes_nothing_has_no_entry() {
        JsonNode configuration =
                request("GET", "/v1/admin/configuration").send().json();
        TestAgent.registered(system, "a");
        String keyId = issue("one");
        int before = entries().size();
        send("PUT", "/v1/admin/configuration", Json.text(configuration));
        send("PATCH", KEYS + "/" + keyId, "{\"name\":\"one\"}");
        request("DELETE", "/v1/admin/hosts/none.example").send();
        assertThat(entries()).hasSize(before);
        for (int i = 0; i < 2; i++) {
            send("PUT", "/v1/admin/hosts/a.example", "{\"agent_id\":\"a\"}");
        }
        assertThat(entries()).hasSize(before + 1);
    }

    @Test
    void an_entry_exists_if_and_only_if_its_change_does() {
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        issue("answer lost");
        system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        issue("repeated");
        TestApi crashing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest) {
                throw new IllegalStateException("the process ends here");
            }
        }));
        Request crashed =
                crashing.post(KEYS).key(TestSystem.ADMINISTRATOR_KEY).body("{\"role\":\"agent\",\"name\":\"crashed\"}");
        assertThat(crashed.send().status()).isEqualTo(500);
        List<String> recorded = new ArrayList<>();
        entries().forEach(entry -> recorded.add(entry.at("/after/name").asText()));
        assertThat(recorded).containsExactlyInAnyOrder("answer lost", "repeated");
        assertThat(request("GET", KEYS).send().json().path("keys").findValuesAsText("name"))
                .contains("answer lost", "repeated")
                .doesNotContain("crashed");
    }

    @Test
    void an_entry_is_kept_for_four_hundred_days() {
        issue("old");
        String issued = system.clock().instant().toString();
        system.clock().advanceSeconds(400L * 86_400 - 1);
        assertThat(names("since", issued)).containsExactly("old");
        system.clock().advanceSeconds(2);
        assertThat(names("since", issued)).isEmpty();
    }

    @Test
    void nested_fields_have_paths() {
        JsonNode configuration =
                request("GET", "/v1/admin/configuration").send().json();
        ObjectNode massSilence = (ObjectNode) configuration.path("mass_silence");
        int before = massSilence.path("silent_percent").intValue();
        massSilence.put("silent_percent", before + 1);
        send("PUT", "/v1/admin/configuration", Json.text(configuration));
        JsonNode entry = only(entries());
        String field = "mass_silence.silent_percent";
        assertThat(entry.path("before")).isEqualTo(Json.object().put(field, before));
        assertThat(entry.path("after")).isEqualTo(Json.object().put(field, before + 1));
    }

    @Test
    void the_address_is_the_one_that_the_trusted_proxy_saw_and_never_the_caller_s_word() {
        Request request = request("POST", KEYS).header("x-forwarded-for", "198.51.100.9");
        request.body("{\"role\":\"agent\"}").send();
        assertThat(only(entries()).path("address").asText()).isNotEqualTo("198.51.100.9");
    }

    @ParameterizedTest
    @CsvSource({
        "author, administrator, 5",
        "author, nobody, 0",
        "action, key.issued, 4",
        "object_type, key, 5",
        "object_type, host, 0",
        "agent_id, a, 0"
    })
    void filters_are_exact(String name, String value, int expected) {
        String keyId = "";
        for (int i = 0; i < 4; i++) {
            keyId = issue("key " + i);
        }
        system.clock().advanceSeconds(1);
        assertThat(request("DELETE", KEYS + "/" + keyId).send().status()).isEqualTo(204);
        Response filtered = request("GET", "/v1/admin/audit").query(name, value).send();
        assertThat(filtered.json().path("entries")).hasSize(expected);
        Response ofKey = request("GET", "/v1/admin/audit")
                .query("object_type", "key")
                .query("object_id", keyId)
                .send();
        assertThat(ofKey.json().path("entries").findValuesAsText("action"))
                .containsExactly("key.revoked", "key.issued");
    }

    @Test
    void pages_have_every_entry_once_and_the_newest_first() {
        List<String> issued = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            issued.add(0, issue("key " + i));
            system.clock().advanceSeconds(i % 7 == 0 ? 20_000 : i % 3);
        }
        for (String limit : List.of("1", "7", "1000")) {
            List<String> seen = new ArrayList<>();
            String token = "";
            do {
                Request page = request("GET", "/v1/admin/audit").query("limit", limit);
                JsonNode json = (token.isEmpty() ? page : page.query("next_token", token))
                        .send()
                        .json();
                json.path("entries")
                        .forEach(entry ->
                                seen.add(entry.path("object").path("id").asText()));
                token = json.path("next_token").asText("");
            } while (!token.isEmpty());
            assertThat(seen).containsExactlyInAnyOrderElementsOf(issued);
            assertThat(seen.get(0)).isEqualTo(issued.get(0));
        }
    }

    @Test
    void no_entry_is_of_the_future_and_years_have_four_digits() {
        issue("one");
        assertThat(names("since", "2300-01-01T00:00:00Z")).isEmpty();
        assertThat(names("since", "9999-12-31T23:59:59-00:00")).isEmpty();
        for (String moment : List.of(
                "+999999999-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z",
                "9999-12-31T23:59:59.9999-07:00",
                "0000-01-01T00:00:00+18:00",
                "-0001-12-31T23:59:59Z")) {
            for (String bound : List.of("since", "until")) {
                Response response = system.api()
                        .get("/v1/admin/audit")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .query(bound, moment)
                        .send();
                assertThat(response.status()).as(moment).isEqualTo(400);
                assertThat(response.json().at("/errors/0/field").asText()).isEqualTo(bound);
            }
        }
    }

    @Test
    void since_and_until_bound_the_range() {
        issue("early");
        system.clock().advanceSeconds(90_000);
        String middle = system.clock().instant().toString();
        issue("late");
        assertThat(names("since", middle)).containsExactly("late");
        assertThat(names("until", middle)).containsExactly("early");
    }

    private List<String> names(String bound, String moment) {
        List<String> names = new ArrayList<>();
        String token = "";
        do {
            Request page = request("GET", "/v1/admin/audit").query(bound, moment);
            JsonNode json = (token.isEmpty() ? page : page.query("next_token", token))
                    .send()
                    .json();
            json.path("entries")
                    .forEach(entry -> names.add(entry.path("after").path("name").asText()));
            token = json.path("next_token").asText("");
        } while (!token.isEmpty());
        return names;
    }

    @Test
    void an_entry_is_at_most_a_kilobyte_however_long_its_values_are() {
        String name = "\\\"".repeat(99);
        StringBuilder roles = new StringBuilder("\"r0\"");
        for (int i = 1; i < 100; i++) {
            roles.append(",\"").append("role-".repeat(10)).append(i).append('"');
        }
        Response issued =
                send("POST", KEYS, "{\"role\":\"coordinator\",\"name\":\"" + name + "\",\"role_ids\":[" + roles + "]}");
        assertThat(issued.status()).isEqualTo(201);
        String entry = Json.text(only(entries()));
        assertThat(entry.length()).isLessThan(1_000);
        assertThat(entry).contains("…");
    }

    private String issue(String name) {
        return send("POST", KEYS, "{\"role\":\"agent\",\"name\":\"" + name + "\"}")
                .json()
                .path("key_id")
                .asText();
    }

    private JsonNode entries() {
        return request("GET", "/v1/admin/audit").send().json().path("entries");
    }

    private static JsonNode only(JsonNode entries) {
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    private Response send(String method, String path, String body) {
        return request(method, path).body(body).send();
    }

    private Request request(String method, String path) {
        return system.api().request(method, path).key(TestSystem.ADMINISTRATOR_KEY);
    }
}
