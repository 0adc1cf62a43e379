package dev.agenthealth.emulator.apigateway;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.http.Exchanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Sends what a function answered, as an HTTP API does. */
final class GatewayResponses {

    /** What belongs to the connection or is computed from the body; a function's own value would contradict it. */
    private static final Set<String> NOT_THE_FUNCTIONS =
            Set.of("connection", "content-length", "date", "keep-alive", "transfer-encoding", "upgrade");

    private static final String DEFAULT_CONTENT_TYPE = "text/plain;charset=UTF-8";

    private GatewayResponses() {}

    /** @throws IllegalArgumentException when the answer has no valid status, header or body; nothing has been sent then */
    static void send(HttpExchange exchange, APIGatewayV2HTTPResponse response, String requestId) throws IOException {
        if (response.getStatusCode() < 200 || response.getStatusCode() > 599) {
            throw new IllegalArgumentException("the function answered with status " + response.getStatusCode());
        }
        byte[] body = body(response);
        Headers headers = exchange.getResponseHeaders();
        orEmpty(response.getHeaders()).forEach((name, value) -> set(headers, name, List.of(value)));
        orEmpty(response.getMultiValueHeaders()).forEach((name, values) -> set(headers, name, values));
        if (response.getCookies() != null) {
            response.getCookies().forEach(cookie -> headers.add("Set-Cookie", cookie));
        }
        headers.set("Apigw-Requestid", requestId);
        String contentType = headers.getFirst("Content-Type");
        Exchanges.send(
                exchange, response.getStatusCode(), contentType == null ? DEFAULT_CONTENT_TYPE : contentType, body);
    }

    private static byte[] body(APIGatewayV2HTTPResponse response) {
        String body = response.getBody() == null ? "" : response.getBody();
        return response.getIsBase64Encoded() ? Base64.getDecoder().decode(body) : body.getBytes(StandardCharsets.UTF_8);
    }

    private static void set(Headers headers, String name, List<String> values) {
        if (!NOT_THE_FUNCTIONS.contains(name.toLowerCase(Locale.ROOT))) {
            headers.put(name, values);
        }
    }

    private static <V> Map<String, V> orEmpty(Map<String, V> map) {
        return map == null ? Map.of() : map;
    }
}
