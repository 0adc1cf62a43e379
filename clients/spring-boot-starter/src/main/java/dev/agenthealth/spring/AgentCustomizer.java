package dev.agenthealth.spring;

import dev.agenthealth.client.AgentBuilder;

/**
 * A bean that changes the settings of an agent before it starts, such as its callbacks. It is called for each agent, after the properties
 * were applied.
 */
@FunctionalInterface
public interface AgentCustomizer {

    /**
     * Changes the settings.
     *
     * @param beanName the name of the bean with {@link dev.agenthealth.client.Agent}; empty for the agent of the properties
     */
    void customize(String beanName, AgentBuilder agent);
}
