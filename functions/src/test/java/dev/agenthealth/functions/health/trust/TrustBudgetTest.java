package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.RecordedInvocations;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The cost of trust by the capacity that DynamoDB reports, with ids of the maximum length and figures of several years. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrustBudgetTest {

    private static final String AGENT = "agent_" + "a".repeat(58);
    private static final String PROVIDER = "provider_" + "p".repeat(55);
    private static final int YEARS = 5;
    private static final int INVOCATIONS_A_YEAR = 150;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    /** The number of items of each transaction. */
    private final List<Integer> written = new ArrayList<>();

    private final DynamoDbClient counting = new TestDynamoDb(system.dynamoDb()).before(request -> {
        if (request instanceof TransactWriteItemsRequest transaction) {
            written.add(transaction.transactItems().size());
        }
    });
    private TestAgent agent;

    @BeforeAll
    void fill() {
        agent = client.newAgent(AGENT, PROVIDER);
        for (int year = 0; year < YEARS; year++) {
            system.clock().advance(Duration.ofDays(year == 0 ? 0 : 360));
            for (int i = 0; i < INVOCATIONS_A_YEAR; i++) {
                client.recorded().record(client.invocation(AGENT, PROVIDER, i % 2 == 0, 30_000));
            }
        }
    }

    @BeforeEach
    void reset() {
        written.clear();
        system.meter().reset();
    }

    @Test
    @Tag("SN-05")
    void an_invocation_writes_five_items_of_two_units_each() {
        Invocation invocation = client.invocation(AGENT, PROVIDER, true, 30_000);
        system.meter().reset();
        new RecordedInvocations(system, counting).record(invocation);
        assertThat(system.meter().operations()).containsExactly("TransactWriteItems");
        assertThat(system.meter().indexUnits()).isZero();
        assertThat(written)
                .as("two items of figures, two of the log, the calls of the caller, and the idempotency record")
                .containsExactly(5 + 1);
        assertEveryItemIsSmall();
        written.clear();
        new RecordedInvocations(system, counting).record(client.invocation("without", "", true, 30_000));
        assertThat(written).as("no item of a provider without one").containsExactly(3 + 1);
    }

    @Test
    @Tag("SN-02")
    void evidence_of_a_coordinator_s_batch_writes_three_items_of_two_units_each() {
        OutcomeClient outcomes = new OutcomeClient(system, system.apiThrough(counting));
        String[] batch = Collections.nCopies(
                        500, OutcomeClient.successAt(system.clock().instant()))
                .toArray(String[]::new);
        outcomes.send(TestSystem.COORDINATOR_KEY, AGENT, "{}");
        system.meter().reset();
        outcomes.report(TestSystem.COORDINATOR_KEY, agent, "b-1", batch);
        assertThat(system.meter().operations())
                .as("then the end of an agent is read, if it must not be active")
                .startsWith("BatchGetItem", "Query", "TransactWriteItems", "UpdateItem");
        assertThat(written).as("the mark, and two items of figures").containsExactly(3);
        assertEveryItemIsSmall();
        outcomes.report(TestSystem.COORDINATOR_KEY, agent, "b-2", "{\"result\":\"trigger_failure\"}");
        outcomes.report(agent, "b-3", batch);
        assertThat(written).as("outcomes without evidence cost nothing").hasSize(1);
        TestAgent without = client.newAgent("without", "");
        written.clear();
        outcomes.report(TestSystem.COORDINATOR_KEY, without, "b-4", OutcomeClient.SUCCESS);
        assertThat(written).as("the mark, and one item of figures").containsExactly(2);
    }

    @Test
    @Tag("SN-01")
    @Tag("SN-05")
    void an_agent_s_record_costs_the_agent_one_query_and_its_block() {
        client.healthOfAgent(AGENT);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query");
        assertThat(system.meter().calls().get(1).units()).isLessThanOrEqualTo(2);
        assertThat(system.meter().readUnits())
                .as("keys without an item are charged as well")
                .isLessThanOrEqualTo(7);
        system.meter().reset();
        client.trustOfAgent(AGENT);
        assertThat(system.meter().operations())
                .containsExactlyInAnyOrder("BatchGetItem", "GetItem", "BatchGetItem", "Query");
        assertThat(system.meter().readUnits()).as("one request reads the stops").isLessThanOrEqualTo(9);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    @Tag("SN-01")
    void a_list_of_trust_records_reads_profiles_only_of_agents_that_changed_since_they_registered() {
        TestAgent changing = client.newAgent("changing", "");
        JsonNode asRegistered = client.trustOfAgent("changing");
        assertThat(listed(1)).contains(asRegistered);
        changing.becomeUnhealthy();
        assertThat(listed(2)).contains(asRegistered);
    }

    /** The trust records of all agents, read with this number of batches: the blocks, and profiles if any. */
    private List<JsonNode> listed(int batches) {
        system.meter().reset();
        List<JsonNode> items = new ArrayList<>();
        client.read("/v1/trust/agents").path("items").forEach(items::add);
        assertThat(system.meter().operations().stream().filter("BatchGetItem"::equals))
                .hasSize(batches);
        return items;
    }

    @Test
    @Tag("SN-08")
    void a_provider_s_record_costs_sixteen_queries_of_one_unit() {
        client.healthOfProvider(PROVIDER);
        assertThat(system.meter().operations()).hasSize(17).contains("GetItem");
        assertThat(system.meter().readUnits()).isEqualTo(17);
    }

    @Test
    @Tag("SN-03")
    void a_decision_and_its_event_are_one_transaction() {
        new TrustClient(system, system.apiThrough(counting)).block("agents/" + AGENT, "x".repeat(500));
        assertThat(written)
                .as("the block, its place in the list, the event, the agent's row, and the entry of the audit log")
                .containsExactly(5);
    }

    @Test
    @Tag("SN-03")
    void blocks_are_read_consistently_at_twice_the_cost() {
        client.block("agents/" + AGENT, "why");
        client.block("providers/" + PROVIDER, "why");
        system.meter().reset();
        new BlockStore(system.database()).of(AGENT, Set.of(PROVIDER));
        assertThat(system.meter().operations()).containsExactly("BatchGetItem");
        assertThat(system.meter().readUnits()).as("two blocks and the stops").isEqualTo(3);
    }

    private void assertEveryItemIsSmall() {
        for (TrustSubject subject : List.of(new OfAgent(AGENT), new OfProvider(PROVIDER))) {
            assertThat(client.recorded().sizes(subject))
                    .allSatisfy(bytes -> assertThat(bytes).isLessThan(256));
        }
    }
}
