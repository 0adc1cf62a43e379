package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Formats the signs of life of an agent, in the words of the page. They include runs, probes, pings, the meaning of missing heartbeats, and
 * the reason of a stall.
 */
final class LifeText {

    /** The signs of life of an agent, other than its own heartbeats. */
    private static final Map<String, String> SIGNS_OF_LIFE = Map.of(
            "ping", " by a ping",
            "probe", " by a probe",
            "call", " by a call",
            "outcome", " by an outcome",
            "span", " by a span");

    /** The signals of a ping, other than an exit code. */
    private static final Map<String, String> SIGNALS = Map.of("done", "done", "start", "started", "fail", "failed");

    /** The maximum number of printed tasks. */
    private static final int MAX_TASKS = 10;

    /** The maximum number of printed characters of a message; the page shows all characters. */
    private static final int MAX_MESSAGE = 300;

    /** The states of a card's signature, in the words of the page. */
    private static final Map<String, String> SIGNATURES = Map.of(
            "valid", "signed",
            "unsigned", "unsigned",
            "unknown_key", "signed by an unknown key",
            "invalid", "not what was signed");

    private final JsonNode agent;
    private final Instant now;

    /** @param agent the record of an agent, or its row in a list */
    LifeText(JsonNode agent, Instant now) {
        this.agent = agent;
        this.now = now;
    }

    /** Returns the time of the last sign of life and, without regular heartbeats, the expected time: "3 h ago, expected in 5 h". */
    String brief() {
        String expected = isOnlyCalled() ? ", only called" : agent.has("expected_at") ? ", expected " + expected() : "";
        return seen() + expected;
    }

    private boolean isOnlyCalled() {
        return agent.path("heartbeat_mode").asText().equals("none");
    }

    private String seen() {
        return !wasSeen()
                ? "none since the registration"
                : Text.ago(agent.path("last_heartbeat_at").asText(), now)
                        + SIGNS_OF_LIFE.getOrDefault(agent.path("last_seen_by").asText(), "");
    }

    /** Returns the reasons of the verdict in a row of a list: "stalled for 12 min in a tool". */
    String reasons() {
        List<String> reasons = new ArrayList<>();
        agent.path("reasons").forEach(reason -> reasons.add(reason.asText()));
        return reasons.stream().map(this::reason).collect(Collectors.joining(", "));
    }

    private String reason(String reason) {
        if (reason.equals("stalled") && agent.path("stalled_since").isTextual()) {
            return stalled();
        }
        if (reason.equals("waiting_for_person") && agent.path("waiting_since").isTextual()) {
            return waiting();
        }
        if (reason.equals("looping") && agent.path("looping_since").isTextual()) {
            return looping();
        }
        if (reason.equals("upstream") && agent.path("upstream").isObject()) {
            return upstream();
        }
        if (reason.equals("no_sign_of_life") && isOnlyCalled()) {
            return "only called, few calls yet";
        }
        return reason.equals("silent") && agent.has("expected_at") ? "no run " + expected() : reason.replace('_', ' ');
    }

    private String stalled() {
        return "stalled for " + Text.since(moment("stalled_since"), now) + " " + place();
    }

    private String waiting() {
        return "waiting for a person for " + Text.since(moment("waiting_since"), now);
    }

    private String looping() {
        long repeats = agent.path("looping_repeats").asLong();
        return "repeats "
                + (agent.hasNonNull("looping_tool")
                        ? "the tool " + agent.path("looping_tool").asText()
                        : "the same calls")
                + (repeats > 0 ? ", " + repeats + " times" : "")
                + " in "
                + Text.since(moment("looping_since"), now);
    }

    private String upstream() {
        JsonNode upstream = agent.path("upstream");
        return "model provider " + upstream.path("provider").asText() + " fails for "
                + Text.since(Instant.parse(upstream.path("since").asText()), now);
    }

    private String place() {
        return WireNamed.find(Phase.class, agent.path("activity").path("phase").asText())
                .orElse(Phase.OTHER)
                .place();
    }

    /** Returns the lines about heartbeats, schedule, missing heartbeats and work of a record, in the words of the page. */
    Map<String, String> facts() {
        JsonNode config = agent.path("heartbeat_config");
        JsonNode schedule = config.path("schedule");
        Map<String, String> facts = new LinkedHashMap<>();
        if (schedule.isObject()) {
            facts.put("runs", runs());
            facts.put(
                    "schedule",
                    schedule.has("cron")
                            ? schedule.path("cron").asText() + " ("
                                    + schedule.path("time_zone").asText() + ")"
                            : "every "
                                    + Text.duration(
                                            schedule.path("every_seconds").asLong()));
        } else {
            facts.put("heartbeat", seen());
        }
        facts.putAll(watched());
        facts.put("silence", silence(config));
        if (config.has("signs_of_life")) {
            List<String> signs = new ArrayList<>();
            config.path("signs_of_life").forEach(sign -> signs.add(sign.asText()));
            facts.put("lives from", String.join(", ", signs));
        }
        facts.put("work", work());
        facts.putAll(tasks());
        if (agent.path("waiting_since").isTextual()) {
            String what = agent.path("waiting_for").asText("");
            facts.put("waiting", waiting() + (what.isEmpty() ? "" : ": " + CommandLineTool.oneLine(what)));
        }
        return facts;
    }

    /** Returns how the registry watches the agent and its last result; empty if it does not watch the agent. */
    private Map<String, String> watched() {
        Map<String, String> facts = new LinkedHashMap<>();
        JsonNode watch = agent.path("watch");
        JsonNode probe = agent.path("last_probe");
        if (watch.isObject()) {
            facts.put(
                    "watched",
                    "every " + Text.duration(watch.path("interval_seconds").asLong()) + " by "
                            + watch.path("by").asText().replace('_', ' '));
            facts.put("last probe", probe.isObject() ? probe(probe) : "none yet");
        }
        JsonNode times = probe.path("response_ms_last_day");
        if (times.isObject()) {
            facts.put(
                    "response time",
                    Text.number(times.path("mean")) + " ms, " + Text.number(times.path("min")) + " to "
                            + Text.number(times.path("max")) + " ms in the last day");
        }
        if (probe.path("certificate_ends_at").isTextual()) {
            Instant end = Instant.parse(probe.path("certificate_ends_at").asText());
            facts.put(
                    "certificate",
                    end.isAfter(now) ? "ends in " + Text.since(now, end) : "ended " + Text.since(end, now) + " ago");
        }
        if (SIGNATURES.containsKey(agent.path("signature").asText())) {
            facts.put("card", SIGNATURES.get(agent.path("signature").asText()));
        }
        return facts;
    }

    private String probe(JsonNode probe) {
        String declared = probe.path("declared").isTextual()
                ? ", declares itself " + probe.path("declared").asText()
                : "";
        return probe.path("failure").isTextual()
                ? "failed for "
                        + Text.since(Instant.parse(probe.path("since").asText()), now) + ": "
                        + probe.path("failure").asText()
                : "answered in " + Text.number(probe.path("response_ms")) + " ms, "
                        + Text.ago(probe.path("at").asText(), now) + declared;
    }

    /**
     * Returns the last ping, in the words of the page.
     *
     * @param address the answer of {@code GET /api/v1/agents/{agent_id}/ping-url}
     */
    static Map<String, String> pinged(JsonNode address, Instant now) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (!address.path("last_ping_at").isTextual()) {
            facts.put("last ping", "none yet");
            return facts;
        }
        String signal = address.path("last_signal").asText();
        String took = address.path("duration_ms").isNumber()
                ? ", took "
                        + Text.duration(Math.round(address.path("duration_ms").asDouble() / 1_000))
                : "";
        facts.put(
                "last ping",
                SIGNALS.getOrDefault(signal, "exit code " + signal) + " "
                        + Text.ago(address.path("last_ping_at").asText(), now) + took);
        if (address.path("last_message").isTextual()) {
            facts.put("last message", message(address.path("last_message").asText()));
        }
        return facts;
    }

    private static String message(String text) {
        String line = CommandLineTool.oneLine(text);
        return line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "..." : line;
    }

    private String runs() {
        String last = wasSeen() ? "last ran " + seen() : "has not run yet";
        if (!agent.has("expected_at")) {
            return last;
        }
        return "expected " + expected() + ", " + last;
    }

    /** Returns false before the first heartbeat. The time of the last heartbeat is then the time of the registration. */
    private boolean wasSeen() {
        return agent.path("heard").asBoolean(true);
    }

    /** Returns the load of the agent and the tasks that it reports. */
    private Map<String, String> tasks() {
        Map<String, String> facts = new LinkedHashMap<>();
        JsonNode maximum = agent.at("/capacity/max_concurrent_tasks");
        if (agent.at("/capacity/current_load").isNumber()) {
            facts.put("load", load() + (maximum.isNumber() ? " of " + maximum.asText() : ""));
        }
        List<String> ids = new ArrayList<>();
        agent.path("tasks_in_progress").forEach(task -> ids.add(task.asText()));
        if (!ids.isEmpty()) {
            String more = ids.size() > MAX_TASKS ? " and " + (ids.size() - MAX_TASKS) + " more" : "";
            facts.put("tasks", String.join(", ", ids.subList(0, Math.min(ids.size(), MAX_TASKS))) + more);
        }
        return facts;
    }

    private long load() {
        return agent.at("/capacity/current_load").asLong();
    }

    private static String silence(JsonNode config) {
        if (config.path("mode").asText().equals("none")) {
            return "no fault: the agent is only called";
        }
        String dead = ", dead " + (config.has("schedule") ? "" : "after ")
                + Text.duration(config.path("dead_after_seconds").asLong());
        JsonNode grace = config.path("schedule").path("grace_seconds");
        return grace.isMissingNode()
                ? "unhealthy after "
                        + Text.duration(config.path("unhealthy_after_seconds").asLong()) + dead
                : "unhealthy " + Text.duration(grace.asLong()) + " after a run that did not come" + dead + " later";
    }

    private String work() {
        if (!agent.path("activity").isObject()) {
            return load() > 0 || !agent.path("tasks_in_progress").isEmpty() ? "no progress reported" : "no task known";
        }
        if (agent.path("looping").asBoolean()) {
            return looping();
        }
        return agent.path("stalled").asBoolean()
                ? stalled()
                : "last progress "
                        + Text.ago(
                                agent.path("activity").path("last_progress_at").asText(), now) + ", " + place();
    }

    private Instant moment(String field) {
        return Instant.parse(agent.path(field).asText());
    }

    private String expected() {
        return Text.moment(agent.path("expected_at").asText(), now);
    }
}
