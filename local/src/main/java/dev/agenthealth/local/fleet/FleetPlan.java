package dev.agenthealth.local.fleet;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import java.time.Duration;

/**
 * The size and the speed of a simulated fleet.
 *
 * @param agents number of agents
 * @param heartbeat interval and thresholds of every agent
 * @param graceSeconds time beyond a threshold for which an agent sends no heartbeats, so that a sweep sees it: more than two sweep periods
 * @param heartbeatsBefore number of heartbeats before an agent pauses, crashes, drains, stops its heartbeats or changes its model
 * @param heartbeatsPerReport number of heartbeats between two reports of outcomes
 * @param windowSeconds length of the declared measurement window, at least 300
 * @param pastSeconds time before their registration for which agents report outcomes: less than two windows
 */
public record FleetPlan(
        int agents,
        HeartbeatConfig heartbeat,
        int graceSeconds,
        int heartbeatsBefore,
        int heartbeatsPerReport,
        int windowSeconds,
        int pastSeconds) {

    /** 200 agents with short intervals, for a system that sweeps every 5 seconds. */
    public static final FleetPlan DEFAULT = new FleetPlan(200, new HeartbeatConfig(2, 10, 30), 12, 4, 4, 300, 120);

    /** Returns a copy with another number of agents. */
    public FleetPlan withAgents(int number) {
        return new FleetPlan(
                number, heartbeat, graceSeconds, heartbeatsBefore, heartbeatsPerReport, windowSeconds, pastSeconds);
    }

    Duration interval() {
        return heartbeat.interval();
    }

    Duration window() {
        return Duration.ofSeconds(windowSeconds);
    }

    /** Returns the time for which an agent executed before it registered. */
    Duration past() {
        return Duration.ofSeconds(pastSeconds);
    }

    Duration workingTime() {
        return interval().multipliedBy(heartbeatsBefore);
    }

    /** Returns a time without heartbeat after which an agent is unhealthy but not dead. */
    Duration pause() {
        return Duration.ofSeconds(
                Math.min(heartbeat.unhealthyAfterSeconds() + graceSeconds, heartbeat.deadAfterSeconds() - 1L));
    }

    /** Returns a time without heartbeat after which an agent is dead. */
    Duration crash() {
        return heartbeat.deadAfter().plusSeconds(graceSeconds);
    }

    /** Returns the time in which the slowest behaviour completes once, with a margin. */
    public Duration fullCycle() {
        return workingTime().plus(crash()).plus(interval().multipliedBy(4L)).plusSeconds(graceSeconds);
    }
}
