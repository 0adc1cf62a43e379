package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.WireNamed;

/** The documents from which a declaration is read. */
public enum DeclarationKind implements WireNamed {
    /** The agent card. */
    CARD,
    /** The list of tools of an MCP server. */
    TOOLS,
    /** The profile, which names the model. */
    MODEL
}
