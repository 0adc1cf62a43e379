package dev.agenthealth.local.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Encodes an id as one segment of a path. */
final class Segment {

    private Segment() {}

    static String of(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
