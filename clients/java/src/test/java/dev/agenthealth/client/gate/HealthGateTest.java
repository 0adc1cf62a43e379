package dev.agenthealth.client.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate and an agent that serves its document over HTTP. */
@Tag("AHS-17")
@Timeout(60)
class HealthGateTest {

    private static final Instant START = Instant.parse("2026-02-08T10:00:00Z");

    private final ManualScheduler time = new ManualScheduler();
    private final Clock clock = time.clock(START);

    /** No busy machine reaches this timeout. */
    private final HealthGate gate =
            HealthGate.builder().clock(clock).timeout(Duration.ofSeconds(30)).build();

    @AutoClose
    private ServedAgent agent;

    @BeforeEach
    void start() throws IOException {
        agent = new ServedAgent();
    }

    @ParameterizedTest
    @CsvSource({"HEALTHY, Proceed", "DEGRADED, ProceedWithCaution", "UNHEALTHY, Avoid", "UNKNOWN, Default"})
    void each_status_has_its_decision(HealthStatus status, String decision) {
        agent.serves(Documents.of(status));

        assertThat(gate.decide(agent.url()))
                .satisfies(made -> assertThat(made.getClass().getSimpleName()).isEqualTo(decision))
                .extracting(Decision::status)
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a2a", "/a2a?x=1#top", ServedAgent.PATH})
    void the_document_is_at_the_origin_of_any_url_of_the_agent(String path) {
        agent.serves(Documents.of(HealthStatus.HEALTHY));

        assertThat(gate.decide(agent.url() + path)).isInstanceOf(Decision.Proceed.class);
        gate.decide(agent.url());

        assertThat(agent.requests()).extracting(ServedAgent.Asked::path).containsExactly(ServedAgent.PATH);
        assertThat(agent.last().headers()).doesNotContainKeys("Authorization", "X-api-key", "Cookie");
    }

    @Test
    void a_document_below_another_path_is_named_whole() {
        agent.serves(Documents.of(HealthStatus.HEALTHY));

        gate.decide(agent.url() + "/agents/billing" + ServedAgent.PATH);
        gate.decide(agent.url() + ServedAgent.PATH + "?agent_id=billing");

        assertThat(agent.requests())
                .extracting(ServedAgent.Asked::path)
                .containsExactly("/agents/billing" + ServedAgent.PATH, ServedAgent.PATH + "?agent_id=billing");
    }

    @Test
    void a_document_is_read_at_most_every_5_minutes() {
        agent.serves(Documents.of(HealthStatus.UNHEALTHY), "Cache-Control: public, max-age=60");

        assertThat(gate.decide(agent.url()))
                .isInstanceOfSatisfying(Decision.Avoid.class, avoid -> assertThat(avoid.until())
                        .isEqualTo(START.plus(Duration.ofMinutes(5))));
        agent.serves(Documents.of(HealthStatus.HEALTHY));
        time.suspend(Duration.ofMillis(299_999));
        assertThat(gate.decide(agent.url()).mayCall()).isFalse();
        assertThat(agent.requests()).hasSize(1);

        time.suspend(Duration.ofMillis(1));
        assertThat(gate.decide(agent.url()).mayCall()).isTrue();
        assertThat(agent.requests()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"max-age=900, 0, 900", "max-age=900, 300, 600", "max-age=31536000, 0, 3600", "no-store, 0, 300"})
    void a_document_that_is_fresh_for_longer_is_read_later(String cacheControl, int age, long seconds) {
        agent.serves(Documents.of(HealthStatus.HEALTHY), "Cache-Control: " + cacheControl, "Age: " + age);
        gate.decide(agent.url());

        time.suspend(Duration.ofSeconds(seconds - 1));
        gate.decide(agent.url());
        assertThat(agent.requests()).hasSize(1);

        time.suspend(Duration.ofSeconds(1));
        gate.decide(agent.url());
        assertThat(agent.requests()).hasSize(2);
    }

    @Test
    void an_unchanged_document_is_not_sent_again() {
        agent.serves(Documents.of(HealthStatus.DEGRADED), "ETag: \"one\"", "Cache-Control: max-age=900");
        gate.decide(agent.url());
        agent.script(exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"one\"");
            ServedAgent.send(exchange, 304, "");
        });
        time.suspend(Duration.ofMinutes(15));

        Decision decision = gate.decide(agent.url());

        assertThat(agent.last().headers().getFirst("If-None-Match")).isEqualTo("\"one\"");
        assertThat(decision.status()).isEqualTo(HealthStatus.DEGRADED);
        time.suspend(Duration.ofMinutes(14));
        gate.decide(agent.url());
        assertThat(agent.requests()).hasSize(2);
    }

    @Test
    void what_must_not_be_stored_is_requested_whole() {
        agent.serves(Documents.of(HealthStatus.HEALTHY), "ETag: \"one\"", "Cache-Control: no-store");
        gate.decide(agent.url());
        time.suspend(Duration.ofMinutes(5));

        gate.decide(agent.url());

        assertThat(agent.last().headers()).doesNotContainKey("If-none-match");
    }

    @Test
    void a_document_that_cannot_be_read_any_more_is_unknown_and_not_requested_at_once() {
        agent.serves(Documents.of(HealthStatus.UNHEALTHY));
        gate.decide(agent.url());
        agent.script(exchange -> ServedAgent.send(exchange, 500, "{}"));
        time.suspend(Duration.ofMinutes(5));

        assertUnknown(gate.decide(agent.url()));
        assertUnknown(gate.decide(agent.url()));
        assertThat(agent.requests()).hasSize(2);
    }

    @Test
    void a_busy_server_is_left_alone_for_as_long_as_it_asks() {
        agent.script(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1200");
            ServedAgent.send(exchange, 503, "");
        });
        gate.decide(agent.url());
        time.suspend(Duration.ofSeconds(1_199));
        gate.decide(agent.url());

        assertThat(agent.requests()).hasSize(1);
    }

    @Test
    void calls_at_the_same_time_share_one_request() throws Exception {
        int callers = 8;
        CountDownLatch started = new CountDownLatch(callers);
        agent.script(exchange -> {
            try {
                started.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            ServedAgent.send(exchange, 200, Documents.of(HealthStatus.DEGRADED));
        });
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        List<Future<Decision>> decisions = IntStream.range(0, callers)
                .mapToObj(i -> threads.submit(() -> {
                    started.countDown();
                    return gate.decide(agent.url());
                }))
                .toList();

        for (Future<Decision> decision : decisions) {
            assertThat(decision.get().status()).isEqualTo(HealthStatus.DEGRADED);
        }
        threads.shutdown();
        assertThat(agent.requests()).hasSize(1);
    }

    @Test
    void an_interrupted_caller_stays_interrupted_and_others_get_the_answer() {
        agent.serves(Documents.of(HealthStatus.HEALTHY));
        Thread.currentThread().interrupt();

        Decision interrupted = gate.decide(agent.url());

        assertThat(Thread.interrupted()).isTrue();
        assertUnknown(interrupted);
        assertThat(gate.decide(agent.url())).isInstanceOf(Decision.Proceed.class);
        assertThat(agent.requests()).hasSize(1);
    }

    @Test
    void no_more_documents_than_allowed_are_remembered() {
        agent.serves(Documents.of(HealthStatus.HEALTHY));
        HealthGate small = HealthGate.builder().clock(clock).maxDocuments(2).build();

        for (String id : List.of("a", "b", "a", "c", "a", "b")) {
            small.decide(agent.url() + ServedAgent.PATH + "?agent_id=" + id);
        }

        assertThat(agent.requests())
                .extracting(asked -> asked.path().substring(asked.path().length() - 1))
                .containsExactly("a", "b", "c", "b");
    }

    @Test
    void a_clock_that_is_set_back_does_not_keep_a_decision_alive() {
        ManualScheduler wrong = new ManualScheduler();
        Clock[] clocks = {wrong.clock(START), wrong.clock(START.minus(Duration.ofDays(1)))};
        int[] used = {0};
        Clock moved = new Clock() {
            @Override
            public Instant instant() {
                return clocks[used[0]].instant();
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        agent.serves(Documents.of(HealthStatus.HEALTHY));
        HealthGate unsteady = HealthGate.builder().clock(moved).build();
        unsteady.decide(agent.url());
        used[0] = 1;

        unsteady.decide(agent.url());

        assertThat(agent.requests()).hasSize(2);
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        HealthGateBuilder builder = HealthGate.builder();
        HttpClient following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();

        assertThatIllegalArgumentException().isThrownBy(() -> builder.timeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.maxDocuments(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.minResponseRatio(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.httpClient(following));
    }

    private static void assertUnknown(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Default.class);
        assertThat(decision.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(decision.mayCall()).isTrue();
        assertThat(decision.document()).isEmpty();
    }
}
