package dev.agenthealth.spring;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Adapts {@link AgentsHealth} to Spring Boot 3. */
final class AgentsHealthIndicator extends AbstractHealthIndicator {

    private final ApplicationAgents agents;

    AgentsHealthIndicator(ApplicationAgents agents) {
        super("the state of the agents could not be read");
        this.agents = agents;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        AgentsHealth health = AgentsHealth.of(agents);
        builder.status(health.status().name()).withDetails(health.details());
    }
}
