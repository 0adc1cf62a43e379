package dev.agenthealth.emulator.http;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A request as it was sent, with nothing decoded. Its body is at most {@link WebServer#MAX_BODY_BYTES} long.
 *
 * @param method upper case
 * @param rawPath begins with a slash
 * @param rawQuery without the question mark; empty if it is absent
 * @param headers every value in the order in which it was sent; names match in any case
 * @param protocol for example {@code HTTP/1.1}
 * @param sourceIp the caller's address
 */
public record RawRequest(
        String method,
        String rawPath,
        String rawQuery,
        Map<String, List<String>> headers,
        byte[] body,
        String protocol,
        String sourceIp) {

    private static final String BEARER = "Bearer ";

    public RawRequest {
        headers = inAnyCase(headers);
    }

    private static Map<String, List<String>> inAnyCase(Map<String, List<String>> headers) {
        if (headers instanceof TreeMap<String, List<String>> sorted
                && sorted.comparator() == String.CASE_INSENSITIVE_ORDER) {
            // The headers belong to another request.
            return headers;
        }
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> anyCase.merge(name, List.copyOf(values), RawRequest::joined));
        return anyCase;
    }

    /** Returns the first value of a header; empty if it was not sent. */
    public String header(String name) {
        return headers.getOrDefault(name, List.of("")).get(0);
    }

    /**
     * Returns the caller for fair sharing: the request's key, or the address if it has no key. A key is the same caller in each of the two headers
     * that may hold it.
     */
    String caller() {
        String authorization = header("authorization");
        boolean isBearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        String key = headers.containsKey("x-api-key") || !isBearer
                ? header("x-api-key")
                : authorization.substring(BEARER.length()).trim();
        return key.isBlank() ? sourceIp : key;
    }

    /** Returns the request for the same resource with GET instead of HEAD and without a trailing slash. */
    public RawRequest usual() {
        String path =
                rawPath.length() > 1 && rawPath.endsWith("/") ? rawPath.substring(0, rawPath.length() - 1) : rawPath;
        return new RawRequest(
                method.equals("HEAD") ? "GET" : method, path, rawQuery, headers, body, protocol, sourceIp);
    }

    /** Returns the request with this body. */
    RawRequest with(byte[] newBody) {
        return new RawRequest(method, rawPath, rawQuery, headers, newBody, protocol, sourceIp);
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
