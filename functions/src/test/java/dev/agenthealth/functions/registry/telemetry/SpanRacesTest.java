package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

/** Each span counts once, with concurrent requests whose spans overlap, and with expectations that change meanwhile. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpanRacesTest {

    private static final int SENDERS = 8;
    private static final int SPANS = 300;

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private final ExecutorService threads = Executors.newFixedThreadPool(SENDERS);

    @AfterAll
    void close() {
        threads.shutdownNow();
        system.close();
    }

    @RepeatedTest(3)
    void overlapping_requests_count_each_span_once() throws Exception {
        TestAgent agent = client.newAgent();
        Instant now = system.clock().instant();
        List<Future<?>> senders = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            Random random = new Random(sender);
            senders.add(threads.submit(() -> {
                for (int from = 0; from < SPANS; ) {
                    int count = Math.min(SPANS - from, 1 + random.nextInt(random.nextBoolean() ? 10 : 120));
                    String[] spans = new String[count];
                    for (int i = 0; i < count; i++) {
                        spans[i] = span(from + i + 1, now, "Planner");
                    }
                    Response response = client.send(agent, spans);
                    if (response.status() == 200) {
                        from += count;
                    }
                    if (random.nextInt(4) == 0) {
                        changeExpectations(agent, 100 + random.nextInt(900));
                    }
                }
            }));
        }
        for (Future<?> sender : senders) {
            sender.get(120, TimeUnit.SECONDS);
        }
        assertThat(client.executions(agent)).isEqualTo(SPANS);
    }

    private void changeExpectations(TestAgent agent, int runtimeMs) {
        system.api()
                .patch("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"expectations\":{\"runtime_ms\":" + runtimeMs + "}}")
                .send();
    }
}
