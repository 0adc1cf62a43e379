package dev.agenthealth.testkit;

/**
 * The right to do one thing with one resource.
 *
 * @param action such as {@code dynamodb:GetItem}
 * @param resource its ARN
 */
public record Permission(String action, String resource) implements Comparable<Permission> {

    @Override
    public int compareTo(Permission other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return action + " on " + resource;
    }
}
