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

    /** Returns the errors of a document; empty if it is valid. */
    public List<String> errors(String document) {
        return errors(document, true);
    }

    /**
     * Returns the errors of a document, by a validator with or without formats; empty if it is valid.
     *
     * @param formats whether formats are checked, which is optional in the standard
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

    /** Asserts that a document is valid. */
    public void check(String document) {
        assertThat(errors(document)).as(document).isEmpty();
    }
}
