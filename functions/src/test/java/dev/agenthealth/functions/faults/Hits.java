package dev.agenthealth.functions.faults;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** What hit the system: faults by their kind, and by the function and the call that they hit. Thread-safe. */
final class Hits {

    private final Map<String, AtomicLong> kinds = new ConcurrentSkipListMap<>();
    private final Set<String> calls = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> lengths = new ConcurrentSkipListMap<>();
    private final Set<String> kills = ConcurrentHashMap.newKeySet();

    void add(String kind, String function, String operation) {
        kinds.computeIfAbsent(kind, k -> new AtomicLong()).incrementAndGet();
        calls.add(function + " " + operation + " " + kind);
    }

    /** Notes an invocation that ended by itself. */
    void ended(String work, int itsCalls) {
        lengths.merge(work, itsCalls, Math::max);
    }

    /** Notes a function that was killed after so many calls of an invocation. */
    void killed(String work, int itsCalls) {
        kills.add(work + " " + itsCalls);
    }

    boolean wasKilled(String work, int itsCalls) {
        return kills.contains(work + " " + itsCalls);
    }

    /** The number of calls of the longest invocation of this work; 0 where it is unknown. */
    int length(String work) {
        return lengths.getOrDefault(work, 0);
    }

    /** The places between two calls, before the first and after the last of each work. */
    int places() {
        return lengths.values().stream().mapToInt(calls -> calls + 1).sum();
    }

    int placesKilledAt() {
        return kills.size();
    }

    Map<String, Long> kinds() {
        Map<String, Long> counts = new TreeMap<>();
        kinds.forEach((kind, count) -> counts.put(kind, count.get()));
        return counts;
    }

    long total() {
        return kinds.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Each fault that hit each call of each function, once. */
    Set<String> calls() {
        return new TreeSet<>(calls);
    }
}
