package dev.agenthealth.emulator.sqs;

import java.time.Instant;

/**
 * A received message.
 *
 * @param message the message as it was sent
 * @param receiptHandle identifies this receipt when the message is deleted
 * @param receives number of receives, including this receive
 * @param firstReceivedAt time of the first receive
 */
public record Received(Message message, String receiptHandle, int receives, Instant firstReceivedAt) {}
