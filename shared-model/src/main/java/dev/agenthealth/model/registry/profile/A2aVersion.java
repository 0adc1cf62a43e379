package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The version of the A2A protocol that an agent speaks. */
public enum A2aVersion implements WireNamed {
    V0_3("0.3"),
    V1_0("1.0");

    /** The version if the agent declares none. */
    public static final A2aVersion DEFAULT = V0_3;

    private final String wireName;

    A2aVersion(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the other version. */
    public A2aVersion other() {
        return this == V0_3 ? V1_0 : V0_3;
    }

    /** Returns the major and minor number, as in requests and responses. */
    @Override
    public String wireName() {
        return wireName;
    }
}
