package dev.agenthealth.local.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.local.testing.HttpCaller;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The registry of {@code clients/scenarios}, which misbehaves as a scenario says and checks what it was sent, as a process. Thread-safe. */
final class ScenarioFake implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final String url;

    /** Starts it; the arguments are those of {@code fake.py}. */
    ScenarioFake(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", "fake.py", "--attached"));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .directory(Path.of("../clients/scenarios").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader printed = process.inputReader(StandardCharsets.UTF_8);
        url = String.valueOf(printed.readLine()).replaceFirst("^ready at ", "");
    }

    List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        ask("/_fake/scenarios", "").forEach(name -> names.add(name.asText()));
        return names;
    }

    /** Loads a scenario; its steps are empty where it is not for a real registry. */
    JsonNode load(String name) throws IOException {
        return ask("/_fake/scenarios", JSON.createObjectNode().put("name", name).toString());
    }

    /** What is wrong with a step that is the same for every client; null where nothing is. */
    JsonNode step(JsonNode loaded, JsonNode step) throws IOException {
        return ask(below(loaded) + "/_fake/step", step.toString()).path("failure");
    }

    /** What of all requests is not as the scenario expects. */
    JsonNode verdict(JsonNode loaded) throws IOException {
        return ask(below(loaded) + "/_fake/verdict", "").path("failures");
    }

    private String below(JsonNode loaded) {
        return loaded.path("url").asText().substring(url.length());
    }

    private JsonNode ask(String path, String body) throws IOException {
        return JSON.readTree(new HttpCaller(url)
                .call("POST", path, body.getBytes(StandardCharsets.UTF_8))
                .body());
    }

    @Override
    public void close() {
        process.destroy();
    }
}
