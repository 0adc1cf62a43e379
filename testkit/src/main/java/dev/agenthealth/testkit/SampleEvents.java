package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample events in the folder {@code events}, and the README's table about them. */
public final class SampleEvents {

    private static final Pattern ROW = Pattern.compile("\\| `([\\w-]+\\.json)` \\| (\\w+) \\| (.*) \\| (.*) \\|");

    private final Path folder = ProjectFiles.path("events");

    /**
     * A row of the README's table.
     *
     * @param answer the HTTP status; for functions without HTTP, a description of the result
     */
    public record Row(String file, String function, String what, String answer) {

        public boolean isHttp() {
            return answer.matches("\\d{3}");
        }
    }

    /** Returns the rows of the README, in their order. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String line : text("README.md").lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row.group(1), row.group(2), row.group(3), row.group(4)));
            }
        }
        return rows;
    }

    /** Returns the names of the event files. */
    public List<String> files() {
        return ProjectFiles.list(folder).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".json"))
                .toList();
    }

    public String text(String file) {
        return ProjectFiles.text(folder.resolve(file));
    }

    public JsonNode json(String file) {
        return TestJson.read(text(file));
    }
}
