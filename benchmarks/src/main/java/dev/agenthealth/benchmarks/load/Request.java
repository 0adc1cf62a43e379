package dev.agenthealth.benchmarks.load;

import java.nio.charset.StandardCharsets;

/** Encodes requests in the form in which they are sent. */
final class Request {

    private Request() {}

    static byte[] get(String path, String key) {
        return encode("GET", path, key, "");
    }

    static byte[] post(String path, String key, String body) {
        return encode("POST", path, key, body);
    }

    static byte[] put(String path, String key, String body) {
        return encode("PUT", path, key, body);
    }

    /** Returns a PATCH request for any version of the resource. */
    static byte[] patch(String path, String key, String body) {
        return encode("PATCH", path, key, body);
    }

    private static byte[] encode(String method, String path, String key, String body) {
        String keyHeader = key.isEmpty() ? "" : "X-API-Key: " + key + "\r\n";
        String content = body.isEmpty()
                ? ""
                : "Content-Type: application/json\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length
                        + "\r\n";
        String condition = method.equals("PATCH") ? "If-Match: *\r\n" : "";
        return (method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + keyHeader + condition + content + "\r\n"
                        + body)
                .getBytes(StandardCharsets.UTF_8);
    }
}
