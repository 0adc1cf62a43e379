package dev.agenthealth.spring;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the health contributor {@code agentHealth} if the application has Actuator of Spring Boot 3. */
@AutoConfiguration(after = AgentHealthAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(ApplicationAgents.class)
public class AgentHealthActuatorAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("agentHealth")
    @ConditionalOnMissingBean(name = "agentHealthHealthIndicator")
    HealthIndicator agentHealthHealthIndicator(ApplicationAgents agents) {
        return new AgentsHealthIndicator(agents);
    }
}
