package dev.agenthealth.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Configures the health contributor {@code agentHealth} if the application has Actuator of Spring Boot 4. */
@AutoConfiguration(after = AgentHealthAutoConfiguration.class)
@ConditionalOnClass(name = ContributorOfBoot4.INDICATOR)
@ConditionalOnBean(ApplicationAgents.class)
@ConditionalOnProperty(name = "management.health.agentHealth.enabled", matchIfMissing = true)
@Import(AgentHealthActuatorOfBoot4AutoConfiguration.Registrar.class)
public class AgentHealthActuatorOfBoot4AutoConfiguration {

    /** Registers the contributor with its type, which the code cannot name. */
    static final class Registrar implements ImportBeanDefinitionRegistrar {

        private static final String NAME = "agentHealthHealthIndicator";

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            if (!registry.containsBeanDefinition(NAME) && registry instanceof BeanFactory beans) {
                RootBeanDefinition contributor = new RootBeanDefinition();
                contributor.setBeanClass(ClassUtils.resolveClassName(ContributorOfBoot4.INDICATOR, null));
                contributor.setInstanceSupplier(
                        () -> new ContributorOfBoot4(beans.getBean(ApplicationAgents.class)).indicator());
                registry.registerBeanDefinition(NAME, contributor);
            }
        }
    }
}
