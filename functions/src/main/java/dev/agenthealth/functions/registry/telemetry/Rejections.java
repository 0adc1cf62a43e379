package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.SpanRejection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The spans of a request that are not counted, by reason. Thread-safe. */
final class Rejections {

    /** The spans rejected for one reason. */
    private record Rejected(long spans, Execution first) {}

    private final Map<SpanRejection, Rejected> byReason = new EnumMap<>(SpanRejection.class);
    private String hint = "";

    synchronized void add(SpanRejection reason, Execution execution) {
        byReason.merge(
                reason, new Rejected(1, execution), (before, one) -> new Rejected(before.spans() + 1, before.first()));
    }

    /** Says something of the whole batch, of which nothing is rejected. */
    synchronized void hint(String text) {
        hint = text;
    }

    /** The number of rejected spans. */
    synchronized long count() {
        return byReason.values().stream().mapToLong(Rejected::spans).sum();
    }

    /** The reasons, each with its number of spans and one of them; else what was said of the whole batch; empty for neither. */
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
