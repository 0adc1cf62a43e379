package dev.agenthealth.functions.operations.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.profile.ProfileField;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration of a registry moves to another registry and back, without secrets. */
class TransferTest {

    private static final String K1 = "key_01ARZ3NDEKTSV4RRFFQ69G5FA1";
    private static final String K2 = "key_01ARZ3NDEKTSV4RRFFQ69G5FA2";
    private static final String SECRET = "hooks.slack.com/services/T0/B0/very-secret";

    @AutoClose
    private final TestSystem here = new TestSystem();

    @AutoClose
    private final TestSystem there = new TestSystem();

    /** Changes the names of the keys of the tests, so that no request is granted a provider that it names. */
    @BeforeEach
    void change_keys() {
        for (TestSystem system : List.of(here, there)) {
            for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY)) {
                admin(system.api().patch("/v1/admin/keys/" + TestSystem.keyId(key)))
                        .body("{\"name\":\"known\"}")
                        .send();
            }
        }
    }

    @Test
    void a_filled_registry_moves_to_a_new_one_and_back() {
        String key = fill(here);
        JsonNode exported = export(here);
        assertThat(exported.toString()).doesNotContain("very-secret", "token=hidden", key);
        JsonNode first = imported(there, exported, false);
        assertThat(results(first, "skipped")).as(first.toPrettyString()).containsExactly("sources private");
        assertThat(first.path("secrets_to_set").findValuesAsText("id")).containsExactly("on-call");
        assertThat(first.at("/secrets_to_set/0/fields/0").asText()).isEqualTo("target.url");
        ObjectNode arrived = export(there);
        assertThat(without(arrived, "sources")).isEqualTo(without(exported, "sources"));

        JsonNode second = imported(there, exported, false);
        assertThat(results(second, "created")).isEmpty();
        assertThat(results(second, "updated")).isEmpty();
        assertThat(export(there)).isEqualTo(arrived);

        JsonNode back = imported(here, arrived, false);
        assertThat(results(back, "created")).isEmpty();
        assertThat(results(back, "updated")).isEmpty();
        assertThat(back.path("secrets_to_set")).isEmpty();
        assertThat(export(here)).isEqualTo(exported);
    }

    @Test
    void a_process_goes_on_at_the_new_registry_with_its_key_and_its_incarnation() {
        String key = fill(here);
        for (int i = 0; i < 2; i++) {
            here.api()
                    .post("/api/v1/agents")
                    .key(key)
                    .body("{\"agent_id\":\"search\",\"replace\":true}")
                    .send();
        }
        imported(there, export(here), false);
        assertThat(heartbeat(key, 3)).isEqualTo(200);
        assertThat(heartbeat(key, 2)).isEqualTo(410);
    }

    @Test
    void a_second_import_raises_the_number_of_a_process_that_has_not_moved_yet() {
        String key = fill(here);
        imported(there, export(here), false);
        for (int incarnation : List.of(2, 4)) {
            registerAgain(key, incarnation);
            JsonNode second = imported(there, export(here), false);
            assertThat(results(second, "updated")).as(second.toPrettyString()).containsExactly("agents search");
            assertThat(without(export(there), "sources")).isEqualTo(without(export(here), "sources"));
            assertThat(imported(there, export(here), false)
                            .at("/counts/updated")
                            .asInt())
                    .isZero();
        }
        JsonNode late = export(here);
        assertThat(heartbeat(key, 4)).isEqualTo(200);
        assertThat(heartbeat(key, 1)).isEqualTo(410);

        registerAgain(key, 5);
        assertThat(results(imported(there, export(here), false), "updated")).isEmpty();
        assertThat(heartbeat(key, 4)).isEqualTo(200);
        assertThat(results(imported(there, late, false), "updated")).isEmpty();
    }

    @Test
    void an_older_document_never_lowers_the_number_of_a_registration() {
        String key = fill(here);
        JsonNode older = export(here);
        registerAgain(key, 2);
        imported(there, export(here), false);
        imported(there, older, false);
        assertThat(export(there).at("/agents/1/incarnation").asInt()).isEqualTo(2);
        assertThat(heartbeat(key, 2)).isEqualTo(200);
    }

    /** Registers the agent until its registration has this number. */
    private void registerAgain(String key, int incarnation) {
        Response registered;
        do {
            registered = here.api()
                    .post("/api/v1/agents")
                    .key(key)
                    .body("{\"agent_id\":\"search\",\"role_id\":\"r1\",\"replace\":true}")
                    .send();
            assertThat(registered.status()).as(registered.text()).isLessThan(300);
        } while (registered.json().path("incarnation").asInt() < incarnation);
    }

    private int heartbeat(String key, int incarnation) {
        return there.api()
                .post("/api/v1/agents/search/heartbeat")
                .key(key)
                .body(TestAgent.HEARTBEAT_BODY
                        .formatted(there.clock().instant())
                        .replace("{", "{\"incarnation\":" + incarnation + ","))
                .send()
                .status();
    }

    @Test
    void an_exported_agent_has_every_field_of_its_profile() {
        fill(here);
        admin(here.api().patch("/api/v1/agents/search"))
                .header("if-match", "*")
                .body("{\"watch\":{\"by\":\"http\",\"interval_seconds\":60},\"heartbeat_config\":{\"schedule\":null}}")
                .send();
        JsonNode agent = export(here).at("/agents/1");
        assertThat(agent.path("agent_id").asText()).isEqualTo("search");
        for (ProfileField field : ProfileField.values()) {
            // The place of a process belongs to the process.
            assertThat(agent.has(field.wireName())).as(field.wireName()).isEqualTo(field != ProfileField.INSTANCE);
        }
    }

    @Test
    void a_dry_run_says_what_would_happen_and_changes_nothing() {
        fill(here);
        JsonNode exported = export(here);
        // The first read of the configuration stores its defaults.
        admin(there.api().get("/v1/admin/configuration")).send();
        TableContents before = TableContents.of(there.tables());
        JsonNode preview = imported(there, exported, true);
        assertThat(preview.path("dry_run").asBoolean()).isTrue();
        assertThat(TableContents.of(there.tables())).isEqualTo(before);
        assertThat(preview.path("counts"))
                .isEqualTo(imported(there, exported, false).path("counts"));
    }

    @Test
    void a_document_of_many_pages_moves_page_by_page() {
        fill(here);
        JsonNode whole = export(here);
        List<JsonNode> pages = pages(here, "2");
        assertThat(pages).hasSizeGreaterThan(4);
        pages.forEach(page -> imported(there, page, false));
        assertThat(without(export(there), "sources")).isEqualTo(without(whole, "sources"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | format version",
                "{\"format\":\"other\",\"version\":1} | format",
                "{\"format\":\"agent-health-configuration\",\"version\":2} | version",
                "{\"format\":\"agent-health-configuration\",\"version\":1,\"teams\":[]} | teams",
                "HEAD,\"keys\":{}} | keys",
                "HEAD,\"keys\":[1]} | keys[0]",
                "HEAD,\"keys\":[{}]} | keys[0].key_id keys[0].role",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"king\",\"secret_sha256\":\"x\",\"colour\":1}]}"
                        + " | keys[0].role keys[0].secret_sha256 keys[0].colour",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\"},{\"key_id\":\"K1\",\"role\":\"agent\"}]} | keys[1].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\",\"secret_sha256\":\"S1\"},{\"key_id\":\"K2\",\"role\":\"agent\",\"secret_sha256\":\"S1\"}]} | keys[1].secret_sha256",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\",\"secret_sha256\":\"S1\",\"earlier_secrets\":[{\"secret_sha256\":\"S1\",\"ends_at\":\"2026-02-08T20:00:00Z\"}]}]} | keys[0].earlier_secrets[0].secret_sha256",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\",\"earlier_secrets\":[{\"secret_sha256\":\"S1\",\"ends_at\":\"2026-02-08T20:00:00Z\"},{\"secret_sha256\":\"S2\",\"ends_at\":\"2026-02-08T20:00:00Z\"}]}]} | keys[0].earlier_secrets[1].secret_sha256",
                "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\",\"secret_sha256\":\"S1\"},{\"key_id\":\"K2\",\"role\":\"agent\",\"earlier_secrets\":[{\"secret_sha256\":\"S1\",\"ends_at\":\"2026-02-08T20:00:00Z\"}]}]} | keys[1].earlier_secrets[0].secret_sha256",
                "HEAD,\"keys\":[{\"key_id\":\"administrator\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"stop\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"system\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"local\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"unknown\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"person_0123456789abcdef0123\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"workload_x\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"key_\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"keys\":[{\"key_id\":\"key_01arz3ndektsv4rrffq69g5fav\",\"role\":\"agent\"}]} | keys[0].key_id",
                "HEAD,\"stops\":[{\"reason\":\"x\"}]} | stops[0].all",
                "HEAD,\"stops\":[{\"role_id\":\"r\",\"reason\":\" \"}]} | stops[0].reason",
                "HEAD,\"stops\":[{\"all\":true,\"reason\":\"x\"},{\"all\":true,\"reason\":\"y\"}]} | stops[1].all",
                "HEAD,\"blocks\":[{\"agent_id\":\"a\",\"provider_id\":\"a\"}]} | blocks[0].agent_id",
                "HEAD,\"blocks\":[{\"agent_id\":\"a\"},{\"provider_id\":\"a\"},{\"provider_id\":\"a\"}]} | blocks[2].provider_id",
                "HEAD,\"containment\":[{\"name\":\"c\",\"mode\":\"x\"}]} | containment[0].when containment[0].action containment[0].mode",
                "HEAD,\"span_mappings\":[{\"key_id\":\"k\"}]} | span_mappings[0].service_name span_mappings[0].agent_id",
                "HEAD,\"agents\":[{\"agent_id\":\"a\",\"owner_key_id\":\"k\",\"credential\":{\"token\":1}}]}"
                        + " | agents[0].credential.endpoint agents[0].credential.token",
                "HEAD,\"agents\":[{\"agent_id\":\"a\",\"owner_key_id\":\"k\",\"ping_tokens\":[{\"secret_sha256\":\"x\"},{\"secret\":\"s\"}]}]}"
                        + " | agents[0].ping_tokens[0].secret_sha256 agents[0].ping_tokens[0].issued_by agents[0].ping_tokens[1].secret agents[0].ping_tokens",
                "HEAD,\"hosts\":[{\"host\":\"a:1\",\"agent_id\":\"a b\"}]} | hosts[0].host hosts[0].agent_id",
                "HEAD,\"workflows\":[{\"name\":\"w\"}]} | workflows[0].agents",
                "HEAD,\"workflows\":[{\"name\":\"w\",\"agents\":{\"r\":{\"pool\":{\"min_instances\":-1}}}}]}"
                        + " | workflows[0].agents.r.pool.min_instances",
                "HEAD,\"agents\":[{\"agent_id\":\"a\",\"owner_key_id\":\"k\",\"heartbeat_config\":{\"interval_seconds\":0}}]}"
                        + " | agents[0].heartbeat_config.interval_seconds",
                "HEAD,\"agents\":[{\"agent_id\":\"~x\",\"status\":\"active\"}]} | agents[0].agent_id agents[0].owner_key_id agents[0].status",
                "HEAD,\"notifications\":[{\"name\":\"n\",\"events\":[\"x\"],\"target\":{\"type\":\"email\"}}]}"
                        + " | notifications[0].events[0] notifications[0].target.address",
                "HEAD,\"silences\":[{\"name\":\"s\",\"scope\":{},\"ends_at\":\"soon\"}]} | silences[0].scope silences[0].ends_at",
                "HEAD,\"sources\":[{\"name\":\"s\",\"kind\":\"x\"}]} | sources[0].url sources[0].key_id sources[0].kind",
                "HEAD,\"status_page\":{\"path\":\"a b\",\"incidents\":[{}]}}"
                        + " | status_page.path status_page.title status_page.incidents[0].incident_id status_page.incidents[0].title"
                        + " status_page.incidents[0].state",
                "HEAD,\"identity_providers\":[{\"name\":\"i\"}]}"
                        + " | identity_providers[0].issuer identity_providers[0].audiences identity_providers[0].grants",
                "HEAD,\"configuration\":{\"colour\":1}} | configuration.colour"
            })
    void bad_input_is_refused_by_field_and_changes_nothing(String body, String fields) {
        TableContents before = TableContents.of(here.tables());
        Response refused = post(here, document(body), false);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field"))
                .contains(fields.trim().split(" "));
        assertThat(TableContents.of(here.tables())).isEqualTo(before);
    }

    /** Returns a document from a text in which {@code HEAD} is its beginning, and K1, K2, S1 and S2 are keys and hashes of secrets. */
    private static String document(String text) {
        return text.replace("HEAD", "{\"format\":\"agent-health-configuration\",\"version\":1")
                .replace("K1", K1)
                .replace("K2", K2)
                .replace("S1", "a".repeat(64))
                .replace("S2", "a".repeat(60) + "bbbb");
    }

    @Test
    void a_document_with_one_bad_field_changes_nothing() {
        fill(here);
        ObjectNode document = export(here).deepCopy();
        ((ObjectNode) document.at("/agents/0")).put("endpoint", "nowhere");
        TableContents before = TableContents.of(there.tables());
        Response refused = post(there, document.toString(), false);
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("agents[0].endpoint");
        assertThat(TableContents.of(there.tables())).isEqualTo(before);
    }

    /** Each value in place of each field of a document, also of nested fields. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "-1",
                "1e400",
                "99999999999999999999",
                "\"\"",
                "\"\\u0000\"",
                "\"\\ud800\"",
                "\"0000-01-01T00:00:00+00:00\"",
                "\"9999-12-31T23:59:59+00:00\"",
                "[]",
                "[[]]",
                "[null]",
                "{}",
                "{\"a b\":{\"?\":1}}"
            })
    void no_value_causes_an_error_of_the_server(String value) {
        fill(here);
        String document = export(here).toString();
        List<String> places = new ArrayList<>();
        places(Json.stored(document), "", places);
        assertThat(places).hasSizeGreaterThan(150);
        for (String place : places) {
            ObjectNode changed = (ObjectNode) Json.stored(document);
            int slash = place.lastIndexOf('/');
            JsonNode parent = changed.at(place.substring(0, slash));
            String last = place.substring(slash + 1);
            POJONode odd = new POJONode(new RawValue(value));
            if (parent instanceof ArrayNode list) {
                list.set(Integer.parseInt(last), odd);
            } else {
                ((ObjectNode) parent).set(last, odd);
            }
            // Texts may be stored, too.
            Request request = admin(there.api().post("/v1/admin/import"))
                    .query("dry_run", String.valueOf(!value.startsWith("\"")));
            Response response = request.body(changed.toString()).undescribed().send();
            assertThat(response.status())
                    .as("%s at %s: %s", value, place, response.text())
                    .isIn(200, 400);
        }
        assertThat(pages(there, "100")).isNotEmpty();
    }

    private static void places(JsonNode node, String path, List<String> places) {
        if (!path.isEmpty()) {
            places.add(path);
        }
        node.properties().forEach(field -> places(field.getValue(), path + "/" + field.getKey(), places));
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                places(node.get(i), path + "/" + i, places);
            }
        }
    }

    @Test
    void a_request_has_at_most_100_objects() {
        StringBuilder hosts = new StringBuilder();
        for (int i = 0; i <= TransferDocument.MAX_ENTRIES; i++) {
            hosts.append(i == 0 ? "" : ",").append("{\"host\":\"h").append(i).append("\",\"agent_id\":\"a\"}");
        }
        String head = "{\"format\":\"agent-health-configuration\",\"version\":1,";
        assertThat(post(here, head + "\"hosts\":[" + hosts + "]}", false).status())
                .isEqualTo(400);
        String keys = hosts.substring(0, hosts.length() / 2).replaceFirst(",[^,]*,[^,]*$", "");
        Response both = post(here, head + "\"hosts\":[" + keys + "],\"silences\":[" + "{},".repeat(60) + "{}]}", false);
        assertThat(both.status()).isEqualTo(400);
        assertThat(both.json().path("errors").findValuesAsText("field")).contains("silences");
    }

    @Test
    void what_the_registry_refuses_is_skipped_with_its_reason() {
        String head = "{\"format\":\"agent-health-configuration\",\"version\":1,";
        JsonNode report = imported(
                here,
                Json.stored(
                        head
                                + """
                                "hosts":[{"host":"h.example","agent_id":"never"}],
                                "agents":[{"agent_id":"a","owner_key_id":"key_never"},
                                          {"agent_id":"b","owner_key_id":"administrator","watch":{"by":"http","url":"http://10.0.0.1/x"}}],
                                "silences":[{"name":"past","scope":{"everything":true},"starts_at":"2026-02-01T10:00:00Z",
                                             "ends_at":"2026-02-01T11:00:00Z"}]}
                                """),
                false);
        assertThat(report.at("/counts/skipped").asInt())
                .as(report.toPrettyString())
                .isEqualTo(4);
        report.path("entries")
                .forEach(entry -> assertThat(entry.path("reason").asText()).isNotEmpty());
    }

    @Test
    void a_key_without_its_hash_waits_for_a_rotation() {
        JsonNode report = imported(
                here,
                Json.stored(
                        """
                        {"format":"agent-health-configuration","version":1,"keys":[{"key_id":"K1","role":"agent"}]}
                        """
                                .replace("K1", K1)),
                false);
        assertThat(report.at("/secrets_to_set/0/id").asText()).isEqualTo(K1);
        Response rotated = admin(here.api().post("/v1/admin/keys/" + K1 + "/rotate"))
                .body("{}")
                .send();
        String secret = rotated.json().path("api_key").asText();
        assertThat(here.api()
                        .get("/api/v1/me")
                        .key(secret)
                        .send()
                        .json()
                        .path("key_id")
                        .asText())
                .isEqualTo(K1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"})
    void a_secret_of_another_key_is_skipped_even_if_that_key_has_expired(String end) {
        imported(
                here,
                Json.stored(document(
                        "HEAD,\"keys\":[{\"key_id\":\"K1\",\"role\":\"agent\",\"secret_sha256\":\"S1\",\"expires_at\":\""
                                + end + "\"}]}")),
                false);
        for (boolean dryRun : List.of(true, false)) {
            JsonNode report = imported(
                    here,
                    Json.stored(document(
                            "HEAD,\"keys\":[{\"key_id\":\"K2\",\"role\":\"agent\",\"secret_sha256\":\"S1\"}]}")),
                    dryRun);
            assertThat(report.at("/entries/0/result").asText()).isEqualTo("skipped");
            assertThat(report.at("/entries/0/reason").asText()).contains(K1, "has the same secret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"ends_at\":\"2026-02-09T10:00:00Z\"", "\"for_seconds\":3600"})
    void a_silence_without_a_beginning_begins_with_its_first_import(String period) {
        JsonNode silence = Json.stored(
                document("HEAD,\"silences\":[{\"name\":\"s\",\"scope\":{\"everything\":true}," + period + "}]}"));
        assertThat(imported(here, silence, false).at("/counts/created").asInt()).isEqualTo(1);
        here.clock().advance(Duration.ofMinutes(1));
        assertThat(imported(here, silence, false).at("/counts/unchanged").asInt())
                .isEqualTo(1);
    }

    @Test
    void a_rule_without_its_secret_sends_nothing_until_it_is_written_again() {
        fill(here);
        imported(there, export(here), false);
        JsonNode rule =
                admin(there.api().get("/v1/admin/notifications/on-call")).send().json();
        assertThat(rule.path("disabled").asText()).isNotEmpty();
        assertThat(rule.at("/target/has_secret").booleanValue()).isFalse();
        assertThat(rule.at("/target/has_secret").isBoolean()).isTrue();
        assertThat(admin(there.api().post("/v1/admin/notifications/on-call/test"))
                        .send()
                        .json()
                        .path("delivered")
                        .asBoolean())
                .isFalse();
        put(there, "/v1/admin/notifications/on-call", rule("https://" + SECRET));
        assertThat(admin(there.api().get("/v1/admin/notifications/on-call"))
                        .send()
                        .json()
                        .has("disabled"))
                .isFalse();
    }

    @Test
    void only_administrators_export_and_import() {
        assertThat(here.api()
                        .get("/v1/admin/export")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(here.api()
                        .post("/v1/admin/import")
                        .key(TestSystem.COORDINATOR_KEY)
                        .body("{}")
                        .send()
                        .status())
                .isEqualTo(403);
    }

    /** Writes an object of each section. Returns the key that owns the agents. */
    private static String fill(TestSystem system) {
        JsonNode key = admin(system.api().post("/v1/admin/keys"))
                .body("{\"role\":\"agent\",\"name\":\"team a\",\"provider_ids\":[\"acme\"],\"allowed_addresses\":[]}")
                .send()
                .json();
        String secret = key.path("api_key").asText();
        String keyId = key.path("key_id").asText();
        JsonNode limited = admin(system.api().post("/v1/admin/keys"))
                .body("{\"role\":\"viewer\",\"role_ids\":[\"r1\"],\"expires_at\":\"2027-01-01T00:00:00Z\"}")
                .send()
                .json();
        admin(system.api().post("/v1/admin/keys/" + limited.path("key_id").asText() + "/rotate"))
                .body("{\"overlap_seconds\":3600}")
                .send();
        put(
                system,
                "/api/v1/workflows/flow",
                """
                {"agents":{"r1":{"capabilities":["search"],"heartbeat":{"interval_seconds":20,"stall_after_seconds":60},
                 "pool":{"min_instances":1},"contact":"team@example.com","runbook_url":"https://example.com/runbook"}}}
                """);
        Response registered = system.api()
                .post("/api/v1/agents")
                .key(secret)
                .body(
                        """
                        {"agent_id":"search","role_id":"r1","name":"Search","endpoint":"https://a.example/","metadata":{"a":[1,{"b":null}]},
                         "capabilities":["search","rank"],"capacity":{"max_concurrent_tasks":3},"platform":"k8s","listed":false,
                         "expectations":{"success_rate":0.9,"window_seconds":3600,
                          "limits":{"tokens_per_hour":1000,"on_exceeded":"drain"}},"model":{"name":"m","version":"1"},
                         "heartbeat_config":{"interval_seconds":20,"max_repeats":5,"schedule":{"cron":"0 5 * * *","time_zone":"Europe/Berlin"}}}
                        """)
                .send();
        assertThat(registered.status()).as(registered.text()).isEqualTo(201);
        for (String issuer : List.of(secret, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(system.api()
                            .post("/api/v1/agents/search/ping-url")
                            .key(issuer)
                            .send()
                            .status())
                    .isEqualTo(201);
        }
        system.api()
                .post("/api/v1/agents")
                .key(secret)
                .body("{\"agent_id\":\"plain\"}")
                .send();
        system.api()
                .post("/api/v1/agents")
                .key(secret)
                .body("{\"agent_id\":\"gone\"}")
                .send();
        assertThat(admin(system.api().delete("/api/v1/agents/gone")).send().status())
                .isLessThan(300);
        put(system, "/v1/admin/hosts/h.example", "{\"agent_id\":\"search\"}");
        put(
                system,
                "/v1/admin/containment/careful",
                """
                {"when":{"reasons":["stalled"],"min_executions":5,"for_seconds":60},"action":"block","mode":"observe",
                 "filter":{"roles":["r1"],"kind":"agent"},"release":{"after_seconds":600,"trial_calls":2}}
                """);
        for (String blocked : List.of("agents/plain", "agents/later", "providers/acme2")) {
            Response response = admin(system.api().post("/v1/admin/" + blocked + "/block"))
                    .body("{\"reason\":\"odd answers\",\"until\":\"2026-12-01T00:00:00Z\"}")
                    .send();
            assertThat(response.status()).as(response.text()).isEqualTo(200);
        }
        admin(system.api().post("/v1/admin/stop"))
                .body("{\"role_id\":\"halted\",\"reason\":\"odd calls\"}")
                .send();
        for (String mapping :
                List.of("{\"service_name\":\"shop\",", "{\"service_name\":\"shop\",\"agent_name\":\"finder\",")) {
            Response response = system.api()
                    .put("/api/v1/telemetry/mappings")
                    .key(secret)
                    .body(mapping + "\"agent_id\":\"search\",\"progress\":true}")
                    .send();
            assertThat(response.status()).as(response.text()).isEqualTo(200);
        }
        system.api()
                .put("/api/v1/telemetry/settings")
                .key(secret)
                .body("{\"auto_register\":true}")
                .send();
        put(system, "/v1/admin/notifications/on-call", rule("https://" + SECRET));
        put(
                system,
                "/v1/admin/silences/nightly",
                "{\"scope\":{\"role_id\":\"r1\"},\"reason\":\"backup\",\"schedule\":{\"cron\":\"0 1 * * *\","
                        + "\"duration_seconds\":600,\"time_zone\":\"UTC\"}}");
        put(system, "/v1/admin/silences/once", "{\"scope\":{\"everything\":true},\"for_seconds\":3600}");
        assertThat(system.api()
                        .put("/api/v1/silences/own")
                        .key(secret)
                        .body("{\"scope\":{\"agent_id\":\"search\"},\"for_seconds\":600}")
                        .send()
                        .status())
                .isEqualTo(201);
        put(
                system,
                "/v1/admin/sources/public",
                "{\"url\":\"https://a.example/cards\",\"key_id\":\"" + keyId + "\",\"kind\":\"a2a_card\"}");
        put(
                system,
                "/v1/admin/sources/private",
                "{\"url\":\"https://a.example/x?token=hidden\",\"key_id\":\"" + keyId + "\"}");
        put(
                system,
                "/v1/admin/identity-providers/corp",
                """
                {"issuer":"https://id.example","audiences":["agent-health"],"grants":[{"claim":"groups","value":"ops","role":"coordinator"}]}
                """);
        put(
                system,
                "/api/v1/status-page",
                "{\"path\":\"acme\",\"title\":\"Acme\",\"published\":true,\"entries\":[{\"name\":\"s\",\"label\":\"Search\",\"agent_id\":\"search\"}]}");
        put(
                system,
                "/api/v1/status-page/incidents/one",
                "{\"title\":\"Slow\",\"state\":\"identified\",\"text\":\"We know.\"}");
        ObjectNode configuration = (ObjectNode)
                admin(system.api().get("/v1/admin/configuration")).send().json();
        put(system, "/v1/admin/configuration", configuration.toString());
        return secret;
    }

    private static String rule(String url) {
        return "{\"events\":[\"agent.lifecycle\"],\"filter\":{\"severities\":[\"error\"]},\"target\":{\"type\":\"slack\",\"url\":\""
                + url + "\"},\"quiet\":{\"from\":\"22:00\",\"to\":\"07:00\",\"time_zone\":\"Europe/Berlin\"}}";
    }

    private static void put(TestSystem system, String path, String body) {
        Response written = admin(system.api().put(path)).body(body).send();
        assertThat(written.status()).as(path + " " + written.text()).isLessThan(300);
    }

    private static Request admin(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }

    private static Response post(TestSystem system, String body, boolean dryRun) {
        Request request = admin(system.api().post("/v1/admin/import")).body(body);
        return (dryRun ? request.query("dry_run", "true") : request).send();
    }

    private static JsonNode imported(TestSystem system, JsonNode document, boolean dryRun) {
        Response response = post(system, document.toString(), dryRun);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private static List<String> results(JsonNode report, String result) {
        List<String> found = new ArrayList<>();
        report.path("entries").forEach(entry -> {
            if (entry.path("result").asText().equals(result)) {
                found.add(
                        entry.path("section").asText() + " " + entry.path("id").asText());
            }
        });
        return found;
    }

    private static List<JsonNode> pages(TestSystem system, String limit) {
        List<JsonNode> pages = new ArrayList<>();
        String token = "";
        do {
            Request request = admin(system.api().get("/v1/admin/export")).query("limit", limit);
            Response page = (token.isEmpty() ? request : request.query("next_token", token)).send();
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            pages.add(withoutKnownKeys(page.json().deepCopy()));
            token = page.json().path("next_token").asText("");
        } while (!token.isEmpty());
        return pages;
    }

    /** Removes the keys that every test has. Their ids have no form that a registry issues. */
    private static JsonNode withoutKnownKeys(ObjectNode page) {
        ArrayNode issued = Json.object().putArray("keys");
        page.path("keys").forEach(key -> {
            if (key.path("key_id").asText().startsWith("key_")) {
                issued.add(key);
            }
        });
        if (page.has("keys")) {
            page.set("keys", issued);
        }
        return page;
    }

    /** Returns the whole document, with agents by id, without the keys that every test has. */
    private static ObjectNode export(TestSystem system) {
        List<JsonNode> pages = pages(system, "100");
        assertThat(pages).hasSize(1);
        ObjectNode document = pages.get(0).deepCopy();
        document.remove("exported_at");
        TreeMap<String, JsonNode> agents = new TreeMap<>();
        document.path("agents")
                .forEach(agent -> agents.put(agent.path("agent_id").asText(), agent));
        document.putArray("agents").addAll(agents.values());
        return document;
    }

    private static ObjectNode without(JsonNode document, String section) {
        return ((ObjectNode) document.deepCopy()).without(section);
    }
}
