package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams over real connections: parts arrive one by one, and both ends may go away. */
@Timeout(60)
class StreamsTest {

    private static final String SEND =
            """
                    {"jsonrpc":"2.0","id":7,"method":"SendStreamingMessage","params":{"message":{"messageId":"m-1",\
                    "role":"ROLE_USER","parts":[{"text":"Hello"}]}}}\
                    """;
    private static final int MANY = 20;
    private static final String CLOSES = "closes";

    private final LocalGateway gateway = new LocalGateway();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<String> states = new LinkedBlockingQueue<>();
    private final CountDownLatch lost = new CountDownLatch(1);
    private HttpServer agent;

    @BeforeEach
    void open() throws IOException {
        agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.setExecutor(threads);
        agent.createContext("/", this::answer);
        agent.start();
        gateway.register(
                "streamer",
                "acme-labs",
                "http://127.0.0.1:" + agent.getAddress().getPort() + "/");
    }

    @AfterEach
    void close() {
        gateway.close();
        agent.stop(0);
        threads.shutdownNow();
    }

    /** Sends a status for each that the test gives it. */
    private void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        String id =
                Json.read(exchange.getRequestBody().readAllBytes()).path("id").asText();
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            // The server of newer JDKs keeps the headers until something is written: a comment of server-sent events.
            out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            String state = states.take();
            while (!state.equals(CLOSES)) {
                String event = "data: {\"jsonrpc\":\"2.0\",\"id\":\"" + id
                        + "\",\"result\":{\"kind\":\"status-update\",\"taskId\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\""
                        + state + "\"}}}\n\n";
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
                state = state.equals("completed") ? CLOSES : states.take();
            }
        } catch (IOException e) {
            lost.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<InputStream> send() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.system().baseUrl() + "/a2a/agents/streamer"))
                .header("X-API-Key", "test-administrator-key")
                .header("A2A-Version", "1.0")
                .POST(BodyPublishers.ofString(SEND))
                .build();
        return client.send(request, BodyHandlers.ofInputStream());
    }

    private static String next(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = lines.readLine();
        }
        if (line == null) {
            return "end";
        }
        JsonNode event = Json.read(line.substring(6).getBytes(StandardCharsets.UTF_8));
        return event.at("/result/statusUpdate/status/state")
                .asText(event.at("/error/message").asText());
    }

    private static BufferedReader lines(HttpResponse<InputStream> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    @Test
    void parts_arrive_one_by_one() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = send();
        BufferedReader lines = lines(response);
        for (String state : new String[] {"submitted", "working", "completed"}) {
            states.add(state);
            assertThat(next(lines)).isEqualTo("TASK_STATE_" + state.toUpperCase(Locale.ROOT));
        }
        assertThat(next(lines)).isEqualTo("end");
        String receipt = response.headers().firstValue("X-Receipt-Id").orElseThrow();
        assertThat(gateway.administrator()
                        .get("/v1/receipts/" + receipt)
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("succeeded");
    }

    @Test
    void a_caller_that_goes_away_ends_the_call_of_the_agent() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = send();
        BufferedReader lines = lines(response);
        states.add("working");
        assertThat(next(lines)).isEqualTo("TASK_STATE_WORKING");
        response.body().close();
        while (!lost.await(10, TimeUnit.MILLISECONDS)) {
            states.add("working");
        }
        assertThat(gateway.healthOfAgent("streamer").path("failure_count").asInt())
                .isZero();
    }

    @Test
    @Tag("slow")
    void open_streams_do_not_keep_the_system_from_ending() throws IOException, InterruptedException {
        for (int i = 0; i < MANY; i++) {
            gateway.clock().advanceSeconds(1);
            lines(send());
        }
        long begun = System.nanoTime();
        gateway.restart();
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }

    @Test
    @Tag("slow")
    void many_streams_leave_other_requests_their_turn() throws IOException, InterruptedException {
        BufferedReader[] open = new BufferedReader[MANY];
        for (int i = 0; i < open.length; i++) {
            gateway.clock().advanceSeconds(1);
            open[i] = lines(send());
        }
        assertThat(gateway.healthOfAgent("streamer").path("failure_count").asInt())
                .isZero();
        for (int i = 0; i < open.length; i++) {
            states.add("completed");
        }
        for (BufferedReader lines : open) {
            next(lines);
            assertThat(next(lines)).isEqualTo("end");
        }
        assertThat(gateway.healthOfAgent("streamer").path("success_count").asInt())
                .isEqualTo(open.length);
    }
}
