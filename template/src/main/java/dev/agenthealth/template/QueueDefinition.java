package dev.agenthealth.template;

import java.time.Duration;

/**
 * A queue as the template defines it.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param url what {@code Ref} returns and senders name it by
 * @param arn what {@code Fn::GetAtt} returns and mappings name it by
 * @param visibilityTimeout how long a message that was received stays hidden from other receivers
 * @param retention how long a message is kept, whether or not anybody received it
 * @param maximumMessageBytes the longest message that it takes, in UTF-8
 * @param deadLetterArn ARN of the queue where messages end up on which nobody succeeds; empty when they are received again until
 *     their retention ends
 * @param maximumReceives how often a message is received before it goes there, at least 1; zero when it never does
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
