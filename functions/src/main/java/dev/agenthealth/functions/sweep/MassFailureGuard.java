package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.SelfCheckRule;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * Decides between counting and acting: is it the agents that are silent, or the registry that is deaf? And if so many are silent at
 * once, how many may die now? Our own outage must not kill the fleet. Thread-safe.
 */
final class MassFailureGuard {

    private final SelfCheck listening;
    private final SweepStateStore states;
    private final Log log;
    private final Clock clock;

    MassFailureGuard(SelfCheck listening, SweepStateStore states, Log log, Clock clock) {
        this.listening = listening;
        this.states = states;
        this.log = log;
        this.clock = clock;
    }

    /**
     * What may be done to the fleet that was counted.
     *
     * @param state by which it was counted
     */
    SweepDecision orders(FleetCount fleet, SweepState state, MassSilenceRule massSilence, Instant now) {
        if (SelfCheckRule.mustListen(fleet, state.isBlackout(), now)) {
            int heard = listening.heard();
            if (heard < SelfCheck.CANARIES) {
                blackout(state, heard, now);
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
            // Since this pass began, another sweep may have found the registry deaf, or forgiven what was counted here.
            SweepState latest = states.current();
            if (latest.isBlackout()) {
                blackoutOver(latest, clock.instant());
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
            if (latest.amnestyFrom().isAfter(state.amnestyFrom())) {
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
        }
        return new SweepDecision(true, deaths(fleet, state, massSilence, now));
    }

    private void blackout(SweepState state, int heard, Instant now) {
        log.warn("registry_deaf", Map.of("canaries_sent", SelfCheck.CANARIES, "canaries_heard", heard));
        log.metric(Metric.BLACKOUT, 1);
        if (!state.isBlackout()) {
            states.beginBlackout(now, RegistryEvents.blackout(SelfCheck.CANARIES, heard, now));
        }
    }

    /** Ends the blackout and forgives all silence up to the moment at which the canaries were heard. */
    private void blackoutOver(SweepState state, Instant now) {
        if (states.endBlackout(state.blackoutSince(), now, RegistryEvents.blackoutOver(state.blackoutSince(), now))) {
            log.info("registry_hears_again", Map.of("since", state.blackoutSince()));
        }
    }

    private long deaths(FleetCount fleet, SweepState state, MassSilenceRule rule, Instant now) {
        if (!rule.isMassSilence(fleet)) {
            if (state.isMassSilence()) {
                states.endMassSilence(state.massSilenceSince());
            }
            return SweepDecision.UNLIMITED;
        }
        long perMinute = rule.deathsPerMinute(fleet);
        if (!state.isMassSilence() && states.beginMassSilence(now, RegistryEvents.massSilence(fleet, perMinute, now))) {
            log.warn("mass_silence", Map.of("monitored", fleet.monitored(), "silent", fleet.get(FleetCounter.SILENT)));
            log.metric(Metric.MASS_SILENCE, 1);
        }
        return fleet.get(FleetCounter.DYING) == 0
                ? 0
                : states.takeDeaths(now, fleet.get(FleetCounter.DYING), perMinute);
    }
}
