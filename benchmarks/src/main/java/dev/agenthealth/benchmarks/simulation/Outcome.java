package dev.agenthealth.benchmarks.simulation;

import java.util.Map;
import java.util.Optional;

/**
 * The result of a simulation. Numbers of requests and agents are for the whole fleet.
 *
 * @param sent requests sent
 * @param accepted requests answered with success
 * @param refused requests refused, by stage
 * @param inFlight requests neither accepted nor refused at the end of the simulation
 * @param first the stage that refused first
 * @param firstAtSeconds the time of the first refusal
 * @param returned99Seconds the time at which 99 % of the agents had been accepted once; infinite if that did not happen
 * @param returnedSeconds the time at which all agents had been accepted once
 * @param steadyRefusedShare share of refused requests in the last third
 * @param peakToMean the largest number of requests per second in the last third, divided by the mean
 * @param meanEnvironments mean number of busy environments over the whole time
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
