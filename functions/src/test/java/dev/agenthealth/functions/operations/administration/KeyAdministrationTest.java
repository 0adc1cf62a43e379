package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Issuing and listing API keys. */
@Tag("R16-31")
class KeyAdministrationTest {

    private static final String KEYS = "/v1/admin/keys";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void a_key_is_returned_only_when_it_is_issued() {
        Response issued = issue("{\"role\":\"agent\",\"name\":\"billing\"}");
        assertThat(issued.status()).isEqualTo(201);
        assertThat(issued.header("Cache-Control")).isEqualTo("no-store");
        String apiKey = issued.json().path("api_key").asText();
        assertThat(apiKey).matches("ahk_[A-Za-z0-9_-]{43}");
        assertThat(issued.json().path("key_id").asText()).startsWith("key_");
        assertThat(issued.json().path("role").asText()).isEqualTo("agent");
        assertThat(issued.json().path("name").asText()).isEqualTo("billing");
        assertThat(issued.json().path("created_at").asText()).isEqualTo("2026-02-08T10:00:00.000Z");

        Response list = admin(system.api().get(KEYS)).send();
        assertThat(list.status()).isEqualTo(200);
        assertThat(list.text())
                .contains(issued.json().path("key_id").asText())
                .doesNotContain(apiKey)
                .doesNotContain("api_key")
                .doesNotContain("hash");
    }

    @Test
    void issued_keys_differ() {
        Set<String> keys = new HashSet<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            JsonNode issued = issue("{\"role\":\"agent\"}").json();
            keys.add(issued.path("api_key").asText());
            ids.add(issued.path("key_id").asText());
        }
        assertThat(keys).hasSize(20);
        assertThat(ids).hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({"agent,200,403,201", "viewer,200,403,403", "coordinator,200,403,201", "administrator,200,200,201"})
    @Tag("R16-34")
    void an_issued_key_has_the_permissions_of_its_role(String role, int listing, int administration, int registration) {
        JsonNode issued = issue("{\"role\":\"" + role + "\"}").json();
        String apiKey = issued.path("api_key").asText();
        String keyId = issued.path("key_id").asText();
        assertThat(system.api().get("/api/v1/agents").key(apiKey).send().status())
                .isEqualTo(listing);
        assertThat(system.api().get(KEYS).key(apiKey).send().status()).isEqualTo(administration);
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(apiKey)
                        .body("{\"agent_id\":\"of-" + role + "\",\"owner_key_id\":\"" + keyId + "\"}")
                        .send()
                        .status())
                .isEqualTo(registration);
    }

    @Test
    @Tag("R16-34")
    @Tag("R16-35")
    void a_coordinator_may_be_limited_to_roles() {
        register("a1", "role-a");
        register("b1", "role-b");
        JsonNode issued = issue(
                        """
                {"role":"coordinator","role_ids":["role-a","role-c","role-a"]}\
                """)
                .json();
        assertThat(texts(issued.path("role_ids"))).containsExactly("role-a", "role-c");
        String apiKey = issued.path("api_key").asText();
        JsonNode listed = system.api().get("/api/v1/agents").key(apiKey).send().json();
        assertThat(listed.path("agents").findValuesAsText("agent_id")).containsExactly("a1");
        assertThat(system.api().get("/api/v1/agents/a1").key(apiKey).send().status())
                .isEqualTo(200);
        assertThat(system.api().get("/api/v1/agents/b1").key(apiKey).send().status())
                .isEqualTo(403);
    }

    @Test
    void a_limit_to_no_role_is_refused() {
        for (String role : List.of("coordinator", "viewer")) {
            Response response = issue("{\"role\":\"" + role + "\",\"role_ids\":[]}");
            assertThat(response.status()).isEqualTo(400);
            assertThat(errors(response)).containsExactly("role_ids");
            assertThat(issue("{\"role\":\"" + role + "\",\"role_ids\":null}").status())
                    .isEqualTo(201);
        }
    }

    @Test
    void only_an_administrator_may_manage_keys() {
        List<Request> requests = List.of(
                system.api().get(KEYS),
                system.api().post(KEYS).body("{\"role\":\"administrator\"}"),
                system.api().delete(KEYS + "/key-test-agent-key"));
        for (Request request : requests) {
            Response without = request.send();
            assertThat(without.status()).isEqualTo(401);
            assertThat(without.header("WWW-Authenticate")).isNotEmpty();
            assertThat(without.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(request.key("unknown-key").send().status()).isEqualTo(401);
            assertThat(request.key("k".repeat(257)).send().status()).isEqualTo(401);
            assertThat(request.key(TestSystem.AGENT_KEY).send().status()).isEqualTo(403);
            assertThat(request.key(TestSystem.COORDINATOR_KEY).send().status()).isEqualTo(403);
        }
        assertThat(system.api()
                        .get("/api/v1/agents/none")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .as("the key that was not revoked")
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"role\":null}",
                "{\"role\":\"\"}",
                "{\"role\":\"Agent\"}",
                "{\"role\":7}",
                "{\"role\":[\"agent\"]}",
                "{\"role\":\"root\",\"name\":\"x\"}"
            })
    void a_key_with_an_unknown_role_is_refused(String body) {
        assertThat(errors(issue(body))).containsExactly("role");
    }

    @Test
    void every_invalid_field_is_reported() {
        assertThat(
                        errors(
                                issue(
                                        """
                {"role":"unknown","name":5,"role_ids":"r","rights":[]}\
                """)))
                .containsExactlyInAnyOrder("role", "name", "role_ids", "rights");
        assertThat(errors(issue("{\"role\":\"agent\",\"role_ids\":[\"r\"]}"))).containsExactly("role_ids");
        assertThat(errors(issue("{\"role\":\"administrator\",\"role_ids\":[\"r\"]}")))
                .containsExactly("role_ids");
        assertThat(errors(issue("{\"role\":\"coordinator\",\"role_ids\":[\"a b\"]}")))
                .containsExactly("role_ids[0]");
        assertThat(errors(issue("{\"role\":\"coordinator\",\"role_ids\":[\"ok\",3]}")))
                .containsExactly("role_ids[1]");
        assertThat(errors(issue("{\"role\":\"agent\",\"name\":\"" + "n".repeat(201) + "\"}")))
                .containsExactly("name");
        assertThat(errors(issue("{\"role\":\"agent\",\"name\":\"a\\u0007b\"}"))).containsExactly("name");
        for (String body : List.of("", "[]", "{", "null", "{\"role\":\"agent\",\"role\":\"coordinator\"}")) {
            assertThat(issue(body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void keys_are_listed_in_pages_without_gaps_or_repetitions() {
        Set<String> expected = new HashSet<>();
        JsonNode all = admin(system.api().get(KEYS)).send().json().path("keys");
        all.forEach(key -> expected.add(key.path("key_id").asText()));
        for (int i = 0; i < 7; i++) {
            expected.add(issue("{\"role\":\"agent\"}").json().path("key_id").asText());
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        int pages = 0;
        do {
            Request request = admin(system.api().get(KEYS)).query("limit", "4");
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            page.path("keys").forEach(key -> seen.add(key.path("key_id").asText()));
            assertThat(page.path("keys").size()).isBetween(1, 4);
            token = page.path("next_token").asText();
            pages++;
        } while (!token.isEmpty());
        assertThat(pages).isEqualTo(3);
        assertThat(seen).doesNotHaveDuplicates().isSorted().hasSameElementsAs(expected);
    }

    @Test
    void a_page_is_complete_even_if_storage_returns_it_in_parts() {
        // 250 keys of about 7 KB each: more than one DynamoDB response holds.
        Set<String> roles =
                IntStream.range(0, 100).mapToObj(i -> "r".repeat(60) + i).collect(Collectors.toSet());
        for (int i = 0; i < 250; i++) {
            new KeyStore(system.database())
                    .add(ApiKey.issued(
                            "large-" + i,
                            KeyHash.ofKey("large-" + i),
                            Role.COORDINATOR,
                            "",
                            roles,
                            ProviderGrants.NONE,
                            system.clock().instant()));
        }
        JsonNode page =
                admin(system.api().get(KEYS)).query("limit", "1000").send().json();
        assertThat(page.path("keys").size()).isGreaterThanOrEqualTo(250);
        assertThat(page.has("next_token")).isFalse();
    }

    @Test
    void an_invalid_page_is_refused() {
        for (String limit : List.of("0", "1001", "x", "1.0", "5000000000", "\uff15")) {
            assertThat(errors(
                            admin(system.api().get(KEYS)).query("limit", limit).send()))
                    .as(limit)
                    .containsExactly("limit");
        }
        assertThat(errors(
                        admin(system.api().get(KEYS)).query("next_token", "%%").send()))
                .containsExactly("next_token");
        assertThat(errors(admin(system.api().get(KEYS))
                        .query("next_token", "YSBi")
                        .send()))
                .containsExactly("next_token");
    }

    private void register(String agentId, String roleId) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agentId + "\",\"role_id\":\"" + roleId + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private Response issue(String body) {
        return admin(system.api().post(KEYS)).body(body).send();
    }

    private static Request admin(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }

    private static List<String> errors(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        return response.json().path("errors").findValuesAsText("field");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(element -> texts.add(element.asText()));
        return texts;
    }
}
