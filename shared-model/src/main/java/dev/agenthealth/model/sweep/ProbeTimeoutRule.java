package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when missing answers of a watched agent change its status. Only failed probes prove that the agent does not answer. A probe that did not
 * run, or that failed together with most others, proves nothing. {@link HeartbeatTimeoutRule} alone judges agents that send heartbeats.
 *
 * @param graceFrom the moment from which missing answers of watched agents count
 * @param isLargeFleet whether there are enough watched agents to distinguish failures of the network from failures of agents
 */
public record ProbeTimeoutRule(Instant graceFrom, boolean isLargeFleet) {

    /** The maximum delay of nearly all probes. */
    private static final Duration LATE = Duration.ofSeconds(30);

    /**
     * Returns the next change that is due, like {@link HeartbeatTimeoutRule#due}.
     *
     * @param found the results of the agent's probes
     * @param intervalSeconds the seconds between two probes
     */
    public Optional<Transition> due(Pulse pulse, ProbeState found, int intervalSeconds, Instant now) {
        if (!found.isFailing() || !found.at().isAfter(pulse.lastHeartbeatAt())) {
            return Optional.empty();
        }
        // In a large fleet, a whole interval has to pass after the first failure. By then, the other agents have been
        // probed as well.
        if (isLargeFleet && !found.at().isAfter(found.failingSince())) {
            return Optional.empty();
        }
        Duration around = Duration.ofSeconds(intervalSeconds).plus(LATE);
        // If the last answer is older, no probe ran for a while. Time without probes is no evidence of silence.
        Instant expected = found.failingSince().minus(around);
        Instant shownFrom = pulse.lastHeartbeatAt().isBefore(expected) ? found.failingSince() : expected;
        Instant shownUntil = found.at().plus(around);
        Instant from = shownFrom.isAfter(graceFrom) ? shownFrom : graceFrom;
        return HeartbeatTimeoutRule.due(pulse, from, now.isBefore(shownUntil) ? now : shownUntil)
                .flatMap(due -> HeartbeatTimeoutRule.due(pulse, from, now));
    }
}
