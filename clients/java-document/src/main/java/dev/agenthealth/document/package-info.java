/**
 * An agent's own health document (Agent Health State §4), measured by the agent itself with the rules of the registry.
 *
 * <p>Start at {@link dev.agenthealth.document.OwnHealth}.
 */
package dev.agenthealth.document;
