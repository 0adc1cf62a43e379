package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers and token files that begin with a byte order mark. */
class ByteOrderMarkTest {

    @Test
    void a_mark_before_an_answer_and_before_a_token_is_no_part_of_it(@TempDir Path folder) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "\ufefffirst.token.x\n");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = "\ufeff{\"agent_id\":\"a\",\"status\":\"active\"}".getBytes(StandardCharsets.UTF_8);
            boolean known =
                    "Bearer first.token.x".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? 200 : 400, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try {
            Agents agents = AgentHealthClient.builder(
                            "http://127.0.0.1:" + server.getAddress().getPort())
                    .tokenFile(token)
                    .build()
                    .agents();
            assertThat(agents.get("a").agentId()).isEqualTo("a");
        } finally {
            server.stop(0);
        }
    }
}
