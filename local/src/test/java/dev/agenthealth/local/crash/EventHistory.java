package dev.agenthealth.local.crash;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** All events of a registry, as its log of events has them. */
final class EventHistory {

    private static final String ON_THE_BUS = "agent-lifecycle] ";

    private final Map<String, JsonNode> byId = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private EventHistory() {}

    static EventHistory read(KilledRegistry registry, Instant since) {
        EventHistory history = new EventHistory();
        String path = "/api/v1/events?limit=1000&since=" + since;
        JsonNode page;
        String token = "";
        do {
            page = registry.call("GET", path + token, KilledRegistry.ADMINISTRATOR, "")
                    .json();
            page.path("events").forEach(history::add);
            token = "&next_token=" + page.path("next_token").asText();
        } while (page.has("next_token"));
        return history;
    }

    private void add(JsonNode event) {
        JsonNode earlier = byId.put(event.path("event_id").asText(), event);
        if (earlier != null) {
            problems.add("two events have one id: " + earlier + " and " + event);
        }
    }

    boolean has(String eventId) {
        return byId.containsKey(eventId);
    }

    long count(String type, String field, String value) {
        return ofType(type)
                .filter(event -> event.path(field).asText().equals(value))
                .count();
    }

    private Stream<JsonNode> ofType(String type) {
        return byId.values().stream()
                .filter(event -> event.path("type").asText().equals(type));
    }

    /** Acknowledged changes of an agent that do not have exactly one event each. */
    List<String> missing(LoadAgent agent) {
        List<String> missing = new ArrayList<>();
        List<JsonNode> changes = ofType("agent.lifecycle")
                .filter(event -> event.path("agent_id").asText().equals(agent.id()))
                .toList();
        requireCount(missing, agent, Set.of("registered", "re_registered"), agent.registrations(), changes);
        requireCount(missing, agent, Set.of("deregistered"), agent.departures(), changes);
        Set<Long> sequences = new HashSet<>();
        for (JsonNode change : changes) {
            if (!sequences.add(change.path("sequence").asLong())) {
                missing.add("another event has the sequence of " + change);
            }
        }
        if (agent.isBlocked() != has("trust:agent:" + agent.id() + ":1") || has("trust:agent:" + agent.id() + ":2")) {
            missing.add(agent.id() + " was blocked once: " + agent.isBlocked());
        }
        for (LoadAgent.Lease lease : agent.leases()) {
            JsonNode acquired = byId.getOrDefault("lease:" + lease.id() + ":acquired", Json.object());
            if (acquired.path("fencing_token").asLong() != lease.token()) {
                missing.add(agent.id() + " acquired " + lease + ": " + acquired);
            }
            if (lease.isActive() == has("lease:" + lease.id() + ":released")) {
                missing.add(agent.id() + " has " + lease + ", with an event of its release or without");
            }
        }
        return missing;
    }

    private static void requireCount(
            List<String> missing, LoadAgent agent, Set<String> reasons, long expected, List<JsonNode> changes) {
        long found = changes.stream()
                .filter(change -> reasons.contains(change.path("reason").asText()))
                .count();
        if (found != expected) {
            missing.add(agent.id() + " " + reasons + " " + expected + " times: " + changes);
        }
    }

    /** Agents that were marked as unhealthy or dead although their heartbeats came in time while the registry answered. */
    List<String> falseAlarms(LoadAgent agent) {
        List<String> found = new ArrayList<>();
        ofType("agent.lifecycle")
                .filter(event -> event.path("agent_id").asText().equals(agent.id()))
                .forEach(event -> {
                    Duration silence = agent.silenceAt(
                            Instant.parse(event.path("timestamp").asText()));
                    String status = event.path("new_status").asText();
                    if (status.equals("unhealthy") && silence.compareTo(LoadAgent.UNHEALTHY_AFTER) < 0
                            || status.equals("dead") && silence.compareTo(LoadAgent.DEAD_AFTER) < 0) {
                        found.add("silent for " + silence + ": " + event);
                    }
                });
        return found;
    }

    /**
     * Changes of agents that did not come to the bus, or that came twice from one process or not as they are in the log.
     *
     * @param outputs what each process printed: the events that a rule delivers to a log group
     */
    List<String> undelivered(List<Path> outputs) throws IOException {
        List<String> found = new ArrayList<>(problems);
        Set<String> delivered = new HashSet<>();
        for (Path output : outputs) {
            Set<String> byProcess = new HashSet<>();
            for (String line : Files.readAllLines(output)) {
                if (line.contains(ON_THE_BUS)) {
                    JsonNode event = event(line.substring(line.indexOf(ON_THE_BUS) + ON_THE_BUS.length()));
                    String id = event.path("event_id").asText();
                    if (!event.isMissingNode() && !event.equals(byId.get(id))) {
                        found.add("delivered " + event + ", logged " + byId.get(id));
                    }
                    if (!byProcess.add(id)) {
                        found.add("delivered twice: " + event);
                    }
                }
            }
            delivered.addAll(byProcess);
        }
        ofType("agent.lifecycle")
                .filter(event -> !delivered.contains(event.path("event_id").asText()))
                .forEach(event -> found.add("not delivered: " + event));
        return found;
    }

    /** Missing where the process ended in the middle of the line. */
    private static JsonNode event(String envelope) throws IOException {
        try {
            return Json.read(envelope).path("detail");
        } catch (JsonProcessingException e) {
            return Json.object().path("detail");
        }
    }
}
