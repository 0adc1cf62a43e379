/**
 * An agent's own health document (Agent Health State §4). The agent measures itself by the registry's rules.
 *
 * <p>Start at {@link dev.agenthealth.document.OwnHealth}.
 */
package dev.agenthealth.document;
