package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.ProjectFiles;
import org.junit.jupiter.api.Test;

/** The tables of {@code docs/api.md} are made of the description. With {@code -Dopenapi.write=true} they are written instead of checked. */
class ApiDocumentTest {

    private static final MarkedText TABLES =
            new MarkedText(ProjectFiles.path("docs/api.md"), "<!-- written from openapi.yaml -->", "<!-- end -->");

    @Test
    void the_tables_are_those_of_the_description() {
        String tables = ApiReference.text(ApiDescription.ofProject());
        if (Boolean.getBoolean("openapi.write")) {
            TABLES.write(tables);
        }
        assertThat(TABLES.text())
                .as("out of date: run this test with -Dopenapi.write=true")
                .isEqualTo(tables);
    }
}
