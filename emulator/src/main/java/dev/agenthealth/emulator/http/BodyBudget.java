package dev.agenthealth.emulator.http;

import java.util.HashMap;
import java.util.Map;

/** Limits the memory of all bodies that are being received or answered. Each key gets at most half of it. Thread-safe. */
final class BodyBudget {

    private final long maxBytes;
    private final Map<String, Long> bytesByKey = new HashMap<>();
    private long bytes;

    BodyBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes bytes for a key. Returns false and takes none if that exceeds the budget or the key's half of it. */
    synchronized boolean take(String key, long more) {
        long ofKey = bytesByKey.getOrDefault(key, 0L) + more;
        if (bytes + more > maxBytes || ofKey > maxBytes / 2) {
            return false;
        }
        bytes += more;
        bytesByKey.put(key, ofKey);
        return true;
    }

    /** Gives back bytes that were taken for the key. */
    synchronized void release(String key, long taken) {
        if (taken > 0) {
            bytes -= taken;
            bytesByKey.computeIfPresent(key, (name, ofKey) -> ofKey == taken ? null : ofKey - taken);
        }
    }
}
