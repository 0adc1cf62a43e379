package dev.agenthealth.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.springframework.util.ClassUtils;

/**
 * Adapts {@link AgentsHealth} to Spring Boot 4. Its Actuator has the types of Spring Boot 3 in other packages. They are found by name,
 * because a module is compiled with one version.
 */
final class ContributorOfBoot4 {

    static final String INDICATOR = "org.springframework.boot.health.contributor.HealthIndicator";

    private static final String HEALTH = "org.springframework.boot.health.contributor.Health";

    private final ApplicationAgents agents;
    private final Class<?> indicator = ClassUtils.resolveClassName(INDICATOR, null);
    private final Class<?> health = ClassUtils.resolveClassName(HEALTH, null);

    ContributorOfBoot4(ApplicationAgents agents) {
        this.agents = agents;
    }

    /** Returns the contributor that Actuator takes. */
    Object indicator() {
        return Proxy.newProxyInstance(indicator.getClassLoader(), new Class<?>[] {indicator}, this::answer);
    }

    private Object answer(Object proxy, Method method, Object... arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        return switch (method.getName()) {
            case "health" -> health();
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "agentHealth";
        };
    }

    private Object health() throws ReflectiveOperationException {
        AgentsHealth state = AgentsHealth.of(agents);
        Object builder = health.getMethod("status", String.class)
                .invoke(null, state.status().name());
        builder.getClass().getMethod("withDetails", Map.class).invoke(builder, state.details());
        return builder.getClass().getMethod("build").invoke(builder);
    }
}
