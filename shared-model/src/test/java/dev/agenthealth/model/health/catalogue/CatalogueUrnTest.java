package dev.agenthealth.model.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogueUrnTest {

    @ParameterizedTest
    @CsvSource({
        "urn:air:example.com:agent:a,example.com,agent,a",
        "urn:air:example.com:agent:a:b.c_d-e,example.com,agent,a:b.c_d-e",
        "urn:air:127.0.0.1:service:mcp,127.0.0.1,service,mcp",
    })
    void an_identifier_has_a_publisher_a_kind_and_a_name(String text, String publisher, String kind, String name) {
        assertThat(CatalogueUrn.of(text)).contains(new CatalogueUrn(publisher, kind, name));
        assertThat(new CatalogueUrn(publisher, kind, name).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "urn:air:",
                "urn:air:example.com",
                "urn:air:example.com:",
                "urn:air:e:agent:",
                "urn:air:e:agent:a::b",
                "URN:air:e:agent:a",
                "urn:air:e:agent:a b",
                "urn%3Aair%3Ae%3Aagent%3Aa",
                "urn:ai:e:agent:a",
                " urn:air:e:agent:a"
            })
    void another_text_is_no_identifier(String text) {
        assertThat(CatalogueUrn.of(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a,true", "a:b,true", "a.b_c-d,true", "a::b,false", "a:,false"})
    void an_id_with_an_empty_part_names_nothing(String id, boolean mayName) {
        assertThat(CatalogueUrn.mayName(id)).isEqualTo(mayName);
        assertThat(CatalogueUrn.of("urn:air:e:agent:" + id).isPresent()).isEqualTo(mayName);
    }
}
