package dev.agenthealth.functions.storage.workflows;

import java.time.Instant;

/**
 * A role, provider or platform that an agent named.
 *
 * @param name its id
 * @param notedAt when it was first named; {@link Instant#EPOCH} where that is not known
 */
public record Group(String name, Instant notedAt) {}
