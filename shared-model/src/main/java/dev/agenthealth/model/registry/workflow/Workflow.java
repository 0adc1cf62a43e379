package dev.agenthealth.model.registry.workflow;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow as the registry keeps it: the roles that its {@code agents} section declares (RFC-0016 §12).
 *
 * @param name its id
 * @param version counts its writes, from 1
 * @param updatedAt when it was last written
 * @param agents what it declares, by the keys of its {@code agents} section and in their order; no two declare the same role
 */
public record Workflow(String name, long version, Instant updatedAt, Map<String, RoleDefaults> agents) {

    /** The maximum number of entries of one {@code agents} section. */
    public static final int MAX_AGENTS = 50;

    public Workflow {
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
    }

    /** Returns whether these are its declarations, in the same order. */
    public boolean declares(Map<String, RoleDefaults> others) {
        return List.copyOf(agents.entrySet()).equals(List.copyOf(others.entrySet()));
    }

    /** The roles it declares, in the order of its file. */
    public List<String> roleIds() {
        return agents.values().stream().map(RoleDefaults::roleId).toList();
    }
}
