package dev.agenthealth.model.health.trust;

/** An agent or a provider that has a trust record. */
public sealed interface TrustSubject {

    /** Returns the id of the agent or of the provider. */
    String id();

    /** One agent. */
    record OfAgent(String id) implements TrustSubject {}

    /** A provider: all agents that declare it. */
    record OfProvider(String id) implements TrustSubject {}
}
