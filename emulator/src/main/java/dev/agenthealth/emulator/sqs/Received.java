package dev.agenthealth.emulator.sqs;

import java.time.Instant;

/**
 * A message in the hands of a receiver.
 *
 * @param message as it was sent
 * @param receiptHandle names this receipt of it when it is deleted
 * @param receives how often it was received so far, this time included
 * @param firstReceivedAt when that was for the first time
 */
public record Received(Message message, String receiptHandle, int receives, Instant firstReceivedAt) {}
