package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.SpanRejection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The spans of a request that do not count, by reason. Thread-safe. */
final class Rejections {

    /** The spans that were rejected for one reason. */
    private record Rejected(long spans, Execution first) {}

    private final Map<SpanRejection, Rejected> byReason = new EnumMap<>(SpanRejection.class);
    private String hint = "";

    synchronized void add(SpanRejection reason, Execution execution) {
        byReason.merge(
                reason, new Rejected(1, execution), (before, one) -> new Rejected(before.spans() + 1, before.first()));
    }

    /** Sets a message about the whole batch, if no span is rejected. */
    synchronized void hint(String text) {
        hint = text;
    }

    /** Returns the number of rejected spans. */
    synchronized long count() {
        return byReason.values().stream().mapToLong(Rejected::spans).sum();
    }

    /**
     * Returns the reasons, each with its number of spans and an example. Without rejected spans, returns the message about the whole batch;
     * empty for none.
     */
    synchronized String message() {
        return byReason.isEmpty()
                ? hint
                : byReason.entrySet().stream()
                        .map(entry -> entry.getValue().spans() + " spans "
                                + entry.getKey().reason() + ", such as "
                                + example(entry.getValue().first()))
                        .collect(Collectors.joining("; "));
    }

    private static String example(Execution execution) {
        String agent = execution.agentId().isEmpty()
                ? "agent '" + shown(execution.name().agent()) + "' of service '"
                        + shown(execution.name().service()) + "'"
                : "agent_health.agent_id '" + shown(execution.agentId()) + "'";
        return "span '" + shown(execution.span().key().spanId()) + "' of " + agent;
    }

    static String shown(String text) {
        String cut = text.length() > 64 ? text.substring(0, 64) + "..." : text;
        return cut.replaceAll("\\p{Cntrl}|[\\ud800-\\udfff]", "?");
    }
}
