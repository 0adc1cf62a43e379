package dev.agenthealth.functions.sweep.probes;

import static dev.agenthealth.functions.testing.TestSystem.ADMINISTRATOR_KEY;
import static dev.agenthealth.functions.testing.TestSystem.AGENT_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** What probes see an agent declare: kept, compared, published and accepted. */
class DeclarationChangeTest {

    private final WatchedFleet fleet = new WatchedFleet();

    @AfterEach
    void close() {
        fleet.close();
    }

    private String card(String... skills) {
        StringBuilder list = new StringBuilder();
        for (String skill : skills) {
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"id\":\"" + skill + "\",\"name\":\"n\",\"description\":\"d\",\"tags\":[\"b\",\"a\"]}");
        }
        return "{\"name\":\"Billing\",\"url\":\"" + url() + "\",\"version\":\"1\",\"skills\":[" + list + "]}";
    }

    private String url() {
        return "http://host.test:" + fleet.port() + "/w";
    }

    private TestAgent watched(String answer) {
        fleet.answer = answer;
        Response response = fleet.register(
                "w",
                "host",
                ",\"watch\":{\"by\":\"a2a\",\"url\":\"" + url()
                        + "\",\"interval_seconds\":60},\"model\":{\"name\":\"m1\"}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        fleet.pass();
        fleet.minutes(1);
        return new TestAgent(fleet.system, "w");
    }

    private JsonNode declaration() {
        return fleet.api.get("/api/v1/agents/w").key(AGENT_KEY).send().json().path("declaration");
    }

    private List<JsonNode> published() {
        return new TestAgent(fleet.system, "w")
                .events().stream()
                        .filter(event -> event.path("type").asText().equals("agent.declaration_changed"))
                        .toList();
    }

    private Response accept(String key, String digest) {
        return fleet.api
                .post("/api/v1/agents/w/declaration/accept")
                .key(key)
                .body("{\"digest\":\"" + digest + "\"}")
                .send();
    }

    private List<String> changed(String key) {
        JsonNode list = fleet.api
                .get("/api/v1/agents")
                .query("declaration", "changed")
                .key(key)
                .send()
                .json()
                .path("agents");
        return StreamSupport.stream(list.spliterator(), false)
                .map(agent -> agent.path("agent_id").asText())
                .toList();
    }

    @Test
    void a_changed_card_is_published_once_and_listed_until_it_is_accepted() {
        TestAgent agent = watched(card("invoice", "refund"));
        String first = declaration().path("digest").asText();
        assertThat(declaration().path("change").isNull()).isTrue();
        assertThat(published()).isEmpty();
        fleet.answer = card("refund", "invoice")
                .replace("\"version\":\"1\"", "\"version\":\"2\",\"signatures\":[{}]")
                .replace("[\"b\",\"a\"]", "[\"a\",\"b\"]");
        fleet.minutes(1);
        assertThat(published()).as("another order, version and signature").isEmpty();
        fleet.answer = card("refund", "audit").replace("Billing", "Billing 2");
        fleet.minutes(3);
        assertThat(published()).hasSize(1).first().satisfies(event -> {
            assertThat(event.path("of").asText()).isEqualTo("card");
            assertThat(event.path("added").toString()).isEqualTo("[\"skill:audit\"]");
            assertThat(event.path("removed").toString()).isEqualTo("[\"skill:invoice\"]");
            assertThat(event.path("altered").toString()).isEqualTo("[\"name\"]");
            assertThat(event.path("accepted_digest").asText()).isEqualTo(first);
        });
        JsonNode change = declaration().path("change");
        assertThat(change.path("added").toString()).isEqualTo("[\"skill:audit\"]");
        assertThat(changed(ADMINISTRATOR_KEY)).containsExactly("w");
        assertThat(changed(AGENT_KEY)).containsExactly("w");
        String digest = change.path("digest").asText();
        assertThat(accept(AGENT_KEY, digest).status()).isEqualTo(403);
        assertThat(accept(ADMINISTRATOR_KEY, first).json().path("error").asText())
                .isEqualTo("declaration_changed");
        assertThat(accept(ADMINISTRATOR_KEY, digest)
                        .json()
                        .at("/declaration/change")
                        .isNull())
                .isTrue();
        assertThat(accept(ADMINISTRATOR_KEY, digest).status())
                .as("accepted already")
                .isEqualTo(200);
        assertThat(changed(ADMINISTRATOR_KEY)).isEmpty();
        assertThat(published()).hasSize(2).last().satisfies(event -> {
            assertThat(event.path("added")).isEmpty();
            assertThat(event.path("digest")).isEqualTo(event.path("accepted_digest"));
        });
        agent.assertHistoryIsWhole("after the change");
    }

    @Test
    void what_is_back_ends_the_change_and_a_failed_probe_changes_nothing() {
        watched(card("invoice"));
        fleet.answer = card();
        fleet.minutes(1);
        assertThat(published()).hasSize(1);
        fleet.answer = "no card";
        fleet.minutes(1);
        assertThat(published()).hasSize(1);
        assertThat(changed(ADMINISTRATOR_KEY)).containsExactly("w");
        fleet.answer = card("invoice");
        fleet.minutes(1);
        assertThat(published()).hasSize(2);
        assertThat(changed(ADMINISTRATOR_KEY)).isEmpty();
    }

    @Test
    void an_unchanged_declaration_costs_no_write_and_no_read() {
        watched(card("invoice"));
        fleet.minutes(1);
        fleet.minuteWithoutProbes();
        fleet.system.meter().reset();
        fleet.probe();
        double writes = fleet.system.meter().writeUnits();
        double reads = fleet.system.meter().readUnits();
        fleet.answer = card("other");
        fleet.minuteWithoutProbes();
        fleet.system.meter().reset();
        fleet.probe();
        assertThat(fleet.system.meter().writeUnits()).isGreaterThan(writes);
        assertThat(writes).as("heartbeat, permit and evidence").isLessThanOrEqualTo(4);
        assertThat(fleet.system.meter().readUnits()).isGreaterThan(reads);
    }

    @Test
    void another_model_is_a_change_also_of_a_process_that_replaces_another() {
        watched(card("invoice"));
        assertThat(fleet.register("w", "host", ",\"replace\":true,\"model\":{\"name\":\"m1\"}")
                        .status())
                .isEqualTo(201);
        assertThat(published()).isEmpty();
        Response replaced = fleet.register("w", "host", ",\"replace\":true,\"model\":{\"name\":\"m2\"}");
        assertThat(replaced.json().at("/declaration/change/altered").toString()).isEqualTo("[\"model\"]");
        assertThat(published()).hasSize(1).first().satisfies(event -> {
            assertThat(event.path("of").asText()).isEqualTo("model");
            assertThat(event.path("incarnation").asInt()).isEqualTo(3);
        });
        TestAgent agent = new TestAgent(fleet.system, "w");
        agent.assertHistoryIsWhole("after the replacement");
        Response patched = agent.change("{\"model\":{\"name\":\"m1\"}}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(published()).hasSize(2).last().satisfies(event -> assertThat(event.path("altered"))
                .isEmpty());
        agent.deregister();
        fleet.register("w", "host", ",\"model\":{\"name\":\"m3\"}");
        assertThat(published()).as("the baseline survives the registration").hasSize(3);
        assertThat(changed(ADMINISTRATOR_KEY)).containsExactly("w");
        agent.assertHistoryIsWhole("at last");
    }

    private void registerServer() {
        Response response = fleet.register(
                "w",
                "host",
                ",\"kind\":\"mcp_server\",\"watch\":{\"by\":\"mcp\",\"url\":\"" + url()
                        + "\",\"interval_seconds\":60}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
    }

    private static String tools(String... names) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"tools\":["
                + Stream.of(names)
                        .map(name -> "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}")
                        .collect(Collectors.joining(","))
                + "]}}";
    }

    private List<String> capabilities() {
        return new TestAgent(fleet.system, "w")
                .stored()
                .profile()
                .agentInterface()
                .capabilities();
    }

    @Test
    void the_tools_of_a_server_are_its_capabilities_until_it_declares_others() {
        fleet.answer = tools("search", "read");
        registerServer();
        fleet.pass();
        fleet.minutes(1);
        assertThat(capabilities()).containsExactly("read", "search");
        long version = new TestAgent(fleet.system, "w").pulse().version();
        fleet.minutes(2);
        assertThat(new TestAgent(fleet.system, "w").pulse().version())
                .as("no write")
                .isEqualTo(version);
        fleet.answer = tools("search", "delete_all");
        fleet.minutes(1);
        assertThat(capabilities()).containsExactly("delete_all", "search");
        assertThat(published()).hasSize(1).first().satisfies(event -> {
            assertThat(event.path("of").asText()).isEqualTo("tools");
            assertThat(event.path("added").toString()).isEqualTo("[\"tool:delete_all\"]");
            assertThat(event.path("removed").toString()).isEqualTo("[\"tool:read\"]");
        });
        TestAgent agent = new TestAgent(fleet.system, "w");
        assertThat(agent.change("{\"capabilities\":[\"own\"]}").status()).isEqualTo(200);
        fleet.answer = tools("search");
        fleet.minutes(1);
        assertThat(capabilities()).containsExactly("own");
    }

    @Test
    void the_record_says_when_the_tools_of_a_server_cannot_be_read_any_more() {
        fleet.answer = tools("search");
        registerServer();
        fleet.pass();
        fleet.minutes(1);
        assertThat(agent().at("/last_probe/declaration_read").asBoolean()).isTrue();
        fleet.answer = tools("search").replace("\"tools\"", "\"nextCursor\":\"again\",\"tools\"");
        fleet.minutes(1);
        JsonNode hidden = agent();
        assertThat(hidden.path("status").asText()).isEqualTo("active");
        assertThat(hidden.path("last_probe").has("declaration_read")).isTrue();
        assertThat(hidden.at("/last_probe/declaration_read").asBoolean()).isFalse();
        assertThat(hidden.at("/declaration/digest").asText())
                .as("what was seen")
                .isNotEmpty();
    }

    private JsonNode agent() {
        return fleet.api
                .get("/api/v1/agents/w")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }

    @Test
    void runs_at_the_same_time_publish_a_change_once() {
        TestAgent agent = watched(card("invoice"));
        Observation seen = new Observation(DeclarationKind.CARD, DeclaredDocuments.ofCard(Json.stored(card("audit"))));
        Instant now = fleet.system.clock().instant();
        AtomicInteger writes = new AtomicInteger();
        TestDynamoDb hooked = new TestDynamoDb(fleet.system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && writes.getAndIncrement() == 0) {
                new ObservedDeclarations(fleet.system.database())
                        .note(agent.stored().profile(), "", seen, now);
            }
        });
        new ObservedDeclarations(fleet.system.databaseThrough(hooked))
                .note(agent.stored().profile(), "", seen, now);
        assertThat(writes.get()).isEqualTo(1);
        assertThat(published()).hasSize(1);
        agent.assertHistoryIsWhole("after the race");
    }
}
