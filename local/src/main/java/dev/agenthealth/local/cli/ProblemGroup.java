package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The problems of one subject that are acknowledged, or that are not. The page shows the same groups.
 *
 * @param problems the problems, the worst first
 */
record ProblemGroup(List<JsonNode> problems) {

    /** The field of a row with the reason, the other problems and the acknowledgement. */
    static final String TEXT = "text";

    /** The field of a row with the number of its problems. */
    static final String COUNT = "count";

    private static final String ACKNOWLEDGED = "acknowledged";

    /** Returns the groups of problems, the worst first, and acknowledged groups last. */
    static Stream<ProblemGroup> of(Stream<JsonNode> problems) {
        Map<String, List<JsonNode>> groups = new LinkedHashMap<>();
        problems.forEach(problem -> groups.computeIfAbsent(
                        isAcknowledged(problem) + " " + problem.path("title").asText(), key -> new ArrayList<>())
                .add(problem));
        return groups.values().stream()
                .map(ProblemGroup::new)
                .sorted(Comparator.comparing(group -> isAcknowledged(group.worst())));
    }

    private static boolean isAcknowledged(JsonNode problem) {
        return problem.path("state").asText().equals(ACKNOWLEDGED);
    }

    private JsonNode worst() {
        return problems.get(0);
    }

    /** Returns the worst problem with the text of the whole group. */
    JsonNode row() {
        String also = problems.stream()
                .skip(1)
                .map(problem -> problem.path("label").asText())
                .collect(Collectors.joining(", "));
        ObjectNode row = worst().deepCopy();
        return row.put(COUNT, problems.size())
                .put(
                        TEXT,
                        handling(worst())
                                + Text.spoken(worst().path("reason").asText(), Instant.now())
                                + (also.isEmpty() ? "" : " Also: " + also + "."));
    }

    private static String handling(JsonNode problem) {
        boolean dismissed = problem.has("dismissal");
        JsonNode handling = dismissed ? problem.path("dismissal") : problem.path("acknowledgement");
        if (handling.isMissingNode()) {
            return "";
        }
        String who = Stream.of("assignee", "by_name", "by")
                .map(field -> handling.path(field).asText(""))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
        String note = handling.path("note").asText("");
        return (dismissed ? "dismissed by " : "taken care of by ") + who + (note.isEmpty() ? "" : ": " + note) + ". ";
    }
}
