package dev.agenthealth.spring;

import dev.agenthealth.client.AgentBuilder;
import dev.agenthealth.client.Registration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Applies the properties of agents. */
final class AgentSettings {

    private final AgentHealthProperties properties;
    private final Map<String, Object> fields = new LinkedHashMap<>();

    AgentSettings(AgentHealthProperties properties) {
        this.properties = properties;
        put("agent_id", properties.agentId());
        put("role_id", properties.roleId());
        put("name", properties.name());
        put("capabilities", properties.capabilities());
        put("endpoint", properties.endpoint());
        put("provider_id", properties.providerId());
        put("platform", properties.platform());
        put("agent_version", properties.agentVersion());
        if (properties.maxConcurrentTasks() != null) {
            put("capacity", Map.of("max_concurrent_tasks", properties.maxConcurrentTasks()));
        }
        Map<String, Long> thresholds = new LinkedHashMap<>();
        thresholds.put("interval_seconds", seconds(properties.heartbeatInterval()));
        thresholds.put("unhealthy_after_seconds", seconds(properties.unhealthyAfter()));
        thresholds.put("dead_after_seconds", seconds(properties.deadAfter()));
        thresholds.values().removeIf(Objects::isNull);
        put("heartbeat_config", thresholds);
    }

    /** Returns true if the properties describe an agent of their own. */
    boolean describeAgent() {
        return fields.keySet().stream().anyMatch(List.of("agent_id", "role_id", "capabilities")::contains);
    }

    /** Returns true if a property is set that is meant for one agent only. */
    boolean areAboutOneAgent() {
        return !fields.isEmpty();
    }

    /** Applies the settings that are valid for every agent. */
    AgentBuilder applyToAny(AgentBuilder agent) {
        if (properties.deathPolicy() != null) {
            agent.deathPolicy(properties.deathPolicy());
        }
        if (properties.instance() != null) {
            agent.registration(registration -> registration.instance(properties.instance()));
        }
        return agent.replace(properties.replace()).closeTimeout(properties.closeTimeout());
    }

    /** Applies all settings. */
    AgentBuilder apply(AgentBuilder agent) {
        return applyToAny(agent).registration(this::described);
    }

    private Registration described(Registration registration) {
        Registration described = registration;
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            described = described.with(field.getKey(), field.getValue());
        }
        return described;
    }

    private void put(String field, Object value) {
        if (!value.equals("") && !value.equals(List.of()) && !value.equals(Map.of())) {
            fields.put(field, value);
        }
    }

    private static Long seconds(Duration duration) {
        if (duration == null) {
            return null;
        }
        if (duration.toNanosPart() > 0) {
            throw new IllegalArgumentException("agent-health: thresholds are in whole seconds, not " + duration);
        }
        return duration.toSeconds();
    }
}
