package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata of the properties for editors. */
class PropertyMetadataTest {

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    @Test
    void every_property_is_described() throws IOException {
        Map<String, String> described = new HashMap<>();
        Enumeration<URL> files = getClass().getClassLoader().getResources(FILE);
        while (files.hasMoreElements()) {
            try (InputStream file = files.nextElement().openStream()) {
                for (JsonNode property : new JsonMapper().readTree(file).path("properties")) {
                    String name = property.path("name").asText();
                    if (name.startsWith("agent-health.")) {
                        described.put(name, property.path("description").asText());
                    }
                }
            }
        }
        assumeTrue(!described.isEmpty(), "the annotation processor, which writes the metadata, did not run");

        assertThat(described.keySet()).containsExactlyInAnyOrderElementsOf(names().toList());
        assertThat(described.values()).doesNotContain("");
    }

    /** The names of all properties. */
    static Stream<String> names() {
        return Arrays.stream(AgentHealthProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> "agent-health." + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }
}
