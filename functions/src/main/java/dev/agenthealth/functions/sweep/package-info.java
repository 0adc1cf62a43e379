/**
 * Finds agents with missing heartbeats, changes their status, and finishes interrupted work.
 *
 * <p>A pass reads and counts all segments, then decides, then writes. It decides by two questions: do heartbeats reach the registry, and is
 * there a mass silence? A pass holds no lock. Every write depends on the row that was read. Two sweeps at once, a crash, and a racing
 * heartbeat therefore have the same outcome. In a large fleet, invocations of the same function share the segments, first to count, then to
 * act. {@code probes} asks watched agents whether they are alive.
 *
 * <p>Read {@link dev.agenthealth.functions.sweep.SweepPass} first.
 */
package dev.agenthealth.functions.sweep;
