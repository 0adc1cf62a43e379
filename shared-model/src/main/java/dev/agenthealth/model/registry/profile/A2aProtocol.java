package dev.agenthealth.model.registry.profile;

/** The version of A2A and the binding for calls of an agent. */
public record A2aProtocol(A2aVersion version, A2aBinding binding) {

    /** The protocol if the agent declares none. */
    public static final A2aProtocol DEFAULT = new A2aProtocol(A2aVersion.DEFAULT, A2aBinding.DEFAULT);

    /** Returns the same binding with another version. */
    public A2aProtocol in(A2aVersion other) {
        return new A2aProtocol(other, binding);
    }
}
