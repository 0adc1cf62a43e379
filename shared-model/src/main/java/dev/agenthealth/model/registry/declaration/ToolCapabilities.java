package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Derives the capabilities of an MCP server from its tools. */
public final class ToolCapabilities {

    private ToolCapabilities() {}

    /**
     * Returns the names of the tools as tags, up to the maximum number of an agent. A name that is not a valid tag is left out. Without separate
     * parts there are no tags.
     */
    static List<String> of(DeclaredParts parts) {
        return parts.named("tool:").stream()
                .filter(name -> !name.isBlank()
                        && name.length() <= CapabilityTag.MAX_LENGTH
                        && CapabilityTag.fitsIntoList(name)
                        && !DeclaredParts.isShortened(name))
                .limit(AgentInterface.MAX_CAPABILITIES)
                .toList();
    }

    /** Returns the new capabilities of an MCP server after an observation; empty if it declares its own capabilities. */
    public static Optional<List<String>> replacing(AgentInterface declared, DeclaredParts before, DeclaredParts seen) {
        Set<String> present = Set.copyOf(declared.capabilities());
        List<String> tools = of(seen);
        boolean observed = present.isEmpty() || present.equals(Set.copyOf(of(before)));
        return Optional.of(tools)
                .filter(next ->
                        declared.kind() == AgentKind.MCP_SERVER && observed && !present.equals(Set.copyOf(next)));
    }
}
