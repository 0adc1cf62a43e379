package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.batch;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.mistakes;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An execution counts once: not again with the gateway's own record, and not under a batch id that stands for other outcomes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class CountedOnceTest {

    private static final int WINDOW = 300;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @BeforeEach
    void startAtTheBeginningOfASlice() {
        system.clock().advanceSeconds(10 - system.clock().instant().getEpochSecond() % 10);
    }

    @Test
    void an_outcome_that_names_a_receipt_of_the_agent_is_not_counted() {
        TestAgent agent = newAgent();
        receipt("rcpt_running", agent);
        receipt("rcpt_done", agent);
        finish("rcpt_done", InvocationFailure.TASK_FAILED);
        Response response =
                client.report(agent, "b-1", SUCCESS, naming("rcpt_running"), naming("rcpt_done"), naming("rcpt_done"));
        assertThat(response.json().toString())
                .isEqualTo("{\"accepted\":4,\"duplicate\":false,\"counted_by_gateway\":3}");
        assertThat(client.stored(agent).total().executions()).isEqualTo(1);
        assertThat(client.report(
                                agent, "b-1", SUCCESS, naming("rcpt_running"), naming("rcpt_done"), naming("rcpt_done"))
                        .json()
                        .path("duplicate")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void a_batch_in_which_all_outcomes_name_receipts_of_the_agent_changes_nothing() {
        TestAgent agent = newAgent();
        receipt("rcpt_only", agent);
        Response response = client.report(TestSystem.COORDINATOR_KEY, agent, "b-1", naming("rcpt_only"));
        assertThat(response.json().toString())
                .isEqualTo("{\"accepted\":1,\"duplicate\":false,\"counted_by_gateway\":1}");
        assertThat(client.stored(agent).parts()).isEmpty();
        assertThat(evidenceItems(agent)).isZero();
    }

    @Test
    void outcomes_in_a_heartbeat_name_receipts_as_well() {
        TestAgent agent = newAgent();
        receipt("rcpt_beat", agent);
        JsonNode answer = agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS, naming("rcpt_beat")))
                .json();
        assertThat(answer.at("/outcomes/counted_by_gateway").intValue())
                .as(answer.toString())
                .isEqualTo(1);
        assertThat(client.stored(agent).total().executions()).isEqualTo(1);
    }

    @Test
    void an_outcome_counts_where_its_receipt_is_unknown_or_expired_or_not_counted_by_the_gateway() {
        TestAgent agent = newAgent();
        receipt("rcpt_blocked", agent);
        finish("rcpt_blocked", InvocationFailure.INTERRUPTED);
        receipt("rcpt_old", agent);
        assertAccepted(client.report(agent, "b-1", naming("rcpt_blocked"), naming("rcpt_unknown")), 2, false);
        system.clock().advance(Receipt.RETENTION);
        assertAccepted(client.report(agent, "b-2", naming("rcpt_old")), 1, false);
        assertThat(client.stored(agent).total().executions()).isEqualTo(3);
    }

    @Test
    void a_receipt_of_another_agent_is_refused_and_named() {
        TestAgent agent = newAgent();
        receipt("rcpt_other", newAgent());
        Response response = client.report(agent, "b-1", SUCCESS, naming("rcpt_other"), naming("rcpt ?"));
        assertThat(mistakes(response)).containsExactly("outcomes[2].receipt_id");
        response = client.report(agent, "b-1", SUCCESS, naming("rcpt_other"));
        assertThat(mistakes(response)).containsExactly("outcomes[1].receipt_id");
        assertThat(client.stored(agent).parts()).isEmpty();
    }

    @Test
    void a_batch_names_at_most_a_hundred_receipts_and_they_cost_one_request() {
        TestAgent agent = newAgent();
        String[] outcomes =
                IntStream.range(0, 101).mapToObj(i -> naming("r-" + i)).toArray(String[]::new);
        assertThat(mistakes(client.report(agent, "b-1", outcomes))).containsExactly("outcomes");
        system.meter().reset();
        assertAccepted(client.report(agent, "b-1", Arrays.copyOf(outcomes, 100)), 100, false);
        assertThat(system.meter().operations())
                .containsExactly("BatchGetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem");
    }

    @Test
    void a_batch_id_used_again_with_other_content_is_refused() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        assertAccepted(client.report(agent, "timed", successAt(now, 5)), 1, false);
        for (String[] other : List.of(
                new String[] {successAt(now, 6)},
                new String[] {successAt(now, 5), successAt(now, 5)},
                new String[] {successAt(now.plusMillis(1), 5)},
                new String[] {successAt(now.minusSeconds(60)), successAt(now, 5)})) {
            assertReused(client.report(agent, "timed", other));
        }
        assertAccepted(client.report(agent, "timed", successAt(now, 5)), 1, true);

        assertAccepted(client.report(agent, "untimed", SUCCESS), 1, false);
        system.clock().advanceSeconds(60);
        assertReused(client.report(agent, "untimed", SUCCESS, SUCCESS));
        assertAccepted(client.report(agent, "untimed", SUCCESS), 1, true);
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    @Test
    void a_reused_batch_id_costs_no_heartbeat() {
        TestAgent agent = newAgent();
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        Response response = agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS, SUCCESS));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/outcomes/status_code").intValue()).isEqualTo(422);
        assertThat(response.json().at("/outcomes/error").textValue()).isEqualTo("batch_id_reused");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    @Test
    void a_coordinators_batch_id_used_again_in_other_slices_is_refused() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String key = TestSystem.COORDINATOR_KEY;
        assertAccepted(client.report(key, agent, "b-1", successAt(now)), 1, false);
        assertReused(client.report(key, agent, "b-1", successAt(now.minusSeconds(100))));
        assertAccepted(client.report(key, agent, "b-1", successAt(now)), 1, true);
        assertAccepted(client.report(agent, "b-1", successAt(now.minusSeconds(100))), 1, false);
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    @Test
    void a_counted_batch_is_a_duplicate_before_its_age_is_looked_at() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String[] outcomes = {successAt(now), successAt(now.minusSeconds(2 * WINDOW))};
        assertAccepted(client.report(agent, "b-1", outcomes), 2, false);
        system.clock().advanceSeconds(2 * WINDOW + 60);
        assertAccepted(client.report(agent, "b-1", outcomes), 2, true);
        assertThat(mistakes(client.report(agent, "b-2", outcomes)))
                .containsExactly("outcomes[0].occurred_at", "outcomes[1].occurred_at");
        assertThat(mistakes(client.report(agent, "b-1", outcomes[0], successAt(now.minusSeconds(100)))))
                .as("the same id with other content")
                .containsExactly("outcomes[0].occurred_at", "outcomes[1].occurred_at");
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    @Test
    void a_batch_without_times_that_is_refused_leaves_no_arrival() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String key = TestSystem.COORDINATOR_KEY;
        assertAccepted(client.report(agent, "b-1", successAt(now)), 1, false);
        assertAccepted(client.report(key, agent, "b-1", successAt(now.minusSeconds(100))), 1, false);
        TableContents before = TableContents.of(system.tables());
        assertReused(client.report(agent, "b-1", SUCCESS));
        assertReused(client.report(agent, "b-1", SUCCESS, successAt(now.minusSeconds(60))));
        assertReused(client.report(key, agent, "b-1", SUCCESS));
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @Test
    void a_retry_is_recognised_beside_another_batch_of_its_id() {
        TestAgent agent = newAgent();
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        system.clock().advanceSeconds(60);
        assertAccepted(client.report(agent, "b-1", successAt(system.clock().instant())), 1, false);
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, true);
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    private static void assertReused(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(422);
        assertThat(response.json().path("error").textValue()).isEqualTo("batch_id_reused");
    }

    private void receipt(String id, TestAgent agent) {
        new ReceiptStore(system.database())
                .create(Receipt.synchronous(
                        id,
                        agent.id(),
                        "key",
                        Duration.ofSeconds(5),
                        TraceContext.NONE,
                        system.clock().instant(),
                        Duration.ofSeconds(30)));
    }

    private void finish(String id, InvocationFailure failure) {
        ReceiptStore receipts = new ReceiptStore(system.database());
        Receipt receipt = receipts.find(id).orElseThrow();
        Instant now = system.clock().instant();
        CallResult result = CallResult.failure(failure, now, 1);
        assertThat(
                        failure.isTheAgents()
                                ? receipts.finish(
                                        receipt,
                                        result,
                                        new Invocation(
                                                id,
                                                receipt.agentId(),
                                                "",
                                                "key",
                                                new Call(false, 1, Call.NO_LIMIT, now),
                                                EvidenceScope.REPUTATION))
                                : receipts.abandon(receipt, result))
                .isTrue();
    }

    private long evidenceItems(TestAgent agent) {
        return system.tables().dynamoDb().scanPaginator(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                .filter(item -> Values.text(item, "pk").equals("A#" + agent.id())
                        && Values.text(item, "sk").startsWith("D#"))
                .count();
    }

    private static String naming(String receiptId) {
        return "{\"result\":\"success\",\"receipt_id\":\"" + receiptId + "\"}";
    }

    private TestAgent newAgent() {
        return client.newAgent("agent_" + agents++, WINDOW);
    }
}
