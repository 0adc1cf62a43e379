package dev.agenthealth.benchmarks.cost;

/**
 * So many units of something that has a price, in a month.
 *
 * @param component whose bill it is on
 * @param item what it is used for
 * @param price what is counted
 * @param units 0 or more
 */
public record Usage(Component component, String item, Price price, double units) {}
