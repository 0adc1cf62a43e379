package dev.agenthealth.local.fleet;

import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import java.time.Duration;

/**
 * The size and the pace of a simulated fleet.
 *
 * @param agents how many
 * @param heartbeat how often they beat and how long their silence is borne
 * @param graceSeconds how much longer than a threshold an agent stays silent, so that a sweep has seen it: more than two ticks
 * @param beatsBefore so many intervals an agent beats before it pauses, crashes, drains, falls silent or changes its model
 * @param beatsPerReport with every so many heartbeats an agent reports what it executed since
 * @param windowSeconds length of the measurement window that the agents declare, at least 300
 * @param pastSeconds so long before they register the agents began to work, which they report then: less than two windows
 */
public record FleetPlan(
        int agents,
        HeartbeatConfig heartbeat,
        int graceSeconds,
        int beatsBefore,
        int beatsPerReport,
        int windowSeconds,
        int pastSeconds) {

    /** 200 agents that live fast enough to be watched, against a system that sweeps every 5 seconds. */
    public static final FleetPlan DEFAULT = new FleetPlan(200, new HeartbeatConfig(2, 10, 30), 12, 4, 4, 300, 120);

    /** The same plan with another number of agents. */
    public FleetPlan withAgents(int number) {
        return new FleetPlan(number, heartbeat, graceSeconds, beatsBefore, beatsPerReport, windowSeconds, pastSeconds);
    }

    Duration interval() {
        return heartbeat.interval();
    }

    Duration window() {
        return Duration.ofSeconds(windowSeconds);
    }

    /** How long an agent worked before it registered. */
    Duration past() {
        return Duration.ofSeconds(pastSeconds);
    }

    Duration workingTime() {
        return interval().multipliedBy(beatsBefore);
    }

    /** Silence by which an agent becomes unhealthy and does not die. */
    Duration pause() {
        return Duration.ofSeconds(
                Math.min(heartbeat.unhealthyAfterSeconds() + graceSeconds, heartbeat.deadAfterSeconds() - 1L));
    }

    /** Silence of which an agent dies. */
    Duration crash() {
        return heartbeat.deadAfter().plusSeconds(graceSeconds);
    }

    /** How long the slowest behaviour takes to show once completely, and a little more. */
    public Duration wholeStory() {
        return workingTime().plus(crash()).plus(interval().multipliedBy(4L)).plusSeconds(graceSeconds);
    }
}
