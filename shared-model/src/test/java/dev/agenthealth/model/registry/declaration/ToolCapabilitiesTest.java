package dev.agenthealth.model.registry.declaration;

import static dev.agenthealth.model.registry.declaration.DeclaredPartsTest.parts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tools of an MCP server as its capabilities. */
class ToolCapabilitiesTest {

    private static final DeclaredParts BEFORE = parts("tool:a", "1", "tool:b", "1");
    private static final DeclaredParts SEEN = parts("tool:a", "2", "tool:c", "1");

    private static AgentInterface declaring(AgentKind kind, String... capabilities) {
        return new AgentInterface(kind, List.of(capabilities), "", A2aProtocol.DEFAULT, false, Instant.EPOCH);
    }

    private static Optional<List<String>> replacing(AgentInterface declared) {
        return ToolCapabilities.replacing(declared, BEFORE, SEEN);
    }

    @Test
    void a_server_without_capabilities_of_its_own_gets_its_tools() {
        assertThat(replacing(declaring(AgentKind.MCP_SERVER))).contains(List.of("a", "c"));
        assertThat(replacing(declaring(AgentKind.MCP_SERVER, "b", "a"))).contains(List.of("a", "c"));
        assertThat(replacing(declaring(AgentKind.MCP_SERVER, "c", "a")))
                .as("no write")
                .isEmpty();
    }

    @Test
    void agents_and_capabilities_that_somebody_declared_stay() {
        assertThat(replacing(declaring(AgentKind.MCP_SERVER, "weather"))).isEmpty();
        assertThat(replacing(declaring(AgentKind.AGENT))).isEmpty();
    }

    @Test
    void names_that_are_no_tags_are_left_out_and_there_is_a_maximum() {
        DeclaredParts odd = DeclaredParts.of(Map.of(
                "tool:",
                List.of("1"),
                "tool:a,b",
                List.of("1"),
                "tool: c",
                List.of("1"),
                "tool:d\ne",
                List.of("1"),
                "tool:" + "x".repeat(65),
                List.of("1"),
                "tool:" + "x".repeat(64),
                List.of("1")));
        assertThat(ToolCapabilities.of(odd)).containsExactly("x".repeat(64));
        DeclaredParts many = DeclaredParts.of(
                IntStream.range(0, 200).boxed().collect(Collectors.toMap(i -> "tool:" + i, i -> List.of("1"))));
        assertThat(ToolCapabilities.of(many)).hasSize(AgentInterface.MAX_CAPABILITIES);
    }
}
