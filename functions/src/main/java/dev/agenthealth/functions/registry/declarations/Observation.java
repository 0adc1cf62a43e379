package dev.agenthealth.functions.registry.declarations;

import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclaredParts;

/**
 * An observed declaration of an agent.
 *
 * @param kind the kind of the document
 * @param parts the parts of the document
 */
public record Observation(DeclarationKind kind, DeclaredParts parts) {}
