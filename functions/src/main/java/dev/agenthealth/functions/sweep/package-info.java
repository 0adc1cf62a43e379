/**
 * The sweep: finds silent agents, changes their status, and finishes interrupted work.
 *
 * <p>A pass reads all segments and counts, then decides (do heartbeats reach the registry? is the silence a mass silence?), then writes. Nothing is
 * locked: every write is conditional on what was read, so that two sweeps at once, a crash in the middle and a racing heartbeat all end
 * in one outcome. Above a number of agents the segments are divided among invocations of the same function, first to count, then to act.
 * {@code probes} asks watched agents whether they are alive.
 *
 * <p>Read {@link dev.agenthealth.functions.sweep.SweepPass} first.
 */
package dev.agenthealth.functions.sweep;
