package dev.agenthealth.functions.registry.declarations;

import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclaredParts;

/**
 * An observed declaration of an agent.
 *
 * @param kind from what it was read
 * @param parts the parts of that
 */
public record Observation(DeclarationKind kind, DeclaredParts parts) {}
