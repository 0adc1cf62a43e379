package dev.agenthealth.emulator.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request as it was sent, with nothing decoded. Its body is at most {@link WebServer#MAX_BODY_BYTES} long.
 *
 * @param method upper case
 * @param rawPath begins with a slash
 * @param rawQuery without the question mark; empty if it is absent
 * @param headers every value in the order in which it was sent, by names in lower case
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
        headers = Headers.of(headers);
    }

    /** Returns the first value of a header, whose name may be in any case; empty if it was not sent. */
    public String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null ? "" : values.get(0);
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
}
