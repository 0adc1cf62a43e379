package dev.agenthealth.client;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link Agent} and its callbacks from an object. */
final class AnnotatedAgent {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}:]+)(?::([^}]*))?}");

    private final Object object;
    private final Agent declared;
    private final UnaryOperator<String> variables;

    /**
     * @param variables returns the value of a variable; null if it has no value
     * @throws IllegalArgumentException if the class of the object is not annotated
     */
    AnnotatedAgent(Object object, UnaryOperator<String> variables) {
        this.object = object;
        this.variables = variables;
        this.declared = Optional.ofNullable(object.getClass().getAnnotation(Agent.class))
                .orElseThrow(
                        () -> new IllegalArgumentException(object.getClass().getName() + " has no @Agent"));
    }

    /** Returns the registration; values that the annotation leaves out are absent. */
    Registration registration() {
        String id = text(declared.id());
        Registration registration = id.isEmpty() ? Registration.withGeneratedId() : Registration.of(id);
        registration = with(registration, "role_id", declared.role());
        registration = with(registration, "name", declared.name());
        if (declared.capabilities().length > 0) {
            registration = registration.capabilities(
                    List.of(declared.capabilities()).stream().map(this::text).toList());
        }
        if (declared.maxConcurrentTasks() >= 0) {
            registration = registration.maxConcurrentTasks(declared.maxConcurrentTasks());
        }
        String endpoint = text(declared.endpoint());
        if (!endpoint.isEmpty()) {
            registration = registration.endpoint(URI.create(endpoint));
        }
        Map<String, Integer> thresholds = thresholds();
        if (!thresholds.isEmpty()) {
            registration = registration.with("heartbeat_config", thresholds);
        }
        registration = with(registration, "provider_id", declared.provider());
        registration = with(registration, "agent_version", declared.agentVersion());
        return with(registration, "platform", declared.platform());
    }

    /** Sets callbacks and policy, and returns the builder. */
    AgentBuilder into(AgentBuilder builder) {
        method(OnDrain.class, Drain.class).ifPresent(method -> builder.onDrain(caller(method)));
        method(OnDead.class, Death.class).ifPresent(method -> builder.onDead(caller(method)));
        return builder.deathPolicy(declared.deathPolicy());
    }

    private Map<String, Integer> thresholds() {
        Map<String, Integer> thresholds = new LinkedHashMap<>();
        thresholds.put("interval_seconds", declared.heartbeatSeconds());
        thresholds.put("unhealthy_after_seconds", declared.unhealthyAfterSeconds());
        thresholds.put("dead_after_seconds", declared.deadAfterSeconds());
        thresholds.values().removeIf(seconds -> seconds == 0);
        return thresholds;
    }

    private Registration with(Registration registration, String field, String value) {
        String text = text(value);
        return text.isEmpty() ? registration : registration.with(field, text);
    }

    private String text(String declaredText) {
        Matcher variable = VARIABLE.matcher(declaredText);
        return variable.replaceAll(
                match -> Matcher.quoteReplacement(Optional.ofNullable(variables.apply(match.group(1)))
                        .orElseGet(() -> otherwise(match.group(1), match.group(2)))));
    }

    private static String otherwise(String name, String value) {
        if (value == null) {
            throw new IllegalArgumentException("@Agent names the variable " + name + ", which is not set");
        }
        return value;
    }

    /** Returns the single method with an annotation, including methods of superclasses. */
    private Optional<Method> method(Class<? extends Annotation> annotation, Class<?> argument) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(annotation) && !method.isBridge()) {
                    found.add(method);
                }
            }
        }
        String rule = "one method with @" + annotation.getSimpleName() + ", which takes nothing or a "
                + argument.getSimpleName();
        if (found.size() > 1
                || found.stream().anyMatch(method -> !List.of(List.of(), List.of(argument))
                        .contains(List.of(method.getParameterTypes())))) {
            throw new IllegalArgumentException(object.getClass().getName() + " may have " + rule);
        }
        found.forEach(method -> method.setAccessible(true));
        return found.stream().findFirst();
    }

    private <T> Consumer<T> caller(Method method) {
        return value -> {
            try {
                method.invoke(object, method.getParameterCount() == 0 ? new Object[0] : new Object[] {value});
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(method + " failed", e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(method + " cannot be called", e);
            }
        };
    }
}
