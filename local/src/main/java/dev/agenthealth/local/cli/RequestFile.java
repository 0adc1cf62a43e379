package dev.agenthealth.local.cli;

import dev.agenthealth.model.ReceivedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A file with the body of a request, in JSON or YAML. */
final class RequestFile {

    private static final long MAX_BYTES = 1024 * 1024;

    private RequestFile() {}

    /**
     * Returns the members of the object in a file.
     *
     * @throws CommandFailedException if the file cannot be read or has no object; the message names the file
     */
    static Map<String, Object> read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CommandFailedException(file + " is larger than 1 MB");
            }
            Object content = new Load(LoadSettings.builder().build())
                    .loadFromString(ReceivedText.of(Files.readString(file)).strip());
            if (content instanceof Map<?, ?> object) {
                Map<String, Object> members = new LinkedHashMap<>();
                object.forEach((name, value) -> members.put(String.valueOf(name), value));
                return members;
            }
        } catch (IOException e) {
            throw new CommandFailedException(file + " cannot be read", e);
        } catch (YamlEngineException e) {
            throw new CommandFailedException(file + " is neither JSON nor YAML", e);
        }
        throw new CommandFailedException(file + " has no object");
    }
}
