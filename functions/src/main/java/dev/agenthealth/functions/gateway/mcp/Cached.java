package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The time for which clients may keep a result, in the fields of 2026-07-28. */
final class Cached {

    private static final String TTL = "ttlMs";
    private static final String SCOPE = "cacheScope";

    private Cached() {}

    /** Returns a result that is equal for all callers. */
    static ObjectNode everywhere(ObjectNode result, int millis) {
        return result.put(TTL, millis).put(SCOPE, "public");
    }

    /** Returns a result that is equal for the caller's key. */
    static ObjectNode forKey(ObjectNode result, int millis) {
        return result.put(TTL, millis).put(SCOPE, "private");
    }

    /** Removes the fields for older versions, which do not have them. */
    static void remove(ObjectNode result) {
        result.remove(List.of(TTL, SCOPE));
    }
}
