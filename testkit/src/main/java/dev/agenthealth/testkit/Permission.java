package dev.agenthealth.testkit;

/**
 * A permission for one action on one resource.
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
