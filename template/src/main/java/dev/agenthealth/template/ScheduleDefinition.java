package dev.agenthealth.template;

/**
 * A schedule that invokes a function.
 *
 * @param name logical id of the event within the function
 * @param service the service that keeps the schedule, which decides what the function gets where there is no input
 * @param expression checked with {@link ScheduleExpression#check}
 * @param input JSON text handed to the function; empty when the schedule gives none and the function gets the event that
 *     the service makes itself
 */
public record ScheduleDefinition(String name, Service service, String expression, String input) {

    /** Where schedules are kept. */
    public enum Service {
        /** EventBridge Scheduler ({@code ScheduleV2} in SAM). */
        SCHEDULER,
        /** A rule of the default event bus ({@code Schedule} in SAM). */
        RULE
    }

    /** @throws TemplateException when the expression is not one that the service accepts */
    public ScheduleDefinition {
        ScheduleExpression.check(expression);
    }
}
