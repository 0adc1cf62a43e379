package dev.agenthealth.model.registry.workflow;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stored workflow: the roles in its {@code agents} section (RFC-0016 §12).
 *
 * @param name the id of the workflow
 * @param version the number of writes, from 1
 * @param updatedAt the last write
 * @param agents the declarations by the keys of the {@code agents} section, in their order; no two of them declare the same role
 */
public record Workflow(String name, long version, Instant updatedAt, Map<String, RoleDefaults> agents) {

    /** The maximum number of entries in one {@code agents} section. */
    public static final int MAX_AGENTS = 50;

    public Workflow {
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
    }

    /** Returns whether a workflow has the same declarations, in the same order. */
    public boolean declares(Map<String, RoleDefaults> others) {
        return List.copyOf(agents.entrySet()).equals(List.copyOf(others.entrySet()));
    }

    /** Returns the declared roles, in the order of the file. */
    public List<String> roleIds() {
        return agents.values().stream().map(RoleDefaults::roleId).toList();
    }
}
