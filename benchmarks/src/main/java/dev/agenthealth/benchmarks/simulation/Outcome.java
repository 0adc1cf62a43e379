package dev.agenthealth.benchmarks.simulation;

import java.util.Map;
import java.util.Optional;

/**
 * The result of a simulation; numbers of requests and agents are those of the whole fleet.
 *
 * @param sent requests
 * @param accepted answered with success
 * @param refused by each stage
 * @param inFlight neither accepted nor refused when the simulation ended
 * @param first the stage that refused first
 * @param firstAtSeconds when
 * @param returned99Seconds when 99 % of the agents had been accepted once; infinite where they were not
 * @param returnedSeconds when all had
 * @param steadyRefusedShare share of refused requests in the last third
 * @param peakToMean the largest number of requests of one second of the last third, divided by the mean
 * @param meanEnvironments busy on average over the whole time
 * @param eventDelaySeconds the longest time from a change to its event on the bus
 */
record Outcome(
        double sent,
        double accepted,
        Map<Stage, Double> refused,
        double inFlight,
        Optional<Stage> first,
        double firstAtSeconds,
        double returned99Seconds,
        double returnedSeconds,
        double steadyRefusedShare,
        double peakToMean,
        double meanEnvironments,
        double eventDelaySeconds) {}
