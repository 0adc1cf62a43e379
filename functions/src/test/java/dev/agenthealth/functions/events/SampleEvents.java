package dev.agenthealth.functions.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folder of sample events, and what its README says about each. */
public final class SampleEvents {

    private static final Pattern ROW = Pattern.compile("\\| `([\\w-]+\\.json)` \\| (\\w+) \\| (.*) \\| (.*) \\|");

    private final Path folder = folder();

    /**
     * A row of the README's table.
     *
     * @param answer the HTTP status, or for functions without HTTP what comes back in words
     */
    public record Row(String file, String function, String what, String answer) {

        public boolean isHttp() {
            return answer.matches("\\d{3}");
        }
    }

    /** The rows in their order. */
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

    /** The names of the files that are events. */
    public List<String> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JsonNode json(String file) {
        return Json.stored(text(file));
    }

    private static Path folder() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve("events/README.md"))) {
                return at.resolve("events");
            }
        }
        throw new AssertionError("there is no folder of sample events");
    }
}
