/**
 * The Java client of an Agent Health registry. Start at {@link dev.agenthealth.client.AgentHealthClient}.
 *
 * <p>It needs only the JDK and Jackson's databind, and no other part of this project.
 */
package dev.agenthealth.client;
