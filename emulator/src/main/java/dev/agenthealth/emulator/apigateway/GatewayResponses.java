package dev.agenthealth.emulator.apigateway;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.emulator.http.RawResponse;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Turns a function's answer into an HTTP response, as an HTTP API does. */
public final class GatewayResponses {

    /** Headers that belong to the connection or are computed from the body. */
    private static final Set<String> SERVER_HEADERS =
            Set.of("connection", "content-length", "date", "keep-alive", "transfer-encoding", "upgrade");

    /** Headers of most answers, which are known to be valid. */
    private static final Set<String> USUAL_HEADERS = Set.of("Content-Type", "Cache-Control");

    /** The characters of a token (RFC 9110 §5.6.2) other than letters and digits. */
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private static final String DEFAULT_CONTENT_TYPE = "text/plain;charset=UTF-8";

    private GatewayResponses() {}

    /** @throws IllegalArgumentException if the answer has no valid status, header or body */
    public static RawResponse of(APIGatewayV2HTTPResponse response) {
        return of(response, Map.of());
    }

    /**
     * Returns the response with more headers.
     *
     * @throws IllegalArgumentException if the answer has no valid status, header or body
     */
    static RawResponse of(APIGatewayV2HTTPResponse response, Map<String, List<String>> more) {
        if (response.getStatusCode() < 200 || response.getStatusCode() > 599) {
            throw new IllegalArgumentException("the function answered with status " + response.getStatusCode());
        }
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byte[] body = body(response);
        Optional<RawResponse.Stream> stream = stream(response);
        if (body.length > 0) {
            headers.put("Content-Type", List.of(DEFAULT_CONTENT_TYPE));
        }
        orEmpty(response.getHeaders()).forEach((name, value) -> set(headers, name, List.of(value)));
        orEmpty(response.getMultiValueHeaders()).forEach((name, values) -> set(headers, name, values));
        if (response.getCookies() != null) {
            List<String> cookies = new ArrayList<>(headers.getOrDefault("Set-Cookie", List.of()));
            cookies.addAll(response.getCookies());
            set(headers, "Set-Cookie", cookies);
        }
        headers.putAll(more);
        return new RawResponse(response.getStatusCode(), headers, body, stream);
    }

    /**
     * Returns the stream of a response that writes its own body. API Gateway and Lambda have no such streams; an extension permits them
     * here.
     */
    private static Optional<RawResponse.Stream> stream(APIGatewayV2HTTPResponse response) {
        return response instanceof RequestStreamHandler body
                ? Optional.of(out -> body.handleRequest(InputStream.nullInputStream(), out, null))
                : Optional.empty();
    }

    private static byte[] body(APIGatewayV2HTTPResponse response) {
        String body = response.getBody() == null ? "" : response.getBody();
        return response.getIsBase64Encoded() ? Base64.getDecoder().decode(body) : body.getBytes(StandardCharsets.UTF_8);
    }

    private static void set(Map<String, List<String>> headers, String name, List<String> values) {
        if (!areInOneLine(values) || !USUAL_HEADERS.contains(name) && !isToken(name)) {
            throw new IllegalArgumentException("the function answered with an invalid header");
        }
        if (USUAL_HEADERS.contains(name) || !SERVER_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            headers.put(name, values);
        }
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean alphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!alphanumeric && TOKEN_MARKS.indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean areInOneLine(List<String> values) {
        for (String value : values) {
            if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0 || value.indexOf(0) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static <V> Map<String, V> orEmpty(Map<String, V> map) {
        return map == null ? Map.of() : map;
    }
}
