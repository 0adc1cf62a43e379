package dev.agenthealth.model.declaration;

import dev.agenthealth.model.WireNamed;

/** What a declaration was read from. */
public enum DeclarationKind implements WireNamed {
    /** The agent card. */
    CARD,
    /** The list of tools of an MCP server. */
    TOOLS,
    /** The profile, which names the model. */
    MODEL
}
