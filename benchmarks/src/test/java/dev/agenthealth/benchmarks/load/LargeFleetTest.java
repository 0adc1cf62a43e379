package dev.agenthealth.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LargeFleetTest {

    @Test
    void the_quota_of_a_key_has_room_for_the_fleet_and_the_rest_of_the_configuration_stays() throws IOException {
        var configuration = new AtomicReference<>("{\"default_window\":3600,\"max_agents_per_key\":20000}");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/admin/configuration", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("PUT")) {
                configuration.set(body);
            }
            byte[] answer = configuration.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try {
            LargeFleet.allow(
                    100_000,
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                    "key");
        } finally {
            server.stop(0);
        }
        assertThat(configuration.get()).isEqualTo("{\"default_window\":3600,\"max_agents_per_key\":100001}");
    }
}
