package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.TokenCipher;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.system.PageTokenKey;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The event log of the whole system (RFC-0016 §2.3). */
@Tag("R16-03")
class SystemFeedTest {

    private static final String PATH = "/api/v1/events";
    private static final String LIMITED_COORDINATOR = "limited-coordinator";

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeEach
    void open() {
        system = new TestSystem();
        system.addKey(LIMITED_COORDINATOR, Role.COORDINATOR, Set.of("billing"));
        client = new RegistryClient(system);
    }

    @Test
    void the_feed_is_five_seconds_behind_so_that_readers_miss_no_event() {
        TestAgent agent = client.newAgent("");
        assertThat(read(Map.of()).get("events")).isEmpty();
        system.clock().advanceSeconds(5);
        assertThat(read(Map.of()).get("events")).isEmpty();
        system.clock().advance(Duration.ofMillis(1));
        JsonNode page = read(Map.of());
        assertThat(page.get("events")).hasSize(1);
        assertThat(page.get("events").get(0)).isEqualTo(agent.events().get(0));
        assertThat(page.has("next_token")).isFalse();
    }

    @Test
    void a_resuming_reader_gets_every_event_once_and_in_order_across_hours() {
        List<String> written = new ArrayList<>();
        List<String> met = new ArrayList<>();
        String token = "";
        // 40 steps of just over 7 minutes cross several hour boundaries, some of them between two reads.
        for (int step = 0; step < 40; step++) {
            TestAgent agent = client.newAgent("");
            written.add(agent.id() + ":1");
            if (step % 3 == 0) {
                agent.deregister();
                written.add(agent.id() + ":2");
            }
            system.clock().advance(Duration.ofMillis(7 * 60_000 + 1_234));
            if (step % 2 == 0) {
                Map<String, String> query = new HashMap<>(Map.of("limit", "2"));
                if (!token.isEmpty()) {
                    query.put("next_token", token);
                }
                token = readOn(query, met);
            }
        }
        system.clock().advanceSeconds(6);
        readOn(new HashMap<>(Map.of("next_token", token)), met);
        assertThat(met).isEqualTo(written);
    }

    @Test
    @Tag("exhaustive")
    void many_events_of_one_millisecond_are_read_without_loss_or_duplicates() {
        for (int i = 0; i < 60; i++) {
            TestAgent agent = client.newAgent("");
            for (int j = 0; j < i % 12; j++) {
                assertThat(
                                j % 2 == 0
                                        ? agent.deregister().status()
                                        : agent.register("").status())
                        .isIn(201, 204);
            }
        }
        system.clock().advanceSeconds(6);
        List<String> all = ids(client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, Map.of("limit", "1000")));
        assertThat(all).hasSize(60 + 5 * 66).doesNotHaveDuplicates();
        for (String limit : List.of("1", "7", "100")) {
            List<String> paged = ids(client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, Map.of("limit", limit)));
            assertThat(paged).as("limit %s", limit).isEqualTo(all);
        }
        Map<String, Integer> last = new HashMap<>();
        for (String id : all) {
            String agent = id.substring(0, id.indexOf(':'));
            int sequence = Integer.parseInt(id.substring(id.indexOf(':') + 1));
            assertThat(sequence)
                    .as("number of %s after %s", id, last.get(agent))
                    .isEqualTo(last.getOrDefault(agent, 0) + 1);
            last.put(agent, sequence);
        }
    }

    @Test
    void a_reader_misses_no_event_while_the_size_of_the_fleet_changes() {
        TestApi large = system.apiThrough(system.dynamoDb(), Map.of("MARK_PARTITIONS", "128"));
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            TestApi api = i % 2 == 0 ? system.api() : large;
            String id = "changing-" + i;
            assertThat(api.post("/api/v1/agents")
                            .key(TestSystem.AGENT_KEY)
                            .body("{\"agent_id\":\"" + id + "\",\"role_id\":\"r\"}")
                            .send()
                            .status())
                    .isEqualTo(201);
            written.add(id + ":1");
            system.clock().advanceSeconds(1);
        }
        system.clock().advanceSeconds(6);
        String since = system.clock().instant().minus(Duration.ofHours(1)).toString();
        for (int limit : new int[] {7, 100}) {
            Map<String, String> query = Map.of("since", since, "limit", Integer.toString(limit));
            assertThat(ids(client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, query)))
                    .containsExactlyElementsOf(written);
        }
        assertThat(TableContents.of(system.tables()).items().stream()
                        .filter(item -> item.containsKey("fp"))
                        .map(item -> item.get("fp").s())
                        .filter(shard -> shard.startsWith("F#"))
                        .distinct())
                .hasSizeGreaterThan(10);
    }

    @Test
    void a_page_covers_at_most_one_day_and_has_a_next_token() {
        client.newAgent("");
        system.clock().advance(Duration.ofDays(3));
        TestAgent late = client.newAgent("");
        system.clock().advanceSeconds(6);
        String since = system.clock().instant().minus(Duration.ofDays(4)).toString();
        List<JsonNode> pages = client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, Map.of("since", since));
        assertThat(pages).hasSizeBetween(4, 5);
        assertThat(ids(pages)).hasSize(2).last().isEqualTo(late.id() + ":1");
        system.meter().reset();
        read(Map.of("since", since));
        assertThat(system.meter().calls()).hasSize(24 * Tables.MAX_FEED_SHARDS);
    }

    @Test
    void without_since_the_feed_begins_an_hour_ago() {
        client.newAgent("");
        system.clock().advance(Duration.ofMinutes(61));
        TestAgent later = client.newAgent("");
        system.clock().advanceSeconds(6);
        assertThat(ids(List.of(read(Map.of())))).containsExactly(later.id() + ":1");
        assertThat(ids(List.of(read(Map.of("since", "2026-02-08T10:00:00Z"))))).hasSize(2);
        assertThat(ids(List.of(read(Map.of("since", "2026-02-08T10:00:00.001Z")))))
                .hasSize(1);
    }

    @Test
    @Tag("exhaustive")
    void expired_events_are_not_returned_and_old_positions_need_few_pages() {
        TestAgent old = client.newAgent("");
        system.clock().advance(Duration.ofDays(89));
        old.deregister();
        system.clock().advance(Duration.ofDays(2));
        String longAgo = token("0000000000000");
        for (Map<String, String> query : List.of(
                Map.of("since", "0001-01-01T00:00:00Z"),
                Map.of("since", "1970-01-01T00:00:00Z"),
                Map.of("next_token", longAgo))) {
            List<JsonNode> pages = client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, query);
            assertThat(pages).as("%s", query).hasSizeBetween(90, 91);
            assertThat(ids(pages)).containsExactly(old.id() + ":2");
        }
    }

    @Test
    void a_time_in_the_future_finds_nothing_and_a_position_there_reads_the_last_hour_again() {
        TestAgent first = client.newAgent("");
        system.clock().advanceSeconds(10);
        JsonNode later = read(Map.of("since", "9999-12-31T23:59:59Z"));
        assertThat(later.get("events")).isEmpty();
        assertThat(later.has("next_token")).isFalse();
        assertThat(ids(List.of(read(Map.of("next_token", token("9999999999999"))))))
                .containsExactly(first.id() + ":1");
        String resume = read(Map.of("since", "9999-12-31T23:59:59Z"))
                .get("resume_token")
                .textValue();
        TestAgent next = client.newAgent("");
        system.clock().advanceSeconds(6);
        assertThat(ids(List.of(read(Map.of("next_token", resume))))).containsExactly(next.id() + ":1");
    }

    @Test
    @Tag("R16-34")
    void coordinators_and_administrators_may_read_it() {
        for (String key : List.of(TestSystem.COORDINATOR_KEY, LIMITED_COORDINATOR, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(client.read(key, PATH, Map.of()).status()).isEqualTo(200);
        }
        Response refused = client.read(TestSystem.AGENT_KEY, PATH, Map.of("limit", "x"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("error").textValue()).isEqualTo("forbidden");
    }

    @Test
    @Tag("R16-34")
    void a_coordinator_of_some_roles_reads_the_events_of_these_roles_only() {
        TestAgent first = client.newAgent(",\"role_id\":\"billing\"");
        client.newAgent(",\"role_id\":\"research\"");
        client.newAgent("");
        TestAgent last = client.newAgent(",\"role_id\":\"billing\"");
        system.clock().advanceSeconds(10);
        List<JsonNode> pages = client.pages(LIMITED_COORDINATOR, PATH, Map.of("limit", "1"));
        assertThat(pages).as("events of other roles do not end a page").hasSize(2);
        assertThat(ids(pages)).containsExactly(first.id() + ":1", last.id() + ":1");
    }

    @ParameterizedTest
    @CsvSource({
        "type=agent.lifecycle, 4",
        "type=agent.health, 0",
        "'type=agent.health,agent.lifecycle', 4",
        "role_id=billing, 2",
        "role_id=billing&type=agent.lifecycle, 2",
        "agent_id=FIRST, 1",
        "agent_id=FIRST&role_id=research, 0"
    })
    void the_feed_is_filtered_by_type_agent_and_role(String filters, int matches) {
        TestAgent first = client.newAgent(",\"role_id\":\"billing\"");
        client.newAgent(",\"role_id\":\"research\"");
        client.newAgent("");
        client.newAgent(",\"role_id\":\"billing\"");
        system.clock().advanceSeconds(10);
        for (String limit : List.of("1", "2", "100")) {
            Map<String, String> query = new HashMap<>(Map.of("limit", limit));
            for (String filter : filters.replace("FIRST", first.id()).split("&")) {
                query.put(filter.split("=")[0], filter.split("=")[1]);
            }
            assertThat(ids(client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, query)))
                    .as("in pages of " + limit)
                    .hasSize(matches);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "'type=agent.life,agent.health', type",
        "agent_id=a/b, agent_id",
        "since=now, since",
        "next_token=x, next_token",
        "limit=x&since=x&next_token=x, limit since next_token"
    })
    void every_bad_parameter_is_named(String parameters, String fields) {
        Map<String, String> query = new HashMap<>();
        for (String parameter : parameters.split("&")) {
            query.put(parameter.split("=")[0], parameter.split("=")[1]);
        }
        assertThat(refusedFields(query)).isEqualTo(Set.of(fields.split(" ")));
    }

    private Set<String> refusedFields(Map<String, String> query) {
        Response response = client.read(TestSystem.ADMINISTRATOR_KEY, PATH, query);
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        return new HashSet<>(response.json().get("errors").findValuesAsText("field"));
    }

    /** Reads all pages from the query on; returns the token for resuming. */
    private String readOn(Map<String, String> query, List<String> met) {
        List<JsonNode> pages = client.pages(TestSystem.ADMINISTRATOR_KEY, PATH, query);
        met.addAll(ids(pages));
        return pages.get(pages.size() - 1).get("resume_token").textValue();
    }

    private JsonNode read(Map<String, String> query) {
        Response response = client.read(TestSystem.ADMINISTRATOR_KEY, PATH, query);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private static List<String> ids(List<JsonNode> pages) {
        List<String> ids = new ArrayList<>();
        pages.forEach(page -> page.get("events")
                .forEach(event -> ids.add(event.get("agent_id").textValue() + ":" + event.get("sequence"))));
        return ids;
    }

    private String token(String position) {
        ApiRequest request = new ApiRequest(
                APIGatewayV2HTTPEvent.builder().withRouteKey("GET " + PATH).build());
        request.identify(Caller.ofKey("administrator", "", Role.ADMINISTRATOR, Set.of(), KeyHash.NONE));
        PageTokenKey key = new PageTokenKey(system.database());
        request.encryptTokensWith(new TokenCipher(key::get, key::find));
        return PageToken.of(request, position);
    }
}
