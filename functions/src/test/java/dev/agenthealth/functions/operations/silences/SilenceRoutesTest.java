package dev.agenthealth.functions.operations.silences;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.operations.silence.Silence;
import java.time.Duration;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Administrators silence what they like, owners of agents these, for some hours. It is 10:00 UTC. */
class SilenceRoutesTest {

    private static final String ALL = "/v1/admin/silences";
    private static final String OWN = "/api/v1/silences";

    private static final String KEY = TestSystem.AGENT_KEY;
    private static final String ANOTHER = TestSystem.OTHER_AGENT_KEY;

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void a_silence_is_written_replaced_read_listed_and_deleted() {
        Response created = put(
                "backup",
                """
                        {"scope":{"role_id":"billing"},"reason":"why","for_seconds":3600}\
                        """);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"name":"backup","scope":{"role_id":"billing"},"reason":"why","starts_at":"2026-02-08T10:00:00.000Z",
                                 "ends_at":"2026-02-08T11:00:00.000Z","active":true,"active_until":"2026-02-08T11:00:00.000Z",
                                 "created_by":"administrator","created_at":"2026-02-08T10:00:00.000Z"}
                                """));
        Response replaced = put(
                "backup",
                """
                {"scope":{"everything":true},"schedule":{"cron":"0 2 * * *","duration_seconds":3600,"time_zone":"Europe/Berlin"}}
                """);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"name":"backup","scope":{"everything":true},"reason":"",
                                 "schedule":{"cron":"0 2 * * *","duration_seconds":3600,"time_zone":"Europe/Berlin"},"active":false,
                                 "next":[{"starts_at":"2026-02-09T01:00:00.000Z","ends_at":"2026-02-09T02:00:00.000Z"},
                                 {"starts_at":"2026-02-10T01:00:00.000Z","ends_at":"2026-02-10T02:00:00.000Z"},
                                 {"starts_at":"2026-02-11T01:00:00.000Z","ends_at":"2026-02-11T02:00:00.000Z"},
                                 {"starts_at":"2026-02-12T01:00:00.000Z","ends_at":"2026-02-12T02:00:00.000Z"},
                                 {"starts_at":"2026-02-13T01:00:00.000Z","ends_at":"2026-02-13T02:00:00.000Z"},
                                 {"starts_at":"2026-02-14T01:00:00.000Z","ends_at":"2026-02-14T02:00:00.000Z"},
                                 {"starts_at":"2026-02-15T01:00:00.000Z","ends_at":"2026-02-15T02:00:00.000Z"}],
                                 "created_by":"administrator","created_at":"2026-02-08T10:00:00.000Z"}
                                """));
        assertThat(get(ALL + "/backup").json()).isEqualTo(replaced.json());
        assertThat(get(ALL).json().path("silences")).containsExactly(replaced.json());
        for (int i = 0; i < 2; i++) {
            assertThat(send(system.api().delete(ALL + "/backup")).status()).isEqualTo(204);
        }
        assertThat(get(ALL + "/backup").status()).isEqualTo(404);
        assertThat(get(ALL).json().path("silences")).isEmpty();
    }

    @Test
    void a_nickname_and_a_time_zone_before_it_become_fields() {
        Response stored = put(
                "nights",
                """
                        {"scope":{"everything":true},"schedule":{"cron":"CRON_TZ=US/Pacific\\t@midnight",\
                        "duration_seconds":3600}}\
                        """);
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        assertThat(get(ALL + "/nights").json().path("schedule"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"cron":"0 0 * * *","duration_seconds":3600,"time_zone":"US/Pacific"}\
                                """));
    }

    @Test
    void a_capability_may_have_spaces() {
        assertThat(put("s", "{\"scope\":{\"capability\":\"code review\"},\"for_seconds\":60}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void a_field_that_is_null_is_absent() {
        String nulls = "\"reason\":null,\"starts_at\":null,\"ends_at\":null,\"for_seconds\":60";
        assertThat(putOwn("s", "{\"scope\":null," + nulls + "}").status()).isEqualTo(201);
        assertThat(put("s", "{\"scope\":{\"role_id\":\"billing\"},\"schedule\":null," + nulls + "}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void silences_that_are_over_leave_room_for_others() {
        for (int i = 0; i < 2 * Silence.MAX_OF_OWNER; i++) {
            Response written = system.api()
                    .put(OWN + "/deploy-" + i)
                    .key(KEY)
                    .body("{\"reason\":\"deployment\",\"for_seconds\":60}")
                    .send();
            assertThat(written.status()).as(written.text()).isEqualTo(201);
            system.clock().advance(Duration.ofMinutes(10));
        }
    }

    @Test
    void a_silence_that_is_over_is_shown_for_two_days() {
        put("s", """
                {"scope":{"agent_id":"a"},"ends_at":"2026-02-08T10:00:01Z"}\
                """);
        system.clock().advance(Duration.ofHours(48));
        assertThat(get(ALL + "/s").json().path("active").asBoolean(true)).isFalse();
        system.clock().advance(Duration.ofSeconds(2));
        assertThat(get(ALL + "/s").status()).isEqualTo(404);
        assertThat(put("s", "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":1}")
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | scope ends_at",
                "{\"scope\":{},\"for_seconds\":1} | scope",
                "{\"scope\":{\"everything\":false},\"for_seconds\":1} | scope",
                "{\"scope\":{\"agent_id\":\"a\",\"role_id\":\"r\"},\"for_seconds\":1} | scope",
                "{\"scope\":{\"agent_id\":\"a\",\"everything\":false},\"for_seconds\":1} | scope",
                "{\"scope\":{\"agent_id\":\"a\",\"role_id\":null},\"for_seconds\":1} | scope",
                "{\"scope\":{\"agent_id\":\"a b\"},\"for_seconds\":1} | scope.agent_id scope",
                "{\"scope\":{\"agents\":\"a\"},\"for_seconds\":1} | scope.agents scope",
                "{\"scope\":{\"agent_id\":\"a\"}} | ends_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":1,\"ends_at\":\"2026-02-08T10:30:00Z\"} | ends_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":0} | for_seconds",
                "{\"scope\":{\"agent_id\":\"a\"},\"ends_at\":\"2026-02-08T10:00:00Z\"} | ends_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"ends_at\":\"2026-03-10T10:00:01Z\"} | ends_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"ends_at\":\"2026-02-08T11:00:00Z\",\"starts_at\":\"2026-02-08T12:00:00Z\"} | ends_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60,\"starts_at\":\"2028-02-08T12:00:00Z\"} | starts_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60,\"starts_at\":\"2026-02-08T09:00:00Z\"} | ends_at",
                "{\"scope\":{\"capability\":\"a,b\"},\"for_seconds\":60} | scope.capability",
                "{\"scope\":{\"agent_id\":\"a\"},\"ends_at\":\"2026-02-08T11:00:00Z\",\"starts_at\":\"-999999999-01-01T00:00:00Z\"} | starts_at",
                "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60,\"schedule\":{\"cron\":\"0 2 * * *\",\"duration_seconds\":60}} | for_seconds",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{}} | schedule.cron schedule.duration_seconds",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"0 2 30 2 *\",\"duration_seconds\":60}} | schedule.cron",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"0 2 * * *\",\"duration_seconds\":59}} | schedule.duration_seconds",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"0 2 * * *\",\"duration_seconds\":86400}} | schedule.duration_seconds",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"@every 1h\",\"duration_seconds\":60}} | schedule.cron",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"@reboot\",\"duration_seconds\":60}} | schedule.cron",
                "{\"scope\":{\"agent_id\":\"a\"},\"schedule\":{\"cron\":\"0 2 * * *\",\"duration_seconds\":60,\"time_zone\":\"Mars\"}} | schedule.time_zone"
            })
    void what_is_wrong_is_named(String body, String fields) {
        Response refused = put("s", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(StreamSupport.stream(refused.json().path("errors").spliterator(), false)
                        .map(error -> error.path("field").asText()))
                .containsExactlyInAnyOrder(fields.split(" "));
    }

    @Test
    void there_are_at_most_a_hundred_silences() {
        for (int i = 0; i < 100; i++) {
            assertThat(put("s" + i, "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60}")
                            .status())
                    .isEqualTo(201);
        }
        Response refused = put("one-more", "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("too_many_silences");
        assertThat(put("s1", "{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60}")
                        .status())
                .isEqualTo(200);
        assertThat(putOwn("own", "{\"for_seconds\":60}").status())
                .as("of an owner")
                .isEqualTo(201);
    }

    @Test
    void an_owner_silences_all_of_its_agents_or_one_of_them() {
        String keyId = TestSystem.keyId(KEY);
        register("mine", KEY);
        register("other", ANOTHER);
        JsonNode all = putOwn("deployment", "{\"reason\":\"2.4\",\"for_seconds\":14400}")
                .json();
        assertThat(all.path("scope").path("owner_key_id").asText()).isEqualTo(keyId);
        assertThat(all.path("owner_key_id").asText()).isEqualTo(keyId);
        assertThat(putOwn("deployment", "{\"scope\":{\"agent_id\":\"mine\"},\"for_seconds\":60}")
                        .status())
                .isEqualTo(200);
        assertThat(putOwn("other", "{\"scope\":{\"agent_id\":\"other\"},\"for_seconds\":60}")
                        .status())
                .isEqualTo(403);
        assertThat(putOwn("other", "{\"scope\":{\"agent_id\":\"absent\"},\"for_seconds\":60}")
                        .status())
                .isEqualTo(404);
        for (String scope : new String[] {"\"role_id\":\"r\"", "\"owner_key_id\":\"k\"", "\"everything\":true"}) {
            assertThat(putOwn("other", "{\"scope\":{" + scope + "},\"for_seconds\":60}")
                            .status())
                    .as(scope)
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"for_seconds\":14401",
                "\"ends_at\":\"2026-02-08T14:00:01Z\"",
                "\"starts_at\":\"2026-02-08T13:00:00Z\",\"for_seconds\":3601",
                "\"schedule\":{\"cron\":\"0 2 * * *\",\"duration_seconds\":60}"
            })
    void an_owner_silences_for_four_hours_at_most_and_once(String period) {
        assertThat(putOwn("s", "{" + period + "}").status()).isEqualTo(400);
    }

    @Test
    void names_are_in_the_space_of_the_key_and_administrators_see_and_end_all() {
        put("deployment", "{\"scope\":{\"everything\":true},\"for_seconds\":60}");
        putOwn("deployment", "{\"for_seconds\":61}");
        assertThat(system.api().get(OWN).key(ANOTHER).send().json().path("silences"))
                .isEmpty();
        assertThat(system.api().get(OWN + "/deployment").key(ANOTHER).send().status())
                .isEqualTo(404);
        assertThat(system.api().delete(OWN + "/deployment").key(ANOTHER).send().status())
                .isEqualTo(204);
        assertThat(system.api().get(OWN).key(KEY).send().json().path("silences"))
                .hasSize(1);
        assertThat(get(ALL).json().path("silences")).hasSize(2);
        Request own = system.api().get(ALL + "/deployment").query("owner_key_id", TestSystem.keyId(KEY));
        assertThat(send(own).json().path("ends_at").asText()).isEqualTo("2026-02-08T10:01:01.000Z");
        assertThat(send(system.api().delete(ALL + "/deployment").query("owner_key_id", TestSystem.keyId(KEY)))
                        .status())
                .isEqualTo(204);
        assertThat(system.api().get(OWN).key(KEY).send().json().path("silences"))
                .isEmpty();
        assertThat(get(ALL + "/deployment").status()).isEqualTo(200);
    }

    @Test
    void an_owner_has_at_most_ten_silences() {
        for (int i = 0; i < 10; i++) {
            assertThat(putOwn("s" + i, "{\"for_seconds\":60}").status()).isEqualTo(201);
        }
        assertThat(putOwn("one-more", "{\"for_seconds\":60}").status()).isEqualTo(409);
        assertThat(system.api()
                        .put(OWN + "/s")
                        .key(ANOTHER)
                        .body("{\"for_seconds\":60}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    @Test
    void keys_that_use_up_the_places_of_all_owners_leave_each_other_key_its_first_silence() {
        for (int key = 0; key < 20; key++) {
            system.addKey("greedy-" + key, Role.AGENT, Set.of());
            for (int i = 0; i < 10; i++) {
                assertThat(putOf("greedy-" + key, "s" + i).status()).isEqualTo(201);
            }
        }
        assertThat(putOwn("first", "{\"for_seconds\":60}").status()).isEqualTo(201);
        assertThat(putOwn("second", "{\"for_seconds\":60}").status()).isEqualTo(409);
        assertThat(putOwn("first", "{\"for_seconds\":120}").status()).isEqualTo(200);
    }

    @Test
    void a_key_whose_silences_end_at_once_has_no_place_for_more_than_a_hundred_and_others_go_on() {
        for (int i = 0; i < 100; i++) {
            assertThat(putOwn("s" + i, "{\"for_seconds\":1}").status()).isEqualTo(201);
            system.clock().advanceSeconds(2);
        }
        assertThat(putOwn("one-more", "{\"for_seconds\":1}").status()).isEqualTo(409);
        assertThat(putOf(ANOTHER, "s").status()).isEqualTo(201);
        assertThat(putOf(ANOTHER, "t").status()).isEqualTo(201);
        system.clock().advanceSeconds(2 * 86_400);
        assertThat(putOwn("one-more", "{\"for_seconds\":1}").status()).isEqualTo(201);
    }

    private Response putOf(String key, String name) {
        return system.api()
                .put(OWN + "/" + name)
                .key(key)
                .body("{\"for_seconds\":60}")
                .send();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%20b", "%23", "-a", "a%2Fb"})
    void a_name_that_is_no_id_is_refused(String name) {
        assertThat(put(name, "{\"scope\":{\"everything\":true},\"for_seconds\":60}")
                        .status())
                .isIn(400, 404);
        assertThat(putOwn(name, "{\"for_seconds\":60}").status()).isIn(400, 404);
        assertThat(get(ALL).json().path("silences")).isEmpty();
    }

    @Test
    void viewers_change_nothing_and_coordinators_silence_what_they_own_only() {
        String viewer = "key-of-a-viewer";
        String coordinator = "key-of-a-coordinator-of-one-role";
        system.addKey(viewer, Role.VIEWER, Set.of());
        system.addKey(coordinator, Role.COORDINATOR, Set.of("billing"));
        assertThat(system.api()
                        .put(OWN + "/s")
                        .key(viewer)
                        .body("{\"for_seconds\":60}")
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(system.api().get(OWN).key(viewer).send().status()).isEqualTo(200);
        register("mine", KEY);
        String agent = "{\"scope\":{\"agent_id\":\"mine\"},\"for_seconds\":60}";
        assertThat(system.api()
                        .put(OWN + "/s")
                        .key(coordinator)
                        .body(agent)
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(putOwnAs(TestSystem.ADMINISTRATOR_KEY, agent).status())
                .as("an administrator")
                .isEqualTo(403);
        for (String other : new String[] {viewer, coordinator, KEY}) {
            assertThat(system.api().get(ALL).key(other).send().status()).isEqualTo(403);
        }
    }

    private void register(String agentId, String key) {
        Response registered = system.api()
                .post("/api/v1/agents")
                .key(key)
                .body("{\"agent_id\":\"" + agentId + "\",\"role_id\":\"r\",\"capabilities\":[\"c\"]}")
                .send();
        assertThat(registered.status()).as(registered.text()).isEqualTo(201);
    }

    private Response put(String name, String body) {
        return send(system.api().put(ALL + "/" + name).body(body));
    }

    private Response putOwn(String name, String body) {
        return system.api().put(OWN + "/" + name).key(KEY).body(body).send();
    }

    private Response putOwnAs(String caller, String body) {
        return system.api().put(OWN + "/s").key(caller).body(body).send();
    }

    private Response get(String path) {
        return send(system.api().get(path));
    }

    private Response send(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY).send();
    }
}
