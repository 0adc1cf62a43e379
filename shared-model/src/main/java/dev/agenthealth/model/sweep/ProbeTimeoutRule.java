package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when the silence of a watched agent becomes a change of status. Only probes that ended and failed show that it is silent: a probe that did
 * not run, or that failed together with most others, is no evidence. Agents that send heartbeats are judged by {@link HeartbeatTimeoutRule} alone.
 *
 * @param graceFrom silence of watched agents before this moment does not count
 * @param isLargeFleet whether there are enough watched agents to distinguish trouble of the network from theirs
 */
public record ProbeTimeoutRule(Instant graceFrom, boolean isLargeFleet) {

    /** A probe ends at most so much later than it is due, nearly always. */
    private static final Duration LATE = Duration.ofSeconds(30);

    /**
     * Returns the rule for a pass.
     *
     * @param graceFrom that of agents which send heartbeats
     */
    public static ProbeTimeoutRule of(ProbeEvidence evidence, Instant graceFrom, Instant now) {
        Instant from = evidence.silenceCountsFrom(now);
        return new ProbeTimeoutRule(
                from.isAfter(graceFrom) ? from : graceFrom, evidence.sample().isLarge());
    }

    /**
     * Returns the next change that is due, as by {@link HeartbeatTimeoutRule#due}.
     *
     * @param found what the agent's probes found
     * @param intervalSeconds the time between two of them
     */
    public Optional<Transition> due(Pulse pulse, ProbeState found, int intervalSeconds, Instant now) {
        if (!found.isFailing() || !found.at().isAfter(pulse.lastHeartbeatAt())) {
            return Optional.empty();
        }
        // In a large fleet, a whole interval passes after the first failure: until then, the others have been asked as
        // well.
        if (isLargeFleet && !found.at().isAfter(found.failingSince())) {
            return Optional.empty();
        }
        Duration around = Duration.ofSeconds(intervalSeconds).plus(LATE);
        Instant shownFrom = found.failingSince().minus(around);
        Instant shownUntil = found.at().plus(around);
        Instant from = shownFrom.isAfter(graceFrom) ? shownFrom : graceFrom;
        return HeartbeatTimeoutRule.due(pulse, from, now.isBefore(shownUntil) ? now : shownUntil)
                .flatMap(due -> HeartbeatTimeoutRule.due(pulse, from, now));
    }
}
