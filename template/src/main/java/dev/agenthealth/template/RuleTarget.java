package dev.agenthealth.template;

/**
 * A receiver of the events that a rule matches.
 *
 * @param id the target's id, unique within its rule
 * @param arn ARN of the receiver
 */
public record RuleTarget(String id, String arn) {

    /** Returns the service part of the ARN: {@code logs} for a log group, {@code lambda} for a function, {@code sqs}, ... */
    public String service() {
        String[] parts = arn.split(":", 4);
        return parts.length == 4 ? parts[2] : "";
    }
}
