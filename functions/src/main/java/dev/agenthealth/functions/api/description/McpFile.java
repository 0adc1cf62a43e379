package dev.agenthealth.functions.api.description;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads {@code mcp.json}: the parts of this server that clients see, which are its tools with their schemas, and its resources. */
public final class McpFile {

    private static final String RESOURCE = "/mcp.json";

    private McpFile() {}

    /** Returns the name, title and version of this server for clients of MCP. */
    public static JsonNode serverInfo() {
        return read().path("serverInfo");
    }

    /** Returns the whole file. */
    public static JsonNode read() {
        try (InputStream file = McpFile.class.getResourceAsStream(RESOURCE)) {
            if (file == null) {
                throw new IllegalStateException("the package has no " + RESOURCE);
            }
            return Json.stored(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
