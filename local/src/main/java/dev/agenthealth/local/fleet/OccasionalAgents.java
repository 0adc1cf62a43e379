package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The agents of the demo that need more than regular heartbeats. Not thread-safe.
 *
 * <p>One agent hangs in a tool, two run on a schedule, and one of these is overdue. Another agent is only called, another is watched, and
 * another pings.
 */
final class OccasionalAgents {

    /** The agent that is only called. */
    static final String CALLED = "answers-1";

    /** The agent that the registry probes. */
    static final String WATCHED = "search-1";

    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private static final List<Member> MEMBERS = List.of(
            new Member("contract-reader-1", "document-reader", Heartbeats.OF_A_TASK_THAT_HANGS, config -> {
                config.put("interval_seconds", INTERVAL.toSeconds()).put("unhealthy_after_seconds", 12);
                config.put("dead_after_seconds", 30)
                        .putObject("stall_after_seconds")
                        .put("tool", 20);
            }),
            new Member("nightly-report-1", "reporter", Heartbeats.OF_ONE_RUN, config -> config.putObject("schedule")
                    .put("cron", "0 2 * * *")
                    .put("time_zone", "Europe/Berlin")),
            new Member("ledger-export-1", "exporter", Heartbeats.OF_ONE_RUN, config -> config.put(
                            "dead_after_seconds", Duration.ofDays(1).toSeconds())
                    .putObject("schedule")
                    .put("every_seconds", 20)
                    .put("grace_seconds", 10)),
            new Member(CALLED, "answerer", Heartbeats.NONE, config -> config.put("mode", "none")),
            new Member(WATCHED, "searcher", Heartbeats.NONE, config -> {}),
            new Member("archive-1", "archivist", Heartbeats.OF_PINGS, config -> config.putObject("schedule")
                    .put("every_seconds", 20)
                    .put("grace_seconds", 10)));

    private final RegistryHttp registry;
    private final String provider;
    private final String endpoint;
    private final Instant startsAt;
    private final List<Member> absent = new ArrayList<>(MEMBERS);
    private Instant next;
    private String pingUrl = "";
    private boolean running;

    private enum Heartbeats {
        NONE,
        OF_ONE_RUN,
        OF_PINGS,
        OF_A_TASK_THAT_HANGS
    }

    /** An agent and its declared heartbeats. */
    private record Member(String id, String role, Heartbeats heartbeats, Consumer<ObjectNode> config) {}

    /**
     * @param registry the registry with the agents' key
     * @param endpoint the endpoint of the called agent
     */
    OccasionalAgents(RegistryHttp registry, String provider, String endpoint, Instant now) {
        this.registry = registry;
        this.provider = provider;
        this.endpoint = endpoint;
        this.startsAt = now;
        this.next = now;
    }

    static int size() {
        return MEMBERS.size();
    }

    /** Registers missing agents, and sends the due heartbeats. */
    void act(Instant now) {
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(INTERVAL);
        ping();
        MEMBERS.stream()
                .filter(member -> member.heartbeats() == Heartbeats.OF_A_TASK_THAT_HANGS && !absent.contains(member))
                .forEach(member -> heartbeat(member, now));
        for (Member member : List.copyOf(absent)) {
            if (registry.post("/api/v1/agents", registration(member)).status() == 201) {
                absent.remove(member);
                if (member.id().equals(CALLED)) {
                    // The agent declares another model than at first; an operator has to accept it.
                    registry.patch("/api/v1/agents/" + CALLED, model(JsonNodeFactory.instance.objectNode(), "2"), "*");
                }
                if (member.heartbeats() == Heartbeats.OF_ONE_RUN) {
                    heartbeat(member, now);
                }
                if (member.heartbeats() == Heartbeats.OF_PINGS) {
                    pingUrl = registry.post(
                                    "/api/v1/agents/" + member.id() + "/ping-url",
                                    JsonNodeFactory.instance.objectNode())
                            .json()
                            .path("ping_url")
                            .asText();
                }
            }
        }
    }

    /** Starts a run, or ends the current run. */
    private void ping() {
        if (!pingUrl.isEmpty()) {
            running = !running;
            registry.withoutKey()
                    .post(
                            pingUrl + (running ? "/start" : "/0"),
                            JsonNodeFactory.instance.objectNode().put("archived_files", 128));
        }
    }

    private ObjectNode registration(Member member) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("agent_id", member.id()).put("role_id", member.role()).put("provider_id", provider);
        body.put("name", member.id().replace('-', ' ')).put("platform", "functions");
        body.putArray("capabilities").add(member.role()).add("demo");
        member.config().accept(body.putObject("heartbeat_config"));
        if (member.id().equals(WATCHED)) {
            body.putObject("watch").put("by", "http").put("interval_seconds", 10);
        }
        if (member.id().equals(CALLED)) {
            model(body, "1");
        }
        return member.id().equals(CALLED) || member.id().equals(WATCHED) ? body.put("endpoint", endpoint) : body;
    }

    private static ObjectNode model(ObjectNode body, String version) {
        body.putObject("model").put("name", "large").put("version", version);
        return body;
    }

    private void heartbeat(Member member, Instant now) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", "active").put("client_timestamp", now.toString());
        if (member.heartbeats() == Heartbeats.OF_A_TASK_THAT_HANGS) {
            body.put("current_load", 1).putArray("tasks_in_progress").add("contract-17");
            body.putObject("activity")
                    .put("phase", "tool")
                    .put("no_progress_seconds", Duration.between(startsAt, now).toSeconds());
        }
        registry.post("/api/v1/agents/" + member.id() + "/heartbeat", body);
    }
}
