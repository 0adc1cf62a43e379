package dev.agenthealth.local.fleet;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How a simulated agent lives, and what its lifecycle events must therefore look like: the reasons of its events, in order, each in angle
 * brackets.
 */
public enum Behaviour {
    /** Beats on time. */
    STEADY("<registered>"),
    /** Beats on time with a clock that is an hour off. */
    DRIFTING("<registered>"),
    /** Falls silent for longer than the unhealthy threshold, and goes on before it is dead; again and again. */
    PAUSING("<registered>(<heartbeat_timeout><heartbeat_resumed>)+(<heartbeat_timeout>)?"),
    /** Falls silent until it is dead, is refused, and registers again; again and again. */
    CRASHING("<registered>(<heartbeat_timeout><heartbeat_timeout><re_registered>)+(<heartbeat_timeout>){0,2}"),
    /** Announces that it leaves, finishes its tasks, is deregistered, and registers again; again and again. */
    DRAINING(
            "<registered>(<drain_initiated><drain_completed><re_registered>)+(<drain_initiated>(<drain_completed>)?)?");

    private final Pattern expected;

    Behaviour(String expected) {
        this.expected = Pattern.compile(expected);
    }

    /** The name as it is printed and as it is part of agent ids. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether lifecycle events with these reasons, each in angle brackets, are what this behaviour implies. */
    public boolean explains(String reasons) {
        return expected.matcher(reasons).matches();
    }

    /** The behaviour of the agent with this number: of ten agents six are steady, and one is of each other kind. */
    static Behaviour ofNumber(int number) {
        return switch (number % 10) {
            case 3 -> DRIFTING;
            case 5 -> PAUSING;
            case 7 -> CRASHING;
            case 9 -> DRAINING;
            default -> STEADY;
        };
    }
}
