package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real process that is asked to end, over real connections. */
class ShutdownTest {

    private final List<String> bodies = new CopyOnWriteArrayList<>();

    private HttpServer registry() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            bodies.add(body);
            String status =
                    body.contains("draining") && body.contains("\"current_load\":0") ? "deregistered" : "active";
            byte[] answer = ("{\"agent_id\":\"a\",\"incarnation\":1,\"agent_status\":\"" + status + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    @Timeout(60)
    @Tag("slow")
    void a_process_that_gets_sigterm_drains_before_it_ends() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        assumeTrue(Files.isExecutable(java), "this JVM has no java command");
        HttpServer registry = registry();
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShutdownProgram.class.getName(),
                        "http://127.0.0.1:" + registry.getAddress().getPort())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (line != null && !line.equals("started")) {
                line = out.readLine();
            }
            assertThat(line).isEqualTo("started");

            process.toHandle().destroy();

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(out.lines().toList()).contains("callback SHUTDOWN");
            assertThat(bodies.get(bodies.size() - 1)).contains("\"status\":\"draining\"", "\"current_load\":0");
        } finally {
            process.destroyForcibly();
            registry.stop(0);
        }
    }
}
