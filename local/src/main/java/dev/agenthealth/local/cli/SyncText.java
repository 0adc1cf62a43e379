package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;

/** Shows the changes that a sync of a source made or would make. */
final class SyncText {

    private static final List<String> NOT_FINE = List.of("conflict", "failed", "refused", "postponed");

    /** Counts of entries that declare no agent. */
    private static final List<String> NO_AGENT = List.of("skipped", "deleted");

    private SyncText() {}

    static void print(JsonNode sync, Terminal terminal) {
        Table table = new Table(new Text(terminal), "action", "agent", "entry");
        sync.path("changes")
                .forEach(change ->
                        table.row(text(change, "action"), text(change, "agent_id"), text(change, "identifier")));
        sync.path("conflicts")
                .forEach(conflict -> table.row(
                        "conflict",
                        text(conflict, "agent_id"),
                        text(conflict, "identifier") + ": " + text(conflict, "reason")));
        if (!sync.path("changes").isEmpty() || !sync.path("conflicts").isEmpty()) {
            table.print(terminal);
        }
        printSkipped(sync, terminal);
        sync.path("errors").forEach(error -> terminal.out().println("error: " + Text.plain(error.asText())));
        terminal.out()
                .println(text(sync, "name")
                        + (sync.path("dry_run").asBoolean() ? ", dry run, nothing was changed: " : ": ")
                        + numbers(sync.path("counts")));
        if (count(sync, "postponed") > 0) {
            terminal.out().println("There was no time for all entries; a source goes on within five minutes.");
        }
    }

    private static void printSkipped(JsonNode sync, Terminal terminal) {
        JsonNode skipped = sync.path("skipped");
        skipped.forEach(entry -> terminal.out()
                .println("skipped: " + (text(entry, "identifier").isEmpty() ? "an entry" : text(entry, "identifier"))
                        + " " + text(entry, "reason")));
        long more = count(sync, "skipped") - skipped.size();
        if (more > 0 && !skipped.isEmpty()) {
            terminal.out().println("skipped: " + more + " more");
        }
    }

    /** Returns the exit status: failed if nothing could be read, not fine if an entry was refused. */
    static int status(JsonNode sync) {
        if (!sync.path("complete").asBoolean() && count(sync, "postponed") == 0) {
            return ExitStatus.FAILED;
        }
        boolean fine = sync.path("errors").isEmpty() && NOT_FINE.stream().allMatch(action -> count(sync, action) == 0);
        return fine ? ExitStatus.OK : ExitStatus.NOT_FINE;
    }

    /** Returns true if no entry declares an agent, and there is no error. */
    static boolean isEmpty(JsonNode sync) {
        return sync.path("errors").isEmpty()
                && sync.path("counts").properties().stream()
                        .allMatch(count -> NO_AGENT.contains(count.getKey())
                                || count.getValue().asLong() == 0);
    }

    private static long count(JsonNode sync, String action) {
        return sync.path("counts").path(action).asLong();
    }

    private static String text(JsonNode node, String field) {
        return Text.plain(node.path(field).asText());
    }

    /** Returns the counts that are not 0: "2 registered, 1 conflict". */
    static String numbers(JsonNode counts) {
        String numbers = counts.properties().stream()
                .filter(count -> count.getValue().asLong() > 0)
                .map(count -> count.getValue().asLong() + " " + Text.plain(count.getKey()))
                .collect(Collectors.joining(", "));
        return numbers.isEmpty() ? "no entries" : numbers;
    }
}
