package dev.agenthealth.emulator.apigateway;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A request as it came in, nothing decoded.
 *
 * @param method upper case
 * @param rawPath begins with a slash
 * @param rawQuery without the question mark; empty when there is none
 * @param headers in any case, as many values as were sent
 * @param protocol for example {@code HTTP/1.1}
 * @param sourceIp the caller's address
 */
record RawRequest(
        String method,
        String rawPath,
        String rawQuery,
        Map<String, List<String>> headers,
        byte[] body,
        String protocol,
        String sourceIp) {

    static RawRequest of(HttpExchange exchange, byte[] body) {
        URI uri = exchange.getRequestURI();
        return new RawRequest(
                exchange.getRequestMethod(),
                rawPath(uri),
                uri.getRawQuery() == null ? "" : uri.getRawQuery(),
                exchange.getRequestHeaders(),
                body,
                exchange.getProtocol(),
                exchange.getRemoteAddress().getAddress().getHostAddress());
    }

    /** The path of a request target. A path that begins with two slashes was taken for a host name and is put back. */
    static String rawPath(URI target) {
        boolean pathTakenForHost = target.getScheme() == null && target.getRawAuthority() != null;
        String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        return pathTakenForHost ? "//" + target.getRawAuthority() + target.getRawPath() : path;
    }
}
