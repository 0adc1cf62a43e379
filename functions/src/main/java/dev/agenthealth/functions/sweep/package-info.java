/**
 * The sweep: finds silent agents, changes their status, finishes what was interrupted.
 *
 * <p>A pass reads all segments and counts, then decides (do heartbeats reach the registry? is the silence a mass silence?), then writes. Nothing is
 * locked: every write is conditional on what was read, so that two sweeps at once, a crash in the middle and a racing heartbeat all end
 * in one outcome. Above a number of agents the segments are divided among invocations of the same function, first to count, then to act.
 */
package dev.agenthealth.functions.sweep;
