/**
 * The Java client of an Agent Health registry. Start at {@link dev.agenthealth.client.AgentHealthClient}.
 *
 * <p>Needs the JDK and Jackson's databind, and nothing else of this project.
 */
package dev.agenthealth.client;
