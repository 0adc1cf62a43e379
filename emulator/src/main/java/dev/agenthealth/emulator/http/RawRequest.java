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
 * @param rawQuery without the question mark; empty when there is none
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

    public RawRequest {
        headers = inAnyCase(headers);
    }

    private static Map<String, List<String>> inAnyCase(Map<String, List<String>> headers) {
        if (headers instanceof TreeMap<String, List<String>> sorted
                && sorted.comparator() == String.CASE_INSENSITIVE_ORDER) {
            // Those of another request.
            return headers;
        }
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> anyCase.merge(name, List.copyOf(values), RawRequest::joined));
        return anyCase;
    }

    /** The first value of a header; empty when it was not sent. */
    public String header(String name) {
        return headers.getOrDefault(name, List.of("")).get(0);
    }

    /** The key of the request, or the address of a caller that sends none: who has to share with others. */
    String caller() {
        return Stream.of(header("x-api-key"), header("authorization"))
                .filter(key -> !key.isBlank())
                .findFirst()
                .orElse(sourceIp);
    }

    /** Returns the request for the same resource with GET in place of HEAD and without a slash at the end of its path. */
    public RawRequest usual() {
        String path =
                rawPath.length() > 1 && rawPath.endsWith("/") ? rawPath.substring(0, rawPath.length() - 1) : rawPath;
        return new RawRequest(
                method.equals("HEAD") ? "GET" : method, path, rawQuery, headers, body, protocol, sourceIp);
    }

    /** The request with its body. */
    RawRequest with(byte[] newBody) {
        return new RawRequest(method, rawPath, rawQuery, headers, newBody, protocol, sourceIp);
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
