package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.window.Slice;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A repeated batch is counted once, in the slices of its outcomes, after any failure of the first request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class OutcomeRetryTest {

    /** The shortest window, with slices of 10 seconds. */
    private static final int WINDOW = 300;

    /** More writes than a batch of this test has. */
    private static final int MANY = 100;

    /** More failures than are retried. */
    private static final int LASTING = 3_000;

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @BeforeEach
    void startAtTheBeginningOfASlice() {
        system.clock().advanceSeconds(10 - system.clock().instant().getEpochSecond() % 10);
    }

    @AfterEach
    void heal() {
        system.faults().clear();
    }

    @AfterAll
    void close() {
        system.close();
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    void after_a_failure_of_any_write_a_retry_completes_the_batch(WriteFailure way) {
        int k = 1;
        while (k < MANY && wentWrong(k, way)) {
            k++;
        }
        assertThat(k - 1).as("writes: the arrival, three slices").isEqualTo(4);
    }

    /** Sends a batch that fails at its k-th write, and repeats it; returns whether there was a k-th write. */
    private boolean wentWrong(int k, WriteFailure way) {
        String run = way + " at write " + k;
        TestAgent agent = newAgent();
        StoredOutcomes stored = client.stored(agent);
        Instant now = system.clock().instant();
        stored.settle(now.plusSeconds(36_000));
        String[] outcomes = {
            SUCCESS,
            SUCCESS,
            successAt(now.minusSeconds(60)),
            successAt(now.minusSeconds(500)),
            "{\"result\":\"failure\"}"
        };
        TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(k, way);
        OutcomeClient broken = new OutcomeClient(system, system.apiThrough(crashing));
        try {
            Response response = broken.report(agent, "b-1", outcomes);
            boolean refused = way == WriteFailure.IS_REJECTED && crashing.hasFailed();
            assertThat(response.status()).as(run).isEqualTo(refused ? 500 : 202);
            if (!refused) {
                assertThat(response.json().path("duplicate").booleanValue())
                        .as(run)
                        .isFalse();
            }
        } catch (Crash e) {
            assertThat(way).as(run).isNotIn(WriteFailure.IS_REJECTED, WriteFailure.LOSES_RESPONSE);
        }
        system.clock().advanceSeconds(25);
        Response again = client.report(agent, "b-1", outcomes);
        assertThat(again.status()).as(run).isEqualTo(202);
        assertThat(again.json().path("accepted").intValue()).as(run).isEqualTo(5);

        assertThat(stored.total().successes()).as(run).isEqualTo(4);
        assertThat(stored.total().failures()).as(run).isEqualTo(1);
        assertThat(stored.isDue()).as(run).isTrue();
        assertThat(stored.changed()).as(run).contains(slice(now.minusSeconds(500)));
        boolean arrivedBefore = !(k == 1 && (way == WriteFailure.CRASHES_BEFORE || way == WriteFailure.IS_REJECTED));
        assertThat(stored.bySlice())
                .as(run)
                .containsOnlyKeys(
                        slice(now.minusSeconds(500)),
                        slice(now.minusSeconds(60)),
                        slice(arrivedBefore ? now : now.plusSeconds(25)));
        assertAccepted(client.report(agent, "b-1", outcomes), 5, true);
        return crashing.hasFailed();
    }

    @Test
    void outcomes_without_a_time_have_the_time_of_the_batch_s_first_arrival() {
        TestAgent agent = newAgent();
        Instant arrived = system.clock().instant();
        assertAccepted(client.report(agent, "b-1", SUCCESS, SUCCESS), 2, false);
        for (int seconds : new int[] {10, 60, 500, 1_000, 80_000}) {
            system.clock().advanceSeconds(seconds);
            assertAccepted(client.report(agent, "b-1", SUCCESS, SUCCESS), 2, true);
        }
        assertThat(client.stored(agent).bySlice()).containsOnlyKeys(slice(arrived));
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    @Test
    void an_expired_batch_is_new_even_if_it_is_not_removed_yet() {
        TestAgent agent = newAgent();
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        system.clock().advanceSeconds(2 * WINDOW + 86_400);
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        assertThat(client.stored(agent).bySlice())
                .containsKey(slice(system.clock().instant()))
                .hasSize(2);
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, true);
    }

    @Test
    void a_lost_response_of_the_storage_is_not_reported_as_duplicate() {
        TestAgent agent = newAgent();
        system.faults().loseAnswerOf(PutItemRequest.class);
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    @Test
    void throttled_writes_are_retried() {
        TestAgent agent = newAgent();
        for (int i = 0; i < 4; i++) {
            system.faults().throttleOn(UpdateItemRequest.class);
        }
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
    }

    @Test
    void a_busy_storage_causes_503_and_the_batch_is_accepted_later() {
        TestAgent agent = newAgent();
        for (int i = 0; i < LASTING; i++) {
            system.faults().throttleOn(UpdateItemRequest.class);
        }
        Response busy = client.report(agent, "b-1", SUCCESS);
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("Retry-After")).isEqualTo("1");
        system.faults().clear();
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    private static Slice slice(Instant at) {
        return new Slice(Math.floorDiv(at.getEpochSecond(), 10) * 10, 10);
    }

    private TestAgent newAgent() {
        return client.newAgent("agent_" + agents++, WINDOW);
    }
}
