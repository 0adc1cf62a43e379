package dev.agenthealth.model.operations.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceKindTest {

    @ParameterizedTest
    @CsvSource({
        "A2A_CARD,     https://a.example.com,         https://a.example.com/.well-known/agent-card.json",
        "A2A_CARD,     https://a.example.com/,        https://a.example.com/.well-known/agent-card.json",
        "A2A_CARD,     https://a.example.com/x.json,  https://a.example.com/x.json",
        "MCP_REGISTRY, https://a.example.com,         https://a.example.com/v0.1/servers",
        "AGENT_HEALTH, https://a.example.com:8443/,   https://a.example.com:8443/.well-known/ard.json",
        "AGENT_HEALTH, https://a.example.com/team,    https://a.example.com/team/.well-known/ard.json",
        "AGENT_HEALTH, https://a.example.com/team/,   https://a.example.com/team/.well-known/ard.json",
        "AGENT_HEALTH, https://a.example.com/t/.well-known/ard.json, https://a.example.com/t/.well-known/ard.json",
        "AGENT_HEALTH, https://a.example.com/copy.json, https://a.example.com/copy.json",
        "AI_CATALOG,   https://a.example.com/team,    https://a.example.com/team",
        "AI_CATALOG,   mailto:a@example.com,          mailto:a@example.com/.well-known/ard.json"
    })
    void a_source_without_a_path_has_that_of_its_kind(SourceKind kind, String url, String address) {
        assertThat(kind.addresses(url).get(0)).isEqualTo(address);
    }

    @Test
    void a_catalogue_is_read_at_the_path_of_ard_before_the_path_of_ai_catalog() {
        assertThat(SourceKind.AI_CATALOG.addresses("https://a.example.com"))
                .containsExactly(
                        "https://a.example.com/.well-known/ard.json",
                        "https://a.example.com/.well-known/ai-catalog.json");
    }
}
