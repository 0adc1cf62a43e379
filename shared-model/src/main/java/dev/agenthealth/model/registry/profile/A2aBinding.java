package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The representation of A2A calls in HTTP. Agents with other bindings, such as gRPC, are not called. */
public enum A2aBinding implements WireNamed {
    JSON_RPC("JSONRPC"),
    HTTP_JSON("HTTP+JSON");

    /** The binding if the agent declares none. */
    public static final A2aBinding DEFAULT = JSON_RPC;

    private final String wireName;

    A2aBinding(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in agent cards, which is the same in A2A 0.3 and 1.0. */
    @Override
    public String wireName() {
        return wireName;
    }
}
