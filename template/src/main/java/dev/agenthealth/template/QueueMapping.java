package dev.agenthealth.template;

/**
 * How messages of a queue reach a function.
 *
 * @param name logical id of the event within the function
 * @param queueArn ARN of the queue
 * @param batchSize messages handed over at once, at most
 * @param maximumConcurrency batches under way at the same time, at most; zero means that the template sets no limit
 * @param reportsBatchItemFailures whether the function's response names the messages that failed
 */
public record QueueMapping(
        String name, String queueArn, int batchSize, int maximumConcurrency, boolean reportsBatchItemFailures) {}
