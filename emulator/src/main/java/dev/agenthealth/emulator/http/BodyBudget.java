package dev.agenthealth.emulator.http;

import java.util.HashMap;
import java.util.Map;

/** The memory of all bodies that are received or being answered. One key has at most half of it. Thread-safe. */
final class BodyBudget {

    private final long maxBytes;
    private final Map<String, Long> bytesByKey = new HashMap<>();
    private long bytes;

    BodyBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes so many bytes for a key; returns false, and takes none, where the budget or the key's half of it is exceeded. */
    synchronized boolean take(String key, long more) {
        long ofKey = bytesByKey.getOrDefault(key, 0L) + more;
        if (bytes + more > maxBytes || ofKey > maxBytes / 2) {
            return false;
        }
        bytes += more;
        bytesByKey.put(key, ofKey);
        return true;
    }

    /** Gives bytes back that were taken for the key. */
    synchronized void release(String key, long taken) {
        if (taken > 0) {
            bytes -= taken;
            bytesByKey.computeIfPresent(key, (name, ofKey) -> ofKey == taken ? null : ofKey - taken);
        }
    }
}
