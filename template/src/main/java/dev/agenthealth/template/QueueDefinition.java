package dev.agenthealth.template;

import java.time.Duration;

/**
 * A queue as the template defines it.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param address the address of the queue
 * @param visibilityTimeout how long a received message stays hidden from other receivers
 * @param retention how long a message is kept, received or not
 * @param maximumMessageBytes maximum length of a message in UTF-8
 * @param redrive the redrive policy
 */
public record QueueDefinition(
        String logicalId,
        String name,
        Address address,
        Duration visibilityTimeout,
        Duration retention,
        int maximumMessageBytes,
        Redrive redrive) {

    /**
     * The address of a queue.
     *
     * @param url the value of {@code Ref}; senders use it
     * @param arn the value of {@code Fn::GetAtt}; mappings use it
     */
    public record Address(String url, String arn) {}

    /**
     * The redrive policy of a queue.
     *
     * @param deadLetterArn ARN of its dead-letter queue; empty without a dead-letter queue
     * @param maximumReceives number of receives after which a message moves to the dead-letter queue, at least 1; zero without a
     *     dead-letter queue
     */
    public record Redrive(String deadLetterArn, int maximumReceives) {

        /** No dead-letter queue. */
        public static final Redrive NONE = new Redrive("", 0);
    }

    public String url() {
        return address.url();
    }

    public String arn() {
        return address.arn();
    }

    public String deadLetterArn() {
        return redrive.deadLetterArn();
    }

    public int maximumReceives() {
        return redrive.maximumReceives();
    }
}
