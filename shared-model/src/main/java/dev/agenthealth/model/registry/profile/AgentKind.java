package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The kind of a registered program. */
public enum AgentKind implements WireNamed {
    /** An agent with an endpoint that answers messages of A2A. */
    AGENT,
    /** A server of the Model Context Protocol. Its tools are its capabilities. */
    MCP_SERVER;

    /** The kind if the registration declares none. */
    public static final AgentKind DEFAULT = AGENT;
}
