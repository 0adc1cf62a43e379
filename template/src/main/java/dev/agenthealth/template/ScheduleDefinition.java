package dev.agenthealth.template;

/**
 * A schedule that invokes a function.
 *
 * @param name logical id of the event within the function
 * @param expression checked with {@link ScheduleExpression#check}
 * @param input JSON text handed to the function; empty when the schedule gives none and the function gets the event of
 *     the schedule itself
 */
public record ScheduleDefinition(String name, String expression, String input) {

    /** @throws TemplateException when the expression is not one that the scheduler accepts */
    public ScheduleDefinition {
        ScheduleExpression.check(expression);
    }
}
