package dev.agenthealth.model.health.containment;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A change of a case in one pass of the sweep.
 *
 * @param before the case as it was read; empty if there was none
 * @param after the case after the change; empty if it need not be kept
 */
public record ContainmentChange(Optional<ContainmentCase> before, Optional<ContainmentCase> after) {

    /** The maximum number of cases of a rule. Later agents wait until a case is over. */
    public static final int MAX_OF_RULE = 200;

    /** Returns the change that removes a case. */
    public static ContainmentChange removed(ContainmentCase seen) {
        return new ContainmentChange(Optional.of(seen), Optional.empty());
    }

    /** Returns this change with another end. */
    public ContainmentChange to(ContainmentCase other) {
        return new ContainmentChange(before, Optional.of(other));
    }

    /** Returns whether the case has to be written. */
    public boolean isChange() {
        return !before.equals(after);
    }

    /** Returns the agent of the case. */
    public String agentId() {
        return after.or(() -> before).map(ContainmentCase::agentId).orElse("");
    }

    /**
     * Returns the cases of a rule after a pass saw its agents. If there are too many cases, a new case replaces the oldest case that is over.
     *
     * @param cases the cases of the rule as they were read
     * @param found the agents for which a reason of the rule holds now, and the live agents on which it acted
     * @param blocked the ids of blocked agents; only agents on which the rule acted need to be in it
     */
    public static List<ContainmentChange> seen(
            List<ContainmentCase> cases, List<ContainmentCandidate> found, Set<String> blocked, Instant now) {
        Map<String, ContainmentCandidate> unknown = new LinkedHashMap<>();
        found.forEach(one -> unknown.put(one.agentId(), one));
        List<ContainmentChange> changes = new ArrayList<>();
        for (ContainmentCase before : cases) {
            Optional<ContainmentCandidate> live = Optional.ofNullable(unknown.remove(before.agentId()));
            changes.add(new ContainmentChange(
                    Optional.of(before),
                    before.seen(
                            live.map(ContainmentCandidate::reasons).orElse(Set.of()),
                            live.isPresent() && blocked.contains(before.agentId()),
                            now)));
        }
        unknown.values().removeIf(one -> one.reasons().isEmpty());
        List<ContainmentChange> over = changes.stream()
                .filter(change -> change.after()
                        .filter(one -> one.step() == ContainmentCase.Step.OVER)
                        .isPresent())
                .sorted(Comparator.comparing(
                        change -> change.before().map(ContainmentCase::since).orElse(now)))
                .toList();
        long kept =
                changes.stream().filter(change -> change.after().isPresent()).count();
        int replaced = 0;
        for (ContainmentCandidate one : unknown.values()) {
            if (kept >= MAX_OF_RULE && replaced == over.size()) {
                break;
            }
            if (kept >= MAX_OF_RULE) {
                ContainmentChange oldest = over.get(replaced++);
                changes.set(changes.indexOf(oldest), new ContainmentChange(oldest.before(), Optional.empty()));
            } else {
                kept++;
            }
            changes.add(new ContainmentChange(
                    Optional.empty(),
                    Optional.of(
                            ContainmentCase.begun(one.rule(), one.agentId(), one.roleNumber(), one.reasons(), now))));
        }
        return changes;
    }
}
