package dev.agenthealth.template;

import java.time.Duration;

/**
 * A queue as the template defines it.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param url the value of {@code Ref}; senders use it
 * @param arn the value of {@code Fn::GetAtt}; mappings use it
 * @param visibilityTimeout how long a received message stays hidden from other receivers
 * @param retention how long a message is kept, received or not
 * @param maximumMessageBytes maximum length of a message in UTF-8
 * @param deadLetterArn ARN of its dead-letter queue; empty without a dead-letter queue
 * @param maximumReceives number of receives after which a message moves to the dead-letter queue, at least 1; zero without a dead-letter
 *     queue
 */
public record QueueDefinition(
        String logicalId,
        String name,
        String url,
        String arn,
        Duration visibilityTimeout,
        Duration retention,
        int maximumMessageBytes,
        String deadLetterArn,
        int maximumReceives) {}
