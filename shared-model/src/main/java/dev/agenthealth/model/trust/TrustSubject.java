package dev.agenthealth.model.trust;

/** Whom trust is about. */
public sealed interface TrustSubject {

    /** The id of the agent or of the provider. */
    String id();

    /** One agent. */
    record OfAgent(String id) implements TrustSubject {}

    /** A provider, which stands for all agents that name it. */
    record OfProvider(String id) implements TrustSubject {}
}
