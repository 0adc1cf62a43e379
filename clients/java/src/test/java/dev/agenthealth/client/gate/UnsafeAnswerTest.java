package dev.agenthealth.client.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are no valid document of the agent. */
@Tag("AHS-17")
@Timeout(60)
class UnsafeAnswerTest {

    private static final Instant START = Instant.parse("2026-02-08T10:00:00Z");

    private final ManualScheduler time = new ManualScheduler();
    private final Clock clock = time.clock(START);
    private final HealthGate gate = HealthGate.builder().clock(clock).build();

    @AutoClose
    private ServedAgent agent;

    @BeforeEach
    void start() throws IOException {
        agent = new ServedAgent();
    }

    @Test
    void a_tag_that_is_none_is_not_sent_back() {
        agent.serves(Documents.of(HealthStatus.HEALTHY), "ETag: \"a\tb\"");
        gate.decide(agent.url());
        time.suspend(Duration.ofMinutes(5));

        assertThat(gate.decide(agent.url())).isInstanceOf(Decision.Proceed.class);
        assertThat(agent.last().headers()).doesNotContainKey("If-none-match");
    }

    @Test
    void an_unchanged_document_that_was_never_sent_is_unknown() {
        agent.script(exchange -> ServedAgent.send(exchange, 304, ""));

        assertUnknown(gate.decide(agent.url()));
    }

    @Test
    void an_agent_that_cannot_be_reached_is_unknown() {
        String url = agent.url();
        agent.close();

        assertUnknown(gate.decide(url));
        assertUnknown(gate.decide("http://agent.invalid"));
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 204, 206, 400, 401, 404, 410, 429, 503})
    void any_status_but_200_is_unknown(int status) {
        agent.script(exchange -> ServedAgent.send(exchange, status, status == 204 ? "" : Documents.with("{}")));

        assertUnknown(gate.decide(agent.url()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "text/plain; charset=utf-8", "application/jsonp", ""})
    void another_type_of_content_is_unknown(String type) {
        agent.serves(Documents.of(HealthStatus.HEALTHY), "Content-Type: " + type);

        assertUnknown(gate.decide(agent.url()));
    }

    @Test
    void parameters_of_the_type_do_not_matter() {
        agent.serves(Documents.of(HealthStatus.HEALTHY), "Content-Type: Application/JSON;charset=UTF-8");

        assertThat(gate.decide(agent.url())).isInstanceOf(Decision.Proceed.class);
    }

    @Test
    void a_huge_document_is_unknown_and_not_read_to_its_end() throws InterruptedException {
        CountDownLatch refused = new CountDownLatch(1);
        agent.script(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            try {
                byte[] spaces = " ".repeat(65_536).getBytes();
                for (int i = 0; i < 10_000; i++) {
                    exchange.getResponseBody().write(spaces);
                }
            } catch (IOException e) {
                refused.countDown();
            }
        });

        assertUnknown(gate.decide(agent.url()));
        assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_agent_that_sends_a_byte_now_and_then_is_unknown_in_time() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        agent.script(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        HealthGate impatient =
                HealthGate.builder().timeout(Duration.ofMillis(200)).build();

        Decision decision = impatient.decide(agent.url());
        over.countDown();

        assertUnknown(decision);
        assertThat(decision.explanation()).isEqualTo("health unknown: no answer in time");
    }

    @Test
    void redirects_on_the_same_host_are_followed() {
        agent.script(exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.equals(ServedAgent.PATH)) {
                redirect(exchange, "/health");
            } else if (path.equals("/health")) {
                redirect(exchange, agent.url() + "/health/now");
            } else {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                ServedAgent.send(exchange, 200, Documents.of(HealthStatus.HEALTHY));
            }
        });

        assertThat(gate.decide(agent.url())).isInstanceOf(Decision.Proceed.class);
        assertThat(agent.requests()).hasSize(3);
    }

    @Test
    void redirects_to_other_hosts_and_ports_are_not_followed() throws IOException {
        try (ServedAgent internal = new ServedAgent()) {
            internal.serves(Documents.of(HealthStatus.HEALTHY));
            for (String location : List.of(
                    internal.url() + ServedAgent.PATH,
                    internal.url().replace("127.0.0.1", "localhost"),
                    "//127.0.0.1:1/",
                    "http://user@" + agent.url().substring(7),
                    "file:///etc/passwd",
                    "mailto:a@b",
                    "http://[",
                    "")) {
                agent.script(exchange -> redirect(exchange, location));
                assertUnknown(HealthGate.create().decide(agent.url()));
            }
            assertThat(internal.requests()).isEmpty();
        }
    }

    @Test
    void redirects_in_a_circle_end() {
        agent.script(exchange -> redirect(exchange, ServedAgent.PATH));

        assertUnknown(gate.decide(agent.url()));
        assertThat(agent.requests()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "agent",
                "/path",
                "ftp://agent.example",
                "file:///etc/passwd",
                "http://",
                "http:///x",
                "http://user:pw@agent.example",
                "http://a b",
                "http://agent:99999",
                "mailto:a@b.c",
                "javascript:alert(1)"
            })
    void a_url_that_is_not_usable_is_unknown(String url) {
        assertUnknown(gate.decide(url));
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        ServedAgent.send(exchange, 302, "");
    }

    private static void assertUnknown(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Default.class);
        assertThat(decision.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(decision.mayCall()).isTrue();
        assertThat(decision.document()).isEmpty();
    }
}
