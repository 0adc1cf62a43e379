package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Events of one agent, written as {@code "lifecycle active>dead heartbeat_timeout"}, each a second after the one before. */
final class ProblemEvents {

    static final Instant START = Instant.parse("2026-02-08T10:00:00Z");
    static final Instant NOW = START.plusSeconds(3_600);

    private ProblemEvents() {}

    /** The event with this number. */
    static ReceivedEvent event(int number, String text) {
        return event(number, text, START.plusSeconds(number));
    }

    /** The event with this number, by the clock of the server that writes it. */
    static ReceivedEvent event(int number, String text, Instant at) {
        String[] words = text.split(" ");
        String[] change = words[1].split(">");
        Map<String, String> detail = new HashMap<>();
        detail.put("event_id", "e" + number);
        detail.put("timestamp", at.toString());
        detail.put("sequence", String.valueOf(number));
        if (words[0].equals("agent.trust")) {
            // Decisions about an agent are numbered apart from its events.
            detail.put("revision", String.valueOf(number % 100));
        }
        detail.put("role_id", "r");
        switch (words[0]) {
            case "registry.blackout", "registry.blackout_over" -> {}
            case "pool.below_minimum", "pool.recovered" -> detail.put("active_instances", change[0]);
            default -> detail.put("agent_id", "a");
        }
        detail.put("previous_status", change[0]);
        detail.put("new_status", change[1]);
        detail.put("previous_state", change[0]);
        detail.put("new_state", change[1]);
        detail.put("action", change[1]);
        detail.put("severity", change[1].equals("dead") ? "error" : change[1]);
        if (words[0].equals("agent.declaration_changed") && change[1].equals("changed")) {
            detail.put("added", "tool:x");
        }
        detail.put("reason", words.length > 2 ? words[2] : "");
        EventType type = WireNamed.find(EventType.class, words[0]).orElseThrow();
        return ReceivedEvent.of(type, detail).get(0);
    }

    /** The problems after these events, in their order. */
    static Map<String, SubjectProblem> after(String... texts) {
        Map<String, SubjectProblem> problems = Map.of();
        for (int i = 0; i < texts.length; i++) {
            problems = ProblemRule.after(problems, List.of(event(i, texts[i])), NOW);
        }
        return problems;
    }
}
