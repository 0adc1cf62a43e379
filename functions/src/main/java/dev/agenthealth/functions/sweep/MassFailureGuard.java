package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.SelfCheckRule;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * Decides what a pass may do after counting. An outage of the registry itself must not mark agents as dead: while the self-check fails, no
 * status changes, and during mass silence the number of deaths is limited. Thread-safe.
 */
final class MassFailureGuard {

    private final SelfCheck selfCheck;
    private final SweepStateStore states;
    private final Log log;
    private final Clock clock;

    MassFailureGuard(SelfCheck selfCheck, SweepStateStore states, Log log, Clock clock) {
        this.selfCheck = selfCheck;
        this.states = states;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Decides what may be done to the fleet that was counted.
     *
     * @param owners whose deaths are due
     * @param state as it was when the pass began
     */
    SweepDecision decide(
            FleetCount fleet, OwnerCounts owners, SweepState state, MassSilenceRule massSilence, Instant now) {
        if (SelfCheckRule.isNeeded(fleet, state.isBlackout(), now)) {
            int answered = selfCheck.answered();
            if (answered < SelfCheck.CANARIES) {
                blackout(state, answered, now);
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
            // Since this pass began, another sweep may have begun a blackout or ended one with a grace period.
            SweepState latest = states.current();
            if (latest.isBlackout()) {
                blackoutOver(latest, clock.instant());
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
            if (latest.graceFrom().isAfter(state.graceFrom())) {
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
        }
        return new SweepDecision(true, deaths(fleet, owners, state, massSilence, now));
    }

    private void blackout(SweepState state, int answered, Instant now) {
        log.warn("self_check_failed", Map.of("canaries_sent", SelfCheck.CANARIES, "canaries_answered", answered));
        log.metric(Metric.SELF_CHECK_FAILURES, 1);
        if (!state.isBlackout()) {
            states.beginBlackout(now, RegistryEvents.blackout(SelfCheck.CANARIES, answered, now));
        }
    }

    /** Ends the blackout; the grace period covers all silence up to the moment of the successful self-check. */
    private void blackoutOver(SweepState state, Instant now) {
        if (states.endBlackout(state.blackoutSince(), now, RegistryEvents.blackoutOver(state.blackoutSince(), now))) {
            log.info("self_check_recovered", Map.of("since", state.blackoutSince()));
        }
    }

    private DeathQuota deaths(
            FleetCount fleet, OwnerCounts owners, SweepState state, MassSilenceRule rule, Instant now) {
        if (!rule.isMassSilence(fleet)) {
            if (state.isMassSilence()) {
                massSilenceOver(fleet, state.massSilenceSince(), now);
            }
            return DeathQuota.UNLIMITED;
        }
        long perMinute = rule.deathsPerMinute(fleet);
        if (!state.isMassSilence() && states.beginMassSilence(now, RegistryEvents.massSilence(fleet, perMinute, now))) {
            log.warn(
                    "mass_silence",
                    Map.of(
                            "monitored",
                            fleet.get(FleetCounter.ESTABLISHED),
                            "silent",
                            fleet.get(FleetCounter.ESTABLISHED_SILENT)));
            log.metric(Metric.MASS_SILENCE, 1);
        }
        return owners.dying().isEmpty()
                ? DeathQuota.NONE
                : DeathQuota.of(states.takeDeaths(now, owners.dying(), perMinute));
    }

    private void massSilenceOver(FleetCount fleet, Instant since, Instant now) {
        // Another pass that began later may have noted the silence: its end is after its beginning nevertheless.
        Instant end = now.isAfter(since) ? now : since.plusMillis(1);
        if (states.endMassSilence(since, RegistryEvents.massSilenceOver(fleet, since, end))) {
            log.info("mass_silence_over", Map.of("since", since));
        }
    }
}
