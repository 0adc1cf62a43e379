package dev.agenthealth.model.operations.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Ids;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportedIdTest {

    @ParameterizedTest
    @CsvSource({
        "urn:air:example.com:agents:Billing, example.com:agents:billing",
        "urn:example:agent-finance-001,      example:agent-finance-001",
        "io.github.user/weather,             io.github.user-weather",
        "https://agents.example.com:8443/research/, agents.example.com:8443-research",
        "a::b:,                              a:b",
    })
    void an_identifier_has_a_readable_id(String identifier, String id) {
        assertThat(ImportedId.of(identifier)).isEqualTo(id);
    }

    @Property
    void every_identifier_has_a_valid_id(@ForAll String identifier) {
        String id = ImportedId.of(identifier);
        assertThat(Ids.isValid(id) && !Ids.isReserved(id)).isTrue();
    }
}
