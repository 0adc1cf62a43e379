package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;

/** The JSON Schema of health documents that the project ships. */
public final class HealthDocumentSchema {

    private static final String FILE = "docs/schemas/agent-health-0.1.0.json";

    private final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(ProjectFiles.text(FILE), InputFormat.JSON);

    /** What is wrong with a document; empty where nothing is. */
    public List<String> errors(String document) {
        return errors(document, true);
    }

    /**
     * What is wrong with a document in the eyes of one kind of validator; empty where nothing is.
     *
     * @param formats whether it checks formats, which the standard leaves open
     */
    public List<String> errors(String document, boolean formats) {
        return schema
                .validate(
                        document,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(formats)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    /** Holds a document against the schema. */
    public void check(String document) {
        assertThat(errors(document)).as(document).isEmpty();
    }
}
