package dev.agenthealth.document;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The answer to a request for the document, independent of the server.
 *
 * @param headers headers by name
 * @param body in UTF-8; empty for none
 */
record DocumentAnswer(int status, Map<String, String> headers, byte[] body) {

    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int METHOD_NOT_ALLOWED = 405;

    /**
     * Returns the answer.
     *
     * @param ifNoneMatch the header of that name; empty if it is absent
     */
    static DocumentAnswer to(String method, String ifNoneMatch, OwnHealth health) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            headers.put("Allow", "GET, HEAD");
            return new DocumentAnswer(METHOD_NOT_ALLOWED, headers, new byte[0]);
        }
        OwnDocument document = health.document();
        headers.put("Cache-Control", "public, max-age=" + OwnHealth.MAX_AGE.toSeconds());
        headers.put("ETag", document.tag());
        if (names(ifNoneMatch, document.tag())) {
            return new DocumentAnswer(NOT_MODIFIED, headers, new byte[0]);
        }
        headers.put("Content-Type", "application/json");
        headers.put("X-Content-Type-Options", "nosniff");
        return new DocumentAnswer(OK, headers, document.json().toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns true if the header contains the tag. Proxies may have weakened or strengthened the tag. */
    private static boolean names(String ifNoneMatch, String tag) {
        return Stream.of(ifNoneMatch.split(","))
                .map(String::strip)
                .anyMatch(named -> named.equals("*") || opaque(named).equals(opaque(tag)));
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }
}
