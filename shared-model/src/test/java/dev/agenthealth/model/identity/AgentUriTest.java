package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent's URI is the URL of a card or a DID. */
@Tag("AHS-14")
@Tag("AHS-19")
class AgentUriTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://agent.example.com",
                "https://agent.example.com/.well-known/agent-card.json",
                "HTTPS://Agent.Example.COM:8443/a/b%20c;v=1",
                "http://localhost:8080/agents/a/.well-known/agent.json",
                "https://xn--bcher-kva.example/card",
                "https://v1.2.3.example.com/releases/1.2.3.4000",
                "did:wba:example.com:agent",
                "did:wba:example.com%3A8800:user:agent",
                "did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH"
            })
    void it_is_the_url_of_a_card_or_a_did(String uri) {
        assertThat(AgentUri.isValid(uri)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "agent",
                "/agent",
                "a:b",
                "mailto:jane@example.com",
                "tel:+1-201-555-0123",
                "data:text/plain,Jane%20Doe",
                "javascript:alert(1)",
                "file:///home/jane/agent",
                "urn:example:jane",
                "https://",
                "https:///card",
                "https:agent.example.com",
                "https://jane@agent.example.com/",
                "https://agent.example.com/jane@example.com",
                "https://agent.example.com/%4",
                "https://agent.example.com:123456/",
                "https://-agent.example.com/",
                "ftp://agent.example.com/",
                "https://jane:secret@agent.example.com/",
                "https://agent.example.com/?user=jane",
                "https://agent.example.com/?",
                "https://agent.example.com/#jane",
                "https://agent.example.com/J\u00e4ne",
                "https://agent_1.example.com/",
                "https://agent.example.com:port/",
                "https://agent.example.com/a b",
                "https://10.0.0.7/card",
                "https://10.7/card",
                "https://167772167/card",
                "https://0x0a000007/card",
                "https://127.0.0.1:8080/card",
                "https://[::1]/card",
                "https://[fe80::1]:8443/card",
                "https://agent.example.com/via/10.0.0.7/card",
                "did:wba",
                "did:wba:",
                "did:wba:example.com:",
                "did:WBA:example.com",
                "did:wba:10.0.0.7:agent",
                "did:wba:example.com:jane@example.com",
                "did:wba:example.com:a?name=jane",
                "did:wba:example.com:a#key",
                "did:wba:example.com:a/b",
                "did:wba:example.com:%4"
            })
    void anything_else_is_none(String uri) {
        assertThat(AgentUri.isValid(uri)).isFalse();
    }

    @Test
    void it_has_a_longest() {
        String longest = "did:wba:" + "a".repeat(AgentUri.MAX_LENGTH - 8);
        assertThat(AgentUri.isValid(longest)).isTrue();
        assertThat(AgentUri.isValid(longest + "a")).isFalse();
    }
}
