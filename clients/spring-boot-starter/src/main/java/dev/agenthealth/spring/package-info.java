/**
 * Connects the agents of a Spring Boot application: {@code agent-health.*} properties and beans with {@link dev.agenthealth.client.Agent}.
 *
 * <p>Start at {@link dev.agenthealth.spring.ApplicationAgents}.
 */
package dev.agenthealth.spring;
