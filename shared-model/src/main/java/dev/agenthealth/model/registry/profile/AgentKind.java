package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The kinds of what is registered. */
public enum AgentKind implements WireNamed {
    /** An agent, whose endpoint answers messages of A2A. */
    AGENT,
    /** A server of the Model Context Protocol, whose capabilities are its tools. */
    MCP_SERVER;

    /** The kind of a registration that declares none. */
    public static final AgentKind DEFAULT = AGENT;
}
