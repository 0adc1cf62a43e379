package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.event.ruler.Ruler;

/**
 * A rule that the project shows to subscribers or deploys itself.
 *
 * @param name its logical id, or the name that the command gives it
 * @param pattern the event pattern as JSON text
 */
record Subscription(String name, String pattern) {

    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("--name ([\\w-]+)[^'\n]*\\\\?\n? *--event-pattern '([^']*)'");
    private static final Pattern ANY_PATTERN = Pattern.compile("event-pattern '([^']*)'");

    /** The rules in a document: those of its CloudFormation templates, and those of its commands. */
    static List<Subscription> ofDocument(String name) {
        String text = ProjectFiles.text(name);
        List<Subscription> found = new ArrayList<>();
        for (String block : blocks(text)) {
            found.addAll(ofTemplate(Template.parse(block, name)));
        }
        Matcher command = COMMAND.matcher(text);
        while (command.find()) {
            found.add(new Subscription(command.group(1), command.group(2)));
        }
        return found;
    }

    /** The rules of a template. */
    static List<Subscription> ofTemplate(Template template) {
        List<Subscription> found = new ArrayList<>();
        Map<?, ?> resources = (Map<?, ?>) template.document().get("Resources");
        resources.forEach((logicalId, resource) -> {
            Map<?, ?> values = (Map<?, ?>) resource;
            if (values.get("Type").equals("AWS::Events::Rule")) {
                Object pattern = ((Map<?, ?>) values.get("Properties")).get("EventPattern");
                found.add(new Subscription(
                        String.valueOf(logicalId), Json.text(new ObjectMapper().valueToTree(pattern))));
            }
        });
        return found;
    }

    /** The CloudFormation templates of a document. */
    static List<String> blocks(String text) {
        return YAML.matcher(text).results().map(block -> block.group(1)).toList();
    }

    /** The patterns in all commands of the document. */
    static List<String> patternsOfCommands(String name) {
        return ANY_PATTERN
                .matcher(ProjectFiles.text(name))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Whether a target of the rule would get this event, by the engine that EventBridge itself is built on. */
    boolean matches(JsonNode event) {
        try {
            return Ruler.matchesRule(Json.text(event), pattern);
        } catch (Exception e) {
            throw new AssertionError(name + " has no pattern that can be read: " + pattern, e);
        }
    }
}
