package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.registry.leases.LeaseExpiry;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.CredentialEnds;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The parts of a sweep's pass that change agents and leases, without its self-check. */
public final class RowSweep {

    private static final Instant NO_GRACE = Instant.EPOCH;

    private final Database database;

    public RowSweep(Database database) {
        this.database = database;
    }

    /** Reads the row of an agent and makes the changes that are due to it. */
    public void agent(String agentId) {
        Instant now = database.now();
        Map<KeyHash, Owner> ended = new CredentialEnds(database).endedCredentials();
        DueRows due = new DueRows(
                NO_GRACE,
                ProbeTimeoutRules.ofAll(new ProbeTimeoutRule(NO_GRACE, false)),
                now,
                ClockRule.MAX_PASS,
                new Inspection.After(
                        Inspection.NO_MARKS, Inspection.NO_DAYS, Inspection.NO_PROBES, Duration.ofMinutes(1)),
                BlockStore.InForce.NOTHING,
                ended);
        RowReconciler reconciler = new RowReconciler(
                database, new LeaseCleanUp(new LeaseStore(database)), due, SweepDecision.ALL, new ActionCounts.Tally());
        new PulseStore(database)
                .find(agentId)
                .ifPresent(pulse -> reconciler.reconcile(new FleetRow(pulse, HealthSummary.NONE, Watch.NOT_WATCHED)));
    }

    /** Marks the leases that expired. */
    public void leases() {
        new LeaseExpiry(new LeaseStore(database)).note(database.now(), () -> true);
    }
}
