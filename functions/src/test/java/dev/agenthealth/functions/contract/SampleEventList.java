package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import dev.agenthealth.testkit.SampleEvents;
import dev.agenthealth.testkit.SampleEvents.Row;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The table of {@code events/README.md}: the order, the remarks and the answers of its rows stay, the functions and routes are those of the code. A
 * route without a sample gets a request with an empty body, in the last row.
 */
final class SampleEventList {

    private static final Pattern ROUTE = Pattern.compile("`[A-Z]+ /[^`]*`");
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

    private final SampleEvents samples = new SampleEvents();

    /** The function of each route, by its key. */
    private final Map<String, String> functions;

    SampleEventList(Map<String, String> functions) {
        this.functions = functions;
    }

    /** Compares the table, or writes it with the files of new routes. */
    void check() {
        Set<String> missing = new LinkedHashSet<>(functions.keySet());
        missing.removeIf(key -> key.startsWith("HEAD "));
        StringBuilder text = new StringBuilder("| file | function | what | answer |\n|---|---|---|---|\n");
        for (Row row : samples.rows()) {
            String key = samples.json(row.file()).path("routeKey").asText();
            missing.remove(key);
            append(
                    text,
                    row.file(),
                    functions.getOrDefault(key, row.function()),
                    functions.containsKey(key) ? ROUTE.matcher(row.what()).replaceFirst("`" + key + "`") : row.what(),
                    row.answer());
        }
        for (String key : missing) {
            String file = file(key);
            if (GeneratedText.isWritten()) {
                ProjectFiles.write(folder().resolve(file), PrettyJson.text(request(key)));
            }
            append(text, file, functions.get(key), "`" + key + "`", "200");
        }
        GeneratedText.between("events/README.md", "<!-- written from the routes -->", "<!-- end -->")
                .check(text.toString());
    }

    private static void append(StringBuilder text, String file, String function, String what, String answer) {
        text.append("| `%s` | %s | %s | %s |\n".formatted(file, function, what, answer));
    }

    private static Path folder() {
        return ProjectFiles.path("events");
    }

    private String file(String key) {
        String words = key.replaceAll("/(api|v1)(?=/)", "").replaceAll("/\\{\\w+}", "");
        return functions.get(key).replace("Function", "").toLowerCase(Locale.ROOT) + "-"
                + words.replaceAll("[^\\w]+", "-").toLowerCase(Locale.ROOT) + ".json";
    }

    /** Returns a request whose path names the agent of the other samples. */
    private ObjectNode request(String key) {
        boolean hasBody = !key.startsWith("GET ");
        ObjectNode event = samples.json(hasBody ? "registry-register.json" : "registry-me.json")
                .deepCopy();
        String path = PARAMETER
                .matcher(key.substring(key.indexOf(' ') + 1))
                .replaceAll(name -> name.group(1).equals("agent_id") ? "agent_billing_01" : "unknown");
        event.put("routeKey", key).put("rawPath", path);
        ObjectNode parameters = event.putObject("pathParameters");
        PARAMETER
                .matcher(key)
                .results()
                .forEach(name -> parameters.put(
                        name.group(1), name.group(1).equals("agent_id") ? "agent_billing_01" : "unknown"));
        ObjectNode context = ((ObjectNode) event.path("requestContext")).put("routeKey", key);
        ((ObjectNode) context.path("http"))
                .put("method", key.substring(0, key.indexOf(' ')))
                .put("path", path);
        if (hasBody) {
            event.put("body", "{}");
            ((ObjectNode) event.path("headers")).put("content-length", "2");
        }
        return event;
    }
}
