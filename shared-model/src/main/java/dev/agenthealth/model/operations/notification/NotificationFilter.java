package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import java.util.Set;

/**
 * Selects events of a rule. An empty set admits all.
 *
 * @param roleIds admits events of these roles, and events of the registry itself, which concern all roles
 * @param severities admits events of these severities
 * @param verdicts admits events that lead to one of these verdicts
 */
public record NotificationFilter(Set<String> roleIds, Set<Severity> severities, Set<Verdict> verdicts) {

    /** The filter that admits every event. */
    public static final NotificationFilter NONE = new NotificationFilter(Set.of(), Set.of(), Set.of());

    public NotificationFilter {
        roleIds = Set.copyOf(roleIds);
        severities = Set.copyOf(severities);
        verdicts = Set.copyOf(verdicts);
    }

    boolean admitsRole(ReceivedEvent event) {
        return roleIds.isEmpty()
                || roleIds.contains(event.entry().roleId())
                || event.entry().subject().startsWith("registry:");
    }

    boolean admitsMeaning(ReceivedEvent event) {
        return (severities.isEmpty() || severities.contains(event.entry().severity()))
                && (verdicts.isEmpty()
                        || event.verdict().filter(verdicts::contains).isPresent());
    }
}
