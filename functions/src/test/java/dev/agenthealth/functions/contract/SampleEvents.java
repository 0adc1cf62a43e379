package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.EventSchemas;
import dev.agenthealth.testkit.ProjectFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** One whole event of each detail type for subscribers, {@code docs/events/<detail type>.json}, taken from {@link SubscribersStory}. */
final class SampleEvents {

    private static final String FOLDER = "docs/events";
    private static final Pattern RANDOM_ID = Pattern.compile("(lease|audit|key)_[0-9A-Z]{26}");

    /** Where the story has several events of a type, which one says most. */
    private static final Map<String, Predicate<JsonNode>> CHOICE = Map.of(
            "agent.lifecycle",
                    detail -> detail.path("new_status").asText().equals("dead")
                            && detail.path("agent_id").asText().equals("planner-1"),
            "agent.health", detail -> detail.has("calibration_anchor"),
            "agent.score", detail -> detail.path("new_state").asText().equals("Unhealthy"),
            "lease.expired", detail -> detail.path("reason").asText().equals("agent_dead"));

    private SampleEvents() {}

    /** Those of the story, by detail type. */
    static Map<String, JsonNode> ofStory() {
        Map<String, JsonNode> samples = new TreeMap<>();
        for (JsonNode event : SubscribersStory.events()) {
            String detailType = event.path("detail-type").asText();
            if (CHOICE.getOrDefault(detailType, detail -> true).test(event.path("detail"))) {
                samples.putIfAbsent(detailType, event);
            }
        }
        return samples;
    }

    /** Those in the files, by detail type. */
    static Map<String, JsonNode> ofFiles() {
        Map<String, JsonNode> samples = new TreeMap<>();
        for (Path file : ProjectFiles.list(ProjectFiles.path(FOLDER))) {
            samples.put(file.getFileName().toString().replace(".json", ""), Json.stored(ProjectFiles.text(file)));
        }
        return samples;
    }

    /** Rewrites the files whose events differ from the story, and the examples of the schemas. */
    static void write() {
        Path folder = ProjectFiles.path("docs").resolve("events");
        Map<String, JsonNode> before = Files.exists(folder) ? ofFiles() : Map.of();
        ofStory().forEach((detailType, sent) -> {
            JsonNode written = before.getOrDefault(detailType, Json.object());
            JsonNode event = withoutChance(written).equals(withoutChance(sent)) ? written : sent;
            ProjectFiles.write(folder.resolve(detailType + ".json"), PrettyJson.text(event));
            Path file = EventSchemas.file(detailType);
            JsonNode schema = Json.stored(ProjectFiles.text(file));
            ((ObjectNode) schema).putArray("examples").add(event.path("detail"));
            ProjectFiles.write(file, PrettyJson.text(schema));
        });
    }

    /** The event but for what differs each time: the ids of leases, keys and entries of the audit log, and the ids made of them. */
    static JsonNode withoutChance(JsonNode event) {
        String text = RANDOM_ID.matcher(Json.text(event)).replaceAll("$1_");
        JsonNode same = Json.stored(text);
        return text.equals(Json.text(event)) ? same : ((ObjectNode) same).put("id", "");
    }
}
