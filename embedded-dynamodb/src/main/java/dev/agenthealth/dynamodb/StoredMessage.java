package dev.agenthealth.dynamodb;

import java.time.Instant;

/**
 * A message that waits in a queue.
 *
 * @param queue the name of the queue
 * @param id unique in the queue
 * @param sentAt when the queue received it, in whole milliseconds
 * @param body its text
 */
public record StoredMessage(String queue, String id, Instant sentAt, String body) {}
