package dev.agenthealth.functions.health.trust;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.times;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What changes a reputation, and what does not. */
@Tag("SN-02")
class ReputationTest {

    private static final String FAILURE = "{\"result\":\"failure\"}";
    private static final String TRIGGER_FAILURE = "{\"result\":\"trigger_failure\"}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);
    private final OutcomeClient outcomes = new OutcomeClient(system);

    @Test
    void invocations_change_the_reputation_immediately() {
        client.newAgent("a", "p");
        String[] expected = {"0.5455", "0.5833", "0.4118", "0.4444", "0.3478"};
        for (int i = 0; i < expected.length; i++) {
            client.invoke("a", "p", "++-+-".substring(i, i + 1));
            assertThat(ofAgent("a")).isEqualTo(expected[i]);
            assertThat(ofProvider("p")).isEqualTo(expected[i]);
        }
    }

    @Test
    @Tag("SN-08")
    void outcomes_reported_by_coordinators_count_for_agent_and_provider() {
        TestAgent agent = client.newAgent("a", "p");
        TestAgent without = client.newAgent("b", "");
        assertAccepted(report(TestSystem.COORDINATOR_KEY, agent, "b-1", times(10, SUCCESS)), 10, false);
        assertThat(ofAgent("a")).isEqualTo("0.75");
        assertThat(ofProvider("p")).isEqualTo("0.75");
        assertAccepted(report(TestSystem.ADMINISTRATOR_KEY, agent, "b-1", FAILURE, TRIGGER_FAILURE), 2, false);
        assertThat(ofAgent("a")).as("a failed trigger does not count").isEqualTo("0.6");
        assertAccepted(report(TestSystem.COORDINATOR_KEY, without, "b-1", FAILURE), 1, false);
        assertThat(ofAgent("b")).isEqualTo("0.3333");
        assertThat(ofProvider("p")).isEqualTo("0.6");
        assertThat(client.healthOfAgent("a").path("status").asText())
                .as("health records count only the gateway's invocations")
                .isEqualTo("unknown");
        assertThat(client.trustOfAgent("a").path("updated_at").asText())
                .isEqualTo(Timestamps.text(system.clock().instant()));
    }

    @Test
    void self_reported_outcomes_do_not_change_the_reputation() {
        TestAgent agent = client.newAgent("a", "p");
        system.clock().advanceSeconds(1);
        JsonNode before = client.trustOfAgent("a");
        assertAccepted(outcomes.report(agent, "b-1", times(500, SUCCESS)), 500, false);
        assertAccepted(outcomes.report(agent, "b-2", times(500, FAILURE)), 500, false);
        assertThat(agent.sendHeartbeat("active", "," + OutcomeClient.batch("b-3", times(100, SUCCESS)))
                        .json()
                        .path("outcomes")
                        .path("accepted")
                        .asInt())
                .isEqualTo(100);
        assertThat(client.trustOfAgent("a")).isEqualTo(before);
        assertThat(ofProvider("p")).isEqualTo("0.5");
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo("unknown");
        assertThat(outcomes.stored(agent).total().executions())
                .as("the health counts them")
                .isEqualTo(1_100);
    }

    @Test
    void a_repeated_batch_counts_once() {
        TestAgent agent = client.newAgent("a", "p");
        for (int i = 0; i < 5; i++) {
            assertAccepted(report(TestSystem.COORDINATOR_KEY, agent, "b-1", times(10, SUCCESS)), 10, i > 0);
            system.clock().advance(Duration.ofHours(6));
        }
        report(TestSystem.COORDINATOR_KEY, agent, "b-2", FAILURE);
        assertThat(client.recorded().of(new OfAgent("a")).evidence())
                .isEqualTo(client.recorded().of(new OfProvider("p")).evidence());
        assertThat(ofProvider("p")).isEqualTo(ofAgent("a"));
    }

    @Test
    void a_batch_repeated_after_a_change_of_the_window_counts_once() {
        TestAgent agent = client.newAgent("a", "p", ",\"expectations\":{\"window_seconds\":300}");
        Instant reported = system.clock().instant();
        String[] batch = times(10, successAt(reported));
        report(TestSystem.COORDINATOR_KEY, agent, "b-1", batch);
        // Outcomes of a week are then accepted for two weeks.
        assertThat(client.change("a", "{\"expectations\":{\"window_seconds\":604800}}")
                        .status())
                .isEqualTo(200);
        EvidenceSums once = client.recorded().of(new OfAgent("a")).evidence();
        for (Duration later : List.of(Duration.ofDays(2), Duration.ofDays(12).minusSeconds(1))) {
            system.clock().advance(later);
            report(TestSystem.COORDINATOR_KEY, agent, "b-1", batch);
            assertThat(client.recorded().of(new OfAgent("a")).evidence()).isEqualTo(once);
            assertThat(client.recorded().of(new OfProvider("p")).evidence()).isEqualTo(once);
        }
        system.clock().advanceSeconds(2);
        assertAccepted(report(TestSystem.COORDINATOR_KEY, agent, "b-1", batch), 10, true);
        system.clock().advance(Duration.ofHours(5));
        assertThat(report(TestSystem.COORDINATOR_KEY, agent, "b-1", batch).status())
                .as("a batch is remembered until its outcomes are too old to be accepted")
                .isEqualTo(400);
    }

    @Test
    void evidence_has_half_its_weight_after_30_days() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "++++++++++");
        assertThat(ofAgent("a")).isEqualTo("0.75");
        system.clock().advance(Duration.ofDays(30));
        assertThat(ofAgent("a")).isEqualTo("0.6667");
        assertThat(ofProvider("p")).isEqualTo("0.6667");
        client.invoke("a", "p", "+++++");
        assertThat(ofAgent("a")).isEqualTo("0.75");
        system.clock().advance(Duration.ofDays(360));
        assertThat(ofAgent("a")).isEqualTo("0.5001");
        system.clock().advance(Duration.ofDays(2_000));
        assertThat(ofAgent("a")).isEqualTo("0.5");
        assertThat(client.healthOfAgent("a").path("success_count").asInt())
                .as("counts do not change")
                .isEqualTo(15);
    }

    @Test
    void the_weight_of_a_reported_outcome_depends_on_when_it_occurred() {
        TestAgent agent = client.newAgent("a", "p", ",\"expectations\":{\"window_seconds\":604800}");
        Instant tenDaysAgo = system.clock().instant().minus(Duration.ofDays(10));
        report(TestSystem.COORDINATOR_KEY, agent, "b-1", times(10, successAt(tenDaysAgo)));
        // 10 x 2^(-10/30) = 7.937
        assertThat(ofAgent("a")).isEqualTo("0.7212");
    }

    @Test
    void registering_again_does_not_reset_the_reputation() {
        TestAgent agent = client.newAgent("a", "p");
        client.invoke("a", "p", "----");
        String before = ofAgent("a");
        agent.deregister();
        assertThat(agent.register(",\"provider_id\":\"p\"").status()).isEqualTo(201);
        assertThat(ofAgent("a")).isEqualTo(before).isEqualTo("0.1667");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(agent.register(",\"provider_id\":\"p\"").status()).isEqualTo(201);
        assertThat(ofAgent("a")).isEqualTo(before);
    }

    private Response report(String key, TestAgent agent, String batchId, String... batch) {
        return outcomes.report(key, agent, batchId, batch);
    }

    private String ofAgent(String id) {
        return client.trustOfAgent(id).path("reputation_score").asText();
    }

    private String ofProvider(String id) {
        return client.trustOfProvider(id).path("reputation_score").asText();
    }
}
