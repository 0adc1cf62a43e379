package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.storage.system.DeathQuotaStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.MassRestartRule;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.PostponedDeaths;
import dev.agenthealth.model.sweep.SelfCheckResult;
import dev.agenthealth.model.sweep.SelfCheckRule;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what a pass may change. An outage of the registry itself must not mark agents as dead. Thread-safe.
 *
 * <p>While the self-check fails, no status changes. During mass silence, the number of deaths per minute is limited.
 */
final class MassFailureGuard {

    private final SelfCheck selfCheck;
    private final SweepStateStore states;
    private final DeathQuotaStore deaths;
    private final Log log;
    private final Clock clock;

    MassFailureGuard(SelfCheck selfCheck, SweepStateStore states, DeathQuotaStore deaths, Log log, Clock clock) {
        this.selfCheck = selfCheck;
        this.states = states;
        this.deaths = deaths;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Decides what a pass may change after counting the fleet.
     *
     * @param owners the owners of the agents whose death is due
     * @param state the state at the start of the pass, without times in the future
     * @param ahead how far times may lie in the future; empty if no time of the rows or of the state lies further ahead
     */
    SweepDecision decide(
            FleetCount fleet,
            OwnerCounts owners,
            SweepState state,
            MassSilenceRule massSilence,
            Optional<Duration> ahead,
            Instant now) {
        if (ahead.isPresent() || SelfCheckRule.isNeeded(fleet, state.isBlackout(), now)) {
            List<SelfCheckResult> results = selfCheck.run();
            SelfCheckResult total = results.stream().reduce(SelfCheckResult.NONE, SelfCheckResult::plus);
            switch (SelfCheckResult.verdict(results)) {
                case FAILED -> {
                    blackout(state, total, now);
                    return SweepDecision.HOUSEKEEPING_ONLY;
                }
                case INCONCLUSIVE -> {
                    inconclusive(state, total, now);
                    return SweepDecision.HOUSEKEEPING_ONLY;
                }
                case PASSED -> {
                    // Agents may be marked as dead, unless another sweep decided otherwise.
                }
            }
            // Since this pass began, another sweep may have begun a blackout, or ended one with a grace period.
            SweepState latest = states.current();
            SweepState bounded = ahead.map(max -> latest.bounded(max, now)).orElse(latest);
            if (latest.isBlackout()) {
                blackoutOver(latest, clock.instant());
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
            if (bounded.graceFrom().isAfter(state.graceFrom())) {
                return SweepDecision.HOUSEKEEPING_ONLY;
            }
        }
        if (state.isInconclusive()) {
            states.endInconclusive(state.inconclusiveSince());
        }
        PostponedDeaths postponed = MassRestartRule.postponed(fleet, owners, now);
        massRestart(fleet, postponed.waiting(owners), state, now);
        return new SweepDecision(true, deaths(fleet, owners, state, massSilence, now), postponed, ahead.isPresent());
    }

    private void blackout(SweepState state, SelfCheckResult result, Instant now) {
        logged("self_check_failed", result);
        log.metric(Metric.SELF_CHECK_FAILURES, 1);
        if (!state.isBlackout()) {
            states.beginBlackout(now, at -> RegistryEvents.blackout(result.sent(), result.arrived(), at));
        }
    }

    /**
     * Notes an inconclusive self-check: a full account throttles canaries. If this lasts too long, it is a blackout, because the account
     * throttles agents too.
     */
    private void inconclusive(SweepState state, SelfCheckResult result, Instant now) {
        if (state.isBlackout() || state.isInconclusive() && SelfCheckResult.isTooLong(state.inconclusiveSince(), now)) {
            blackout(state, result, now);
            return;
        }
        logged("self_check_inconclusive", result);
        if (!state.isInconclusive()) {
            states.beginInconclusive(now);
        }
    }

    private void logged(String event, SelfCheckResult result) {
        log.warn(
                event,
                Map.of(
                        "canaries_sent",
                        result.sent(),
                        "canaries_answered",
                        result.arrived(),
                        "canaries_throttled",
                        result.throttled()));
    }

    /** Ends the blackout. Heartbeats that are missing before the successful self-check do not count. */
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
        if (!state.isMassSilence()
                && states.beginMassSilence(now, at -> RegistryEvents.massSilence(fleet, perMinute, at))) {
            log.warn(
                    "mass_silence",
                    Map.of(
                            "monitored",
                            fleet.get(FleetCounter.ESTABLISHED),
                            "silent",
                            fleet.get(FleetCounter.ESTABLISHED_SILENT)));
            log.metric(Metric.MASS_SILENCE, 1);
        }
        return owners.dying().isEmpty() ? DeathQuota.NONE : DeathQuota.of(deaths.take(now, owners.dying(), perMinute));
    }

    /** @param waiting dying agents whose deaths may be postponed */
    private void massRestart(FleetCount fleet, long waiting, SweepState state, Instant now) {
        if (MassRestartRule.isMassRestart(fleet)) {
            if (waiting > 0
                    && !state.isMassRestart()
                    && states.beginMassRestart(now, at -> RegistryEvents.massRestart(fleet, waiting, at))) {
                log.warn(
                        "mass_restart",
                        Map.of("monitored", fleet.monitored(), "restarted", fleet.get(FleetCounter.RESTARTED)));
                log.metric(Metric.MASS_RESTART, 1);
            }
        } else if (state.isMassRestart()) {
            Instant since = state.massRestartSince();
            if (states.endMassRestart(since, RegistryEvents.massRestartOver(fleet, since, now))) {
                log.info("mass_restart_over", Map.of("since", since));
            }
        }
    }

    private void massSilenceOver(FleetCount fleet, Instant since, Instant now) {
        if (states.endMassSilence(since, RegistryEvents.massSilenceOver(fleet, since, now))) {
            log.info("mass_silence_over", Map.of("since", since));
        }
    }
}
