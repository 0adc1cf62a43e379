package dev.agenthealth.benchmarks.cost;

/**
 * Something the system does that costs money.
 *
 * @param name its key in the budgets file
 * @param start how a function comes to run
 * @param handler the function that runs it: a route key or a logical id of the template
 * @param purpose the line of the bill that it belongs to
 * @param ms billed duration
 * @param rate the key of the activity that causes it, once each; empty where the model computes how often it happens
 * @param measured whether the agent is measured afterwards; false where missing
 * @param keptDays days for which its stored bytes stay; 0 where missing
 */
public record Operation(
        String name,
        String description,
        Start start,
        String handler,
        String purpose,
        double ms,
        String rate,
        Boolean measured,
        Double keptDays) {

    public Operation {
        rate = rate == null ? "" : rate;
        measured = measured != null && measured;
        keptDays = keptDays == null ? 0 : keptDays;
    }

    /** The triggers of a function. */
    public enum Start {
        REQUEST,
        RUN,
        QUEUE,
        /** The operation is part of another one's run. */
        PART
    }
}
