package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Which requests clients sent when, and what was answered: what {@link HistoryChecker} reads. Thread-safe. */
final class RequestHistory {

    private static final String SERVER = "server";

    private final long origin = nanos(Instant.now()) - System.nanoTime();
    private final List<ObjectNode> requests = new ArrayList<>();
    private final Map<Integer, NavigableSet<Long>> kills = new HashMap<>();
    private final Map<String, Integer> answers = new TreeMap<>();
    private int answered;

    /** Nanoseconds of a clock that only rises, beginning at the time of day. */
    long now() {
        return origin + System.nanoTime();
    }

    private static long nanos(Instant moment) {
        return TimeUnit.SECONDS.toNanos(moment.getEpochSecond()) + moment.getNano();
    }

    /** Adds a request with its answer, which is within {@code request} under {@code out}. */
    synchronized void answered(ObjectNode request, long call, long end) {
        requests.add(request.put("call", call).put("return", end));
        answered++;
        count(
                request,
                request.at("/out/http").asText() + " " + request.at("/out/code").asText());
    }

    /**
     * Adds a request without an answer: the process that ran at its call may process it as long as it lives.
     *
     * @param server which one it was sent to
     */
    synchronized void unanswered(ObjectNode request, int server, long call) {
        requests.add(request.put("call", call).put(SERVER, server));
        count(request, "unknown");
    }

    /**
     * The process of a server has ended.
     *
     * @param at the time at which nothing is left of what it sent to a database
     */
    synchronized void killed(int server, long at) {
        kills.computeIfAbsent(server, any -> new TreeSet<>()).add(at);
    }

    private void count(ObjectNode request, String answer) {
        String kind = request.path("model").asText() + " " + request.path("op").asText();
        answers.merge((kind + " " + answer).trim(), 1, Integer::sum);
    }

    synchronized int answered() {
        return answered;
    }

    /** The number of requests by model, kind and answer. */
    synchronized Map<String, Integer> answers() {
        return new TreeMap<>(answers);
    }

    /** Writes the requests, one a line, after all processes were killed. */
    synchronized void write(Path file) throws IOException {
        for (ObjectNode request : requests) {
            if (request.has(SERVER)) {
                int server = request.remove(SERVER).asInt();
                request.put(
                        "return", kills.get(server).ceiling(request.path("call").asLong()));
            }
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, requests.stream().map(Json::text).collect(Collectors.joining("\n", "", "\n")));
    }
}
