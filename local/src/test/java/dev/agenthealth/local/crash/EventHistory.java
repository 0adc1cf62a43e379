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

/** All events of a registry, as its log of events has them. */
final class EventHistory {

    private static final String ON_THE_BUS = "agent-lifecycle] ";

    private final Map<String, JsonNode> byId = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    static EventHistory read(KilledRegistry registry, Instant since) {
        EventHistory history = new EventHistory();
        JsonNode page = Json.object();
        do {
            String token = page.has("next_token")
                    ? "&next_token=" + page.path("next_token").asText()
                    : "";
            page = registry.get("/api/v1/events?limit=1000&since=" + since + token);
            for (JsonNode event : page.path("events")) {
                if (history.byId.put(text(event, "event_id"), event) != null) {
                    history.problems.add("another event has the id of " + event);
                }
            }
        } while (page.has("next_token"));
        return history;
    }

    boolean has(String eventId) {
        return byId.containsKey(eventId);
    }

    long count(String field, String value) {
        return byId.values().stream()
                .filter(event -> text(event, field).equals(value))
                .count();
    }

    private long blocks(LoadAgent agent) {
        return byId.values().stream()
                .filter(event -> text(event, "type").equals("agent.trust")
                        && text(event, "action").equals("blocked")
                        && text(event, "agent_id").equals(agent.id()))
                .count();
    }

    private List<JsonNode> changes(LoadAgent agent) {
        return byId.values().stream()
                .filter(event -> text(event, "type").equals("agent.lifecycle")
                        && text(event, "agent_id").equals(agent.id()))
                .toList();
    }

    /** Acknowledged changes of an agent that do not have exactly one event each. */
    List<String> missing(LoadAgent agent) {
        List<String> missing = new ArrayList<>();
        List<JsonNode> changes = changes(agent);
        List<String> reasons =
                changes.stream().map(change -> text(change, "reason")).toList();
        if (reasons.stream().filter(reason -> reason.endsWith("registered")).count()
                        != agent.registrations() + agent.departures()
                || reasons.stream().filter("deregistered"::equals).count() != agent.departures()
                || changes.stream()
                                .map(change -> text(change, "sequence"))
                                .distinct()
                                .count()
                        != changes.size()) {
            missing.add(agent.id() + " registered " + agent.registrations() + " times: " + changes);
        }
        if (blocks(agent) != (agent.isBlocked() ? 1 : 0)) {
            missing.add(agent.id() + " was blocked once: " + agent.isBlocked());
        }
        for (LoadAgent.Lease lease : agent.leases()) {
            JsonNode acquired = byId.getOrDefault("lease:" + lease.id() + ":acquired", Json.object());
            if (acquired.path("fencing_token").asLong() != lease.token()
                    || lease.isActive() == has("lease:" + lease.id() + ":released")) {
                missing.add(lease + " has the event " + acquired + ", or the wrong event of its end");
            }
        }
        return missing;
    }

    /** Agents that were marked as unhealthy or dead although their heartbeats came in time while the registry answered. */
    List<String> falseAlarms(LoadAgent agent) {
        Map<String, Duration> thresholds = Map.of("unhealthy", LoadAgent.UNHEALTHY_AFTER, "dead", LoadAgent.DEAD_AFTER);
        List<String> found = new ArrayList<>();
        for (JsonNode change : changes(agent)) {
            Duration silence = agent.silenceAt(Instant.parse(text(change, "timestamp")));
            Duration threshold = thresholds.getOrDefault(text(change, "new_status"), Duration.ZERO);
            if (silence.compareTo(threshold) < 0) {
                found.add("silent for " + silence + ": " + change);
            }
        }
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
                JsonNode event = event(line);
                String id = text(event, "event_id");
                if (!id.isEmpty() && (!byProcess.add(id) || !event.equals(byId.get(id)))) {
                    found.add("delivered twice, or otherwise than logged: " + event + ", logged " + byId.get(id));
                }
            }
            delivered.addAll(byProcess);
        }
        byId.forEach((id, event) -> {
            if (text(event, "type").equals("agent.lifecycle") && !delivered.contains(id)) {
                found.add("not delivered: " + event);
            }
        });
        return found;
    }

    /** Missing where the line has none, or the process ended in the middle of it. */
    private static JsonNode event(String line) throws IOException {
        int at = line.indexOf(ON_THE_BUS);
        try {
            return Json.read(at < 0 ? "{}" : line.substring(at + ON_THE_BUS.length()))
                    .path("detail");
        } catch (JsonProcessingException e) {
            return Json.object().path("detail");
        }
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asText();
    }
}
