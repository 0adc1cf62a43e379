package dev.agenthealth.spring;

import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentBuilder;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.Registration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;

/** The agents of an application: its beans with {@link Agent}, and the agent of the properties. */
final class AgentBeans {

    private final AgentHealthClient client;
    private final AgentSettings settings;
    private final ObjectProvider<AgentCustomizer> customizers;
    private final ApplicationContext context;

    AgentBeans(
            AgentHealthClient client,
            AgentSettings settings,
            ObjectProvider<AgentCustomizer> customizers,
            ApplicationContext context) {
        this.client = client;
        this.settings = settings;
        this.customizers = customizers;
        this.context = context;
    }

    ApplicationContext context() {
        return context;
    }

    /**
     * Returns the settings of the agents by the name of their bean; the agent of the properties has the empty name.
     *
     * @throws IllegalStateException if the properties describe one agent, and there are several beans
     */
    Map<String, AgentBuilder> settings() {
        List<String> names = Stream.of(context.getBeanNamesForAnnotation(Agent.class))
                .filter(context::isSingleton)
                .toList();
        if (names.size() > 1 && settings.areAboutOneAgent()) {
            throw new IllegalStateException("agent-health.* describes one agent, but there are " + names.size()
                    + " beans with @Agent: " + names);
        }
        Map<String, AgentBuilder> agents = new LinkedHashMap<>();
        if (names.isEmpty() && settings.describeAgent()) {
            agents.put("", settings.apply(client.agent(Registration.withGeneratedId())));
        }
        for (String name : names) {
            AgentBuilder agent = client.annotated(target(context.getBean(name)), context.getEnvironment()::getProperty);
            agents.put(name, names.size() == 1 ? settings.apply(agent) : settings.applyToAny(agent));
        }
        customizers.orderedStream().forEach(customizer -> agents.forEach(customizer::customize));
        return agents;
    }

    /** Returns the bean behind a proxy, which has neither the annotation nor the methods of the bean. */
    private static Object target(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return target == null ? bean : target(target);
    }
}
