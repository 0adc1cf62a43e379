package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The signs of life of an agent.
 *
 * @param lastAt the receipt of the last heartbeat, on the server's clock
 * @param count the number of heartbeats of this incarnation
 * @param by the last sign of life
 */
public record HeartbeatsSeen(Instant lastAt, long count, SeenBy by) {}
