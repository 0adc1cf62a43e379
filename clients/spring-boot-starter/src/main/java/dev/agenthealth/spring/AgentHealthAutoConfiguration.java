package dev.agenthealth.spring;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthClientBuilder;
import dev.agenthealth.client.gate.HealthGate;
import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Configures the client, the agents and the health gate of an application. An application's own bean replaces each of them. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "agent-health.enabled", matchIfMissing = true)
@EnableConfigurationProperties(AgentHealthProperties.class)
public class AgentHealthAutoConfiguration {

    /** Returns the client if {@code agent-health.url} is set. It is closed with the context, not with the JVM. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @Conditional(UrlIsSet.class)
    AgentHealthClient agentHealthClient(AgentHealthProperties properties) {
        AgentHealthClientBuilder client = AgentHealthClient.builder(properties.url());
        if (!properties.key().isBlank()) {
            client.apiKey(resolved("agent-health.key", properties.key()));
        } else if (!properties.tokenFile().isBlank()) {
            client.tokenFile(Path.of(resolved("agent-health.token-file", properties.tokenFile())));
        } else {
            throw new IllegalStateException(
                    "agent-health.url is set, but neither agent-health.key nor agent-health.token-file is");
        }
        return client.requestTimeout(properties.requestTimeout())
                .maxRetryTime(properties.maxRetryTime())
                .drainOnShutdown(false)
                .build();
    }

    /** Returns the value; throws if it is an unresolved placeholder, since Spring leaves placeholders without a value unchanged. */
    private static String resolved(String property, String value) {
        if (value.startsWith("${")) {
            throw new IllegalStateException("%s is %s, which has no value".formatted(property, value));
        }
        return value;
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(AgentHealthClient.class)
    ApplicationAgents applicationAgents(
            AgentHealthClient client,
            AgentHealthProperties properties,
            ObjectProvider<AgentCustomizer> customizers,
            ApplicationContext context) {
        AgentBeans beans = new AgentBeans(client, new AgentSettings(properties), customizers, context);
        return new ApplicationAgents(beans, ApplicationAgents::newThread);
    }

    @Bean
    @ConditionalOnMissingBean
    HealthGate healthGate() {
        return HealthGate.create();
    }
}
