package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetRunTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void the_error_for_an_unreachable_registry_names_its_url() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertThat(run(port)).isEqualTo(2);
        assertThat(text()).contains("no registry answers at http://localhost:" + port, "AGENT_HEALTH_URL");
    }

    @Test
    void a_key_that_is_refused_is_named_as_such() throws Exception {
        HttpServer registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", exchange -> {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        registry.start();
        try {
            assertThat(run(registry.getAddress().getPort())).isEqualTo(2);
            assertThat(text()).contains("issued no key (401)", "AGENT_HEALTH_ADMIN_KEY");
        } finally {
            registry.stop(0);
        }
    }

    private int run(int port) throws InterruptedException {
        Map<String, String> environment =
                Map.of("AGENT_HEALTH_URL", "http://localhost:" + port, "AGENT_HEALTH_ADMIN_KEY", "nobody-knows-it");
        return new FleetRun(Clock.systemUTC(), new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run(new String[0], environment);
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
