package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.trust.RecordedInvocations;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every field of a health record (ServiceNet, Health record fields), right after each invocation. */
@Tag("SN-05")
@Tag("SN-06")
class InvocationHealthTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);
    private final Instant start = system.clock().instant();

    @Test
    void before_the_first_invocation_the_status_is_unknown() {
        client.newAgent("a", "p");
        client.newAgent("b", "");
        assertThat(client.healthOfAgent("a"))
                .isEqualTo(json(
                        """
                {"agent_id":"a","provider_id":"p","lifecycle_status":"active","status":"unknown","last_seen_at":null,"last_latency_ms":null,
                 "success_count":0,"failure_count":0,"success_rate":0,"updated_at":"%s"}
                """,
                        Timestamps.text(start)));
        assertThat(client.healthOfAgent("a").fieldNames())
                .toIterable()
                .containsExactly(
                        "agent_id",
                        "provider_id",
                        "lifecycle_status",
                        "status",
                        "last_seen_at",
                        "last_latency_ms",
                        "success_count",
                        "failure_count",
                        "success_rate",
                        "updated_at");
        assertThat(client.healthOfAgent("b").path("provider_id").isNull()).isTrue();
        assertThat(client.healthOfProvider("p"))
                .isEqualTo(json(
                        """
                {"provider_id":"p","status":"unknown","last_seen_at":null,"last_latency_ms":null,
                 "success_count":0,"failure_count":0,"success_rate":0,"updated_at":"%s"}
                """,
                        Timestamps.text(start)));
    }

    @Test
    @Tag("SN-10")
    void every_invocation_is_in_the_record_immediately() {
        client.newAgent("a", "p");
        int successes = 0;
        for (int i = 1; i <= 40; i++) {
            system.clock().advanceSeconds(1);
            boolean success = i % 4 != 0;
            successes += success ? 1 : 0;
            client.recorded().record(client.invocation("a", "p", success, 100 + i));
            JsonNode expected = json(
                    """
                    {"agent_id":"a","provider_id":"p","lifecycle_status":"active","status":"%s","last_seen_at":"%s","last_latency_ms":%d,
                     "success_count":%d,"failure_count":%d,"success_rate":%s,"updated_at":"%s"}
                    """,
                    i < 4 ? "online" : "degraded",
                    Timestamps.text(start.plusSeconds(i)),
                    100 + i,
                    successes,
                    i - successes,
                    rate(successes, i),
                    Timestamps.text(start.plusSeconds(i)));
            assertThat(client.healthOfAgent("a")).isEqualTo(expected);
            assertThat(client.read("/v1/health/agents").path("items")).containsExactly(expected);
            JsonNode provider = expected.deepCopy();
            ((ObjectNode) provider).remove(List.of("agent_id", "lifecycle_status"));
            assertThat(client.healthOfProvider("p")).isEqualTo(provider);
            assertThat(client.read("/v1/health/providers").path("items")).containsExactly(provider);
        }
    }

    @Test
    @Tag("SN-08")
    void a_provider_s_record_covers_all_its_agents() {
        client.newAgent("a", "p");
        client.newAgent("b", "p");
        client.newAgent("c", "q");
        client.newAgent("d", "");
        client.invoke("a", "p", "+++");
        client.invoke("c", "q", "-");
        client.invoke("d", "", "-");
        client.invoke("b", "p", "----");
        assertThat(figures(client.healthOfProvider("p"))).isEqualTo("degraded 3 4 0.429");
        assertThat(figures(client.healthOfProvider("q"))).isEqualTo("offline 0 1 0");
        assertThat(figures(client.healthOfAgent("a"))).isEqualTo("online 3 0 1");
        assertThat(figures(client.healthOfAgent("b"))).isEqualTo("offline 0 4 0");
        assertThat(figures(client.healthOfAgent("d"))).isEqualTo("offline 0 1 0");
        assertThat(client.trustOfProvider("p").path("reputation_score").asText())
                .isEqualTo("0.2424");
    }

    @Test
    @Tag("SN-08")
    void earlier_invocations_stay_with_the_provider_when_the_agent_changes_it() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "++");
        assertThat(client.change("a", "{\"provider_id\":\"q\"}").status()).isEqualTo(200);
        client.invoke("a", "q", "-");
        assertThat(figures(client.healthOfProvider("p"))).isEqualTo("online 2 0 1");
        assertThat(figures(client.healthOfProvider("q"))).isEqualTo("offline 0 1 0");
        assertThat(figures(client.healthOfAgent("a"))).isEqualTo("degraded 2 1 0.667");
        assertThat(client.healthOfAgent("a").path("provider_id").asText()).isEqualTo("q");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "+,                         online",
        "-,                         offline",
        "+-,                        degraded",
        "-------------------+,      degraded",
        "-----++++++++++++++++++++, online",
        "-+++++++++++++++++++,      online",
        "--++++++++++++++++++,      degraded",
        "+--------------------,     offline"
    })
    void the_last_20_invocations_determine_the_status(String results, String status) {
        client.newAgent("a", "p");
        client.invoke("a", "p", results);
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo(status);
        assertThat(client.healthOfProvider("p").path("status").asText()).isEqualTo(status);
    }

    @Test
    void the_log_of_a_busy_provider_is_read_in_the_order_of_time() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "-".repeat(80));
        assertThat(client.healthOfProvider("p").path("status").asText()).isEqualTo("offline");
        client.invoke("a", "p", "+".repeat(19));
        assertThat(client.healthOfProvider("p").path("status").asText()).isEqualTo("online");
        client.invoke("a", "p", "--");
        assertThat(client.healthOfProvider("p").path("status").asText()).isEqualTo("degraded");
        client.invoke("a", "p", "+".repeat(20));
        assertThat(client.healthOfProvider("p").path("status").asText()).isEqualTo("online");
    }

    @Test
    void a_slow_agent_is_degraded_if_it_declared_a_latency() {
        client.newAgent("a", "p", ",\"expectations\":{\"baseline_latency_ms\":100}");
        client.newAgent("b", "q");
        client.recorded().record(client.invocation("a", "p", true, 301));
        client.recorded().record(client.invocation("b", "q", true, 301));
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo("degraded");
        assertThat(client.healthOfAgent("b").path("status").asText()).isEqualTo("online");
    }

    @Test
    void a_provider_is_degraded_if_most_calls_exceed_the_latency_of_their_agents() {
        client.newAgent("a", "p", ",\"expectations\":{\"baseline_latency_ms\":100}");
        client.newAgent("b", "p", ",\"expectations\":{\"baseline_latency_ms\":1000}");
        client.newAgent("c", "p");
        for (String id : new String[] {"a", "a", "a", "b", "c"}) {
            system.clock().advanceSeconds(1);
            client.recorded().record(client.invocation(id, "p", true, 301));
        }
        assertThat(client.healthOfProvider("p").path("status").asText())
                .as("three of five are too slow")
                .isEqualTo("degraded");
        client.recorded().record(client.invocation("c", "p", true, 30_000));
        assertThat(client.healthOfProvider("p").path("status").asText())
                .as("an agent that declares no latency is never too slow")
                .isEqualTo("online");
        system.clock().advance(Duration.ofDays(40));
        client.recorded().record(client.invocation("a", "p", true, 301));
        client.recorded().removeLog(new OfProvider("p"));
        assertThat(client.healthOfProvider("p").path("status").asText())
                .as("the last call is kept with its limit")
                .isEqualTo("degraded");
    }

    @Test
    void the_record_of_an_agent_shows_its_lifecycle_status() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "+");
        assertThat(client.healthOfAgent("a").path("lifecycle_status").asText()).isEqualTo("active");
        new TestAgent(system, "a").deregister();
        assertThat(client.healthOfAgent("a").path("lifecycle_status").asText()).isEqualTo("deregistered");
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo("online");
        assertThat(client.healthOfProvider("p").has("lifecycle_status")).isFalse();
    }

    @Test
    void the_status_does_not_change_without_invocations() {
        client.newAgent("a", "p");
        client.newAgent("b", "q");
        client.invoke("a", "p", "++-");
        client.invoke("b", "q", "--");
        Instant last = system.clock().instant();
        for (int days : new int[] {1, 5, 23, 2, 400}) {
            system.clock().advance(Duration.ofDays(days));
            assertThat(figures(client.healthOfAgent("a"))).isEqualTo("degraded 2 1 0.667");
            assertThat(figures(client.healthOfProvider("p"))).isEqualTo("degraded 2 1 0.667");
            assertThat(figures(client.healthOfAgent("b"))).isEqualTo("offline 0 2 0");
            assertThat(client.healthOfAgent("b").path("last_seen_at").asText()).isEqualTo(Timestamps.text(last));
            assertThat(client.healthOfAgent("b").path("last_latency_ms").asInt())
                    .isEqualTo(100);
        }
        RecordedInvocations recorded = client.recorded();
        for (OfAgent agent : new OfAgent[] {new OfAgent("a"), new OfAgent("b")}) {
            recorded.removeLog(agent);
        }
        recorded.removeLog(new OfProvider("p"));
        assertThat(figures(client.healthOfAgent("b"))).isEqualTo("offline 0 2 0");
        assertThat(figures(client.healthOfProvider("p"))).isEqualTo("degraded 2 1 0.667");
    }

    @Test
    void expired_items_are_ignored_whether_or_not_they_are_removed() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "+".repeat(39) + "-");
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo("online");
        system.clock().advance(Duration.ofDays(31));
        JsonNode agent = client.healthOfAgent("a");
        JsonNode provider = client.healthOfProvider("p");
        client.recorded().removeLog(new OfAgent("a"));
        client.recorded().removeLog(new OfProvider("p"));
        assertThat(client.healthOfAgent("a")).isEqualTo(agent);
        assertThat(client.healthOfProvider("p")).isEqualTo(provider);
    }

    @Test
    void an_invocation_recorded_late_does_not_move_the_last_time_back() {
        client.newAgent("a", "p");
        var early = client.invocation("a", "p", false, 7);
        system.clock().advanceSeconds(5);
        var late = client.invocation("a", "p", true, 8);
        client.recorded().record(late);
        client.recorded().record(early);
        assertThat(client.healthOfAgent("a").path("last_seen_at").asText()).isEqualTo(Timestamps.text(late.at()));
        assertThat(client.healthOfAgent("a").path("last_latency_ms").asInt()).isEqualTo(8);
        assertThat(client.healthOfProvider("p").path("last_latency_ms").asInt()).isEqualTo(8);
    }

    @Test
    @Tag("SN-03")
    void a_block_does_not_change_the_figures_of_invocations() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "++-");
        JsonNode before = client.healthOfAgent("a");
        client.block("agents/a", "why");
        assertThat(client.healthOfAgent("a")).isEqualTo(before);
        client.invoke("a", "p", "+");
        assertThat(client.trustOfAgent("a").path("blocked").booleanValue())
                .as("an invocation that was running does not end a block")
                .isTrue();
    }

    private static String figures(JsonNode record) {
        return record.path("status").asText() + " "
                + record.path("success_count").asText() + " "
                + record.path("failure_count").asText() + " "
                + record.path("success_rate").asText();
    }

    private static String rate(int successes, int all) {
        return new BigDecimal(successes)
                .divide(new BigDecimal(all), 3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static JsonNode json(String text, Object... values) {
        return Json.stored(text.formatted(values));
    }
}
