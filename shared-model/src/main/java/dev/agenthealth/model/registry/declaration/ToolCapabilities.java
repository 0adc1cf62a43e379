package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tools of an MCP server as its capabilities. */
public final class ToolCapabilities {

    private ToolCapabilities() {}

    /** The tools as tags, by name, as many as one agent may have; a name that is no tag is left out, and all are where parts are collapsed. */
    static List<String> of(DeclaredParts parts) {
        return parts.named("tool:").stream()
                .filter(name -> !name.isBlank()
                        && name.length() <= CapabilityTag.MAX_LENGTH
                        && CapabilityTag.fitsIntoList(name)
                        && !DeclaredParts.isShortened(name))
                .limit(AgentInterface.MAX_CAPABILITIES)
                .toList();
    }

    /**
     * Returns the capabilities that an MCP server gets with an observation; empty where it keeps its own, which it has where it declares others than
     * the tools that were seen before.
     */
    public static Optional<List<String>> replacing(AgentInterface declared, DeclaredParts before, DeclaredParts seen) {
        Set<String> present = Set.copyOf(declared.capabilities());
        List<String> tools = of(seen);
        boolean observed = present.isEmpty() || present.equals(Set.copyOf(of(before)));
        return Optional.of(tools)
                .filter(next ->
                        declared.kind() == AgentKind.MCP_SERVER && observed && !present.equals(Set.copyOf(next)));
    }
}
