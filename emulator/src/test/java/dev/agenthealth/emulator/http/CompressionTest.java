package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompressionTest {

    private static final String LONG = "{\"agents\":[" + "\"agent_billing_01\",".repeat(500) + "\"last\"]}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private WebServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private HttpResponse<byte[]> call(RawResponse answer, String acceptEncoding, String method)
            throws IOException, InterruptedException {
        server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none());
        server.start(request -> answer);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
                .header("Accept-Encoding", acceptEncoding)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofByteArray());
    }

    private static RawResponse json(String body) {
        return RawResponse.of(200, "application/json", body.getBytes(StandardCharsets.UTF_8))
                .with("ETag", "\"3\"");
    }

    @Test
    void a_long_answer_is_compressed_and_keeps_its_entity_tag() throws Exception {
        HttpResponse<byte[]> answer = call(json(LONG), "deflate, gzip;q=0.5, br", "GET");
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(answer.headers().allValues("Vary")).containsExactly("Accept-Encoding");
        assertThat(answer.headers().firstValue("ETag")).contains("\"3\"");
        assertThat(answer.body().length).isLessThan(LONG.length() / 10);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
                .asString()
                .isEqualTo(LONG);
    }

    @ParameterizedTest
    @CsvSource({"identity", "gzip;q=0", "gzip; q=0.0", "br", "gzipped"})
    void a_client_that_accepts_no_gzip_gets_none(String acceptEncoding) throws Exception {
        HttpResponse<byte[]> answer = call(json(LONG), acceptEncoding, "GET");
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo(LONG);
    }

    @Test
    void short_answers_and_other_types_are_left_alone() throws Exception {
        assertThat(Compression.of(json("{}"), request("gzip")).headers()).doesNotContainKey("Content-Encoding");
        RawResponse image = RawResponse.of(200, "image/png", LONG.getBytes(StandardCharsets.UTF_8));
        assertThat(call(image, "gzip", "GET").headers().map()).doesNotContainKeys("content-encoding", "vary");
    }

    @Test
    void an_answer_that_varies_by_the_caller_varies_by_the_encoding_too() {
        RawResponse answer = Compression.of(json(LONG).with("Vary", "X-API-Key"), request("gzip"));
        assertThat(answer.headers().get("Vary")).isEqualTo(List.of("X-API-Key, Accept-Encoding"));
    }

    private RawRequest request(String acceptEncoding) {
        return new RawRequest(
                "GET",
                "/",
                "",
                Map.of("accept-encoding", List.of(acceptEncoding)),
                new byte[0],
                "HTTP/1.1",
                "127.0.0.1");
    }
}
