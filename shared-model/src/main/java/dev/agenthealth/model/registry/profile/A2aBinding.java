package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The way in which calls of A2A are written in HTTP. Others, such as gRPC, are not called. */
public enum A2aBinding implements WireNamed {
    JSON_RPC("JSONRPC"),
    HTTP_JSON("HTTP+JSON");

    /** The binding of an agent that declares none. */
    public static final A2aBinding DEFAULT = JSON_RPC;

    private final String wireName;

    A2aBinding(String wireName) {
        this.wireName = wireName;
    }

    /** The name in agent cards, the same in A2A 0.3 and 1.0. */
    @Override
    public String wireName() {
        return wireName;
    }
}
