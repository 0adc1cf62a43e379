package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackServerTest {

    private static final int CALLERS = 100;
    private static final long PATIENCE_SECONDS = 20;

    @Test
    void nobodyWaitsForThoseWhoWaitForAnAgent() throws IOException, InterruptedException {
        CountDownLatch waiting = new CountDownLatch(CALLERS);
        CountDownLatch answered = new CountDownLatch(1);
        try (LoopbackServer server = LoopbackServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(exchange -> {
                if (exchange.getRequestURI().getPath().equals("/wait")) {
                    waiting.countDown();
                    await(answered);
                }
                Exchanges.sendMessage(exchange, 200, "OK");
            });
            String url = "http://127.0.0.1:" + server.port();
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url + "/wait")).build();
            List<CompletableFuture<HttpResponse<String>>> callers = IntStream.range(0, CALLERS)
                    .mapToObj(caller -> client.sendAsync(request, BodyHandlers.ofString()))
                    .toList();
            try {
                assertThat(await(waiting)).as("all are being answered").isTrue();
                assertThat(client.send(
                                        HttpRequest.newBuilder(URI.create(url + "/ping"))
                                                .build(),
                                        BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            } finally {
                answered.countDown();
            }
            assertThat(callers)
                    .allSatisfy(caller -> assertThat(caller.join().statusCode()).isEqualTo(200));
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts these threads", e);
        }
    }
}
