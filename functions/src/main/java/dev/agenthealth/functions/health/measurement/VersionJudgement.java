package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.usage.VersionStore;
import dev.agenthealth.functions.storage.workflows.WorseVersionStore;
import dev.agenthealth.model.registry.version.VersionRule;
import dev.agenthealth.model.registry.version.WorseVersion;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Compares the versions of the roles whose agents a pass measured, and publishes problems that begin or end. A pass without executions of versions costs
 * nothing, except in the minutes in which it looks for problems of versions that are no longer in use. Thread-safe.
 */
final class VersionJudgement {

    private final VersionStore versions;
    private final WorseVersionStore worse;
    private final Clock clock;
    private final Set<String> measured = new HashSet<>();

    VersionJudgement(Database database, Clock clock) {
        this.versions = new VersionStore(database);
        this.worse = new WorseVersionStore(database);
        this.clock = clock;
    }

    /** Notes that executions of a version of a role were added. */
    synchronized void add(String roleId) {
        measured.add(roleId);
    }

    private synchronized Set<String> take() {
        Set<String> taken = new TreeSet<>(measured);
        measured.clear();
        return taken;
    }

    /**
     * Compares the versions of the measured roles. A role that there is no time for, or whose comparison failed, stays for the next pass.
     *
     * @param all whether roles with an open problem are compared, too
     */
    void judge(boolean all, BooleanSupplier timeLeft) {
        Set<String> roles = take();
        if (roles.isEmpty() && !all) {
            return;
        }
        Set<String> left = new HashSet<>(roles);
        try {
            Map<String, List<WorseVersion>> open =
                    worse.all().stream().collect(Collectors.groupingBy(WorseVersion::roleId));
            if (all) {
                roles.addAll(open.keySet());
            }
            for (String roleId : roles) {
                if (timeLeft.getAsBoolean()) {
                    judge(roleId, open.getOrDefault(roleId, List.of()));
                    left.remove(roleId);
                }
            }
        } finally {
            left.forEach(this::add);
        }
    }

    private void judge(String roleId, List<WorseVersion> open) {
        Instant now = clock.instant();
        Map<String, WorseVersion> byVersion =
                open.stream().collect(Collectors.toMap(WorseVersion::version, problem -> problem));
        VersionRule.changes(versions.figures(roleId, VersionStore.DAYS, now), byVersion)
                .forEach(change -> worse.put(roleId, change, now));
    }
}
