package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Cost of the registry's routes with a cached key and default window. Transitions and reads are checked by the capacity that the
 * storage reports.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryBudgetTest {

    @AutoClose
    private TestSystem system;

    private RegistryClient client;
    private int itemsWritten;

    @BeforeAll
    void open() {
        system = new TestSystem();
        TestDynamoDb counting = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction) {
                itemsWritten += transaction.transactItems().size();
            }
        });
        client = new RegistryClient(system, system.apiThrough(counting));
        client.register(Resources.text("rfc-0016/registration-request.json"));
    }

    @Test
    @Tag("R16-23")
    void a_record_is_one_request() {
        measured(200, () -> client.get("agent_billing_01").status());
        assertThat(system.meter().operations()).containsExactly("BatchGetItem");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(5);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    @Tag("R16-04")
    void a_first_registration_is_one_read_and_one_write() {
        client.newAgent("");
        String body = Resources.text("rfc-0016/registration-request.json").replace("agent_billing_01", client.newId());
        measured(201, () -> client.register(body).status());
        assertThat(system.meter().operations())
                .as("role, agent, the providers of its key, its block and the stops in one read")
                .containsExactly("BatchGetItem", "TransactWriteItems");
        assertThat(itemsWritten)
                .as(
                        "pulse, profile, metadata, four tags, owner, checks of the tombstone and the block, event and entry of the audit log")
                .isEqualTo(12);
        // Two units per item of a transaction, including the index entries of row and event.
        assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(28);
    }

    @Test
    void the_settings_of_registrations_cost_half_a_unit_per_minute() {
        system.clock().advanceSeconds(60);
        measured(201, () -> client.register("{\"agent_id\":\"" + client.newId() + "\"}")
                .status());
        List<String> first = system.meter().operations();
        assertThat(first).filteredOn("GetItem"::equals).as("settings").hasSize(1);
        double units = system.meter().readUnits();
        measured(201, () -> client.register("{\"agent_id\":\"" + client.newId() + "\"}")
                .status());
        assertThat(system.meter().operations()).hasSize(first.size() - 1).doesNotContain("GetItem");
        assertThat(system.meter().readUnits()).isEqualTo(units - 0.5);
    }

    @Test
    @Tag("R16-06")
    void a_re_registration_with_the_same_profile_does_not_write_the_tags() {
        String body = Resources.text("rfc-0016/registration-request.json").replace("agent_billing_01", client.newId());
        TestAgent agent = new TestAgent(system, body.split("\"")[3]);
        // This registration also caches the default window.
        client.register(body);
        agent.deregister();
        measured(201, () -> client.register(body).status());
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "TransactWriteItems");
        assertThat(itemsWritten)
                .as("pulse, profile, metadata, mark, event, the removed tasks, and the entry of the audit log")
                .isEqualTo(7);
    }

    @Test
    @Tag("R16-02")
    @Tag("R16-18")
    void a_transition_is_one_transaction_of_at_most_twelve_units() {
        TestAgent agent =
                client.newAgent("""
                ,"role_id":"r","capabilities":["a","b","c"]\
                """);
        measured(200, () -> client.patchStatus(agent.id(), "1", "{\"status\":\"draining\"}")
                .status());
        assertTransition("BatchGetItem", "TransactWriteItems");
        measured(204, () -> client.delete(TestSystem.AGENT_KEY, agent.id()).status());
        // The query reads the leases that the agent holds.
        assertTransition("BatchGetItem", "Query", "TransactWriteItems");
        measured(204, () -> client.delete(TestSystem.AGENT_KEY, agent.id()).status());
        assertThat(system.meter().operations()).containsExactly("BatchGetItem");
    }

    @Test
    void a_profile_change_writes_the_profile_and_the_tags_that_changed() {
        TestAgent agent =
                client.newAgent("""
                ,"role_id":"r","capabilities":["a","b","c"]\
                """);
        measured(200, () -> client.patchProfile(agent.id(), "1", "{\"name\":\"n\"}")
                .status());
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "TransactWriteItems");
        assertThat(itemsWritten)
                .as("pulse, profile, metadata, mark, entry of the audit log")
                .isEqualTo(5);
        measured(200, () -> client.patchProfile(agent.id(), "2", "{\"capabilities\":[\"a\",\"b\",\"d\"]}")
                .status());
        assertThat(itemsWritten).as("and the removed and the added tag").isEqualTo(7);
    }

    @Test
    @Tag("R16-03")
    void the_feed_needs_one_query_per_shard_and_hour() {
        // The first token of a process reads its key.
        client.read(TestSystem.COORDINATOR_KEY, "/api/v1/events", Map.of());
        for (int minutes : new int[] {1, 60}) {
            system.clock().advanceSeconds(minutes * 60L);
            Map<String, String> query = Map.of("since", "2026-02-08T10:00:00Z");
            measured(200, () -> client.read(TestSystem.COORDINATOR_KEY, "/api/v1/events", query)
                    .status());
            assertThat(system.meter().operations())
                    .hasSize((minutes == 1 ? 1 : 2) * Tables.MAX_FEED_SHARDS)
                    .containsOnly("Query");
        }
    }

    @Test
    @Tag("R16-03")
    void an_agent_s_log_is_its_record_and_one_query() {
        measured(200, () -> client.read(TestSystem.AGENT_KEY, "/api/v1/agents/agent_billing_01/events", Map.of())
                .status());
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query");
    }

    private void assertTransition(String... operations) {
        assertThat(itemsWritten).as("pulse, event, entry of the audit log").isEqualTo(3);
        assertThat(system.meter().operations()).containsExactlyInAnyOrder(operations);
        assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(12);
    }

    private void measured(int status, Supplier<Integer> request) {
        List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY).forEach(key -> client.get(key, "unknown"));
        system.meter().reset();
        itemsWritten = 0;
        assertThat(request.get()).isEqualTo(status);
    }
}
