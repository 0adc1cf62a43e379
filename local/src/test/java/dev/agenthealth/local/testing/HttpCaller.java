package dev.agenthealth.local.testing;

import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Calls a local system over HTTP. Requests of the API and their responses are compared with its description. */
public final class HttpCaller {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    public HttpCaller(String baseUrl) {
        this.base = URI.create(baseUrl);
    }

    public HttpResponse<String> call(String method, String path) {
        return call(method, path, new byte[0]);
    }

    public HttpResponse<String> call(String method, String path, byte[] body, String... headers) {
        HttpResponse<String> response = send(method, path, body, headers, BodyHandlers.ofString());
        ApiExchange.ofHttp(response.request(), body, response).ifPresent(ApiContract::check);
        return response;
    }

    public HttpResponse<byte[]> download(String path) {
        return send("GET", path, new byte[0], new String[0], BodyHandlers.ofByteArray());
    }

    /** Sends bytes as they are and returns everything up to the end of the connection. */
    public String raw(String request) {
        try (Socket socket = new Socket("127.0.0.1", base.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(answer);
            return answer.toString(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T> HttpResponse<T> send(
            String method, String path, byte[] body, String[] headers, HttpResponse.BodyHandler<T> handler) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).method(method, BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
