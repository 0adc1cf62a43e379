package dev.agenthealth.template;

/**
 * The delivery of a queue's messages to a function.
 *
 * @param name logical id of the event within the function
 * @param queueArn ARN of the queue
 * @param batchSize maximum number of messages per invocation
 * @param maximumConcurrency maximum number of invocations at a time; zero without a limit
 * @param reportsBatchItemFailures whether the function's response names the failed messages
 */
public record QueueMapping(
        String name, String queueArn, int batchSize, int maximumConcurrency, boolean reportsBatchItemFailures) {}
