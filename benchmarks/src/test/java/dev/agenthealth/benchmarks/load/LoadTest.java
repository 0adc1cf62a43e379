package dev.agenthealth.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests, latencies and percentiles of the load tool. */
class LoadTest {

    @Test
    void percentiles_are_values_that_were_measured() {
        long[] millions = new long[100];
        for (int i = 0; i < millions.length; i++) {
            millions[i] = (i + 1) * 1_000_000L;
        }
        assertThat(Rate.percentile(millions, 0.5)).isEqualTo(50);
        assertThat(Rate.percentile(millions, 0.99)).isEqualTo(99);
        assertThat(Rate.percentile(new long[] {7_000_000}, 0.99)).isEqualTo(7);
    }

    @Test
    void a_rate_counts_the_requests_of_all_connections() {
        Rate rate = Rate.of(List.of(new long[] {1_000_000, 3_000_000}, new long[] {2_000_000}), 500_000_000);
        assertThat(rate.perSecond()).isCloseTo(6, within(1e-9));
        assertThat(rate.p50Millis()).isEqualTo(2);
        assertThat(rate.p99Millis()).isEqualTo(3);
    }

    @Test
    void a_measurement_without_an_answer_is_none() {
        assertThatThrownBy(() -> Rate.of(List.of(new long[0]), 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Tag("slow")
    void every_connection_is_kept_alive_for_all_its_requests() throws IOException {
        Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
        withServer(clientPorts, url -> {
            // Every other answer is chunked.
            Rate rate = Senders.count(url, 3, 60, () -> Request.post("/", "key", "{}"));
            assertThat(rate.p99Millis()).isPositive();
            assertThat(clientPorts).hasSizeBetween(1, 3);
        });
    }

    @Test
    void paced_requests_are_no_more_than_so_many_a_second() {
        long before = System.nanoTime();
        Supplier<byte[]> requests = Senders.paced(1_000, () -> new byte[0]);
        for (int i = 0; i < 6; i++) {
            assertThat(requests.get()).isEmpty();
        }
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(5_000_000);
    }

    @Test
    void any_answer_but_a_success_ends_the_measurement() throws IOException {
        withServer(ConcurrentHashMap.newKeySet(), url -> assertThatThrownBy(
                        () -> Senders.count(url, 1, 1, () -> Request.get("/refused", "")))
                .hasMessageContaining("answered 400: no"));
    }

    private static void withServer(Set<Integer> clientPorts, Consumer<URI> use) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            clientPorts.add(exchange.getRemoteAddress().getPort());
            boolean refused = exchange.getRequestURI().getPath().equals("/refused");
            byte[] body = (refused ? "no" : "{\"acknowledged\":true}").getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            boolean chunked = System.identityHashCode(exchange) % 2 == 0;
            exchange.sendResponseHeaders(refused ? 400 : 200, chunked ? 0 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            use.accept(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
