package dev.agenthealth.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The template in the jar, as JSON. The build writes it from {@code template.yaml} and the files that {@code template.yaml} includes, because
 * reading YAML would take a good part of each start.
 */
public final class PackagedTemplate {

    private static final String RESOURCE = "/template.json";

    private PackagedTemplate() {}

    /**
     * Writes the template of the jar. The build calls this.
     *
     * @param arguments the path of {@code template.yaml}, and the file to write
     */
    public static void main(String... arguments) throws IOException {
        Path target = Path.of(arguments[1]);
        Files.createDirectories(target.toAbsolutePath().getParent());
        try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(target))) {
            write(Template.read(Path.of(arguments[0])).document(), json);
        }
    }

    /**
     * Returns the template of the jar.
     *
     * @throws IllegalStateException if the jar has no template
     */
    public static Template read() {
        try (InputStream in = PackagedTemplate.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            try (JsonParser json = new JsonFactory().createParser(in.readAllBytes())) {
                json.nextToken();
                return Template.of(object(json), RESOURCE);
            }
        } catch (IOException e) {
            throw new IllegalStateException(RESOURCE + " cannot be read from the jar", e);
        }
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName((String) entry.getKey());
                write(entry.getValue(), json);
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(element, json);
            }
            json.writeEndArray();
        } else {
            json.writePOJO(value);
        }
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            map.put(name, value(json));
        }
        return map;
    }

    private static List<Object> array(JsonParser json) throws IOException {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(json));
        }
        return list;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalStateException("unexpected " + json.currentToken());
        };
    }
}
