package dev.agenthealth.functions.storage;

import dev.agenthealth.functions.Wiring;

/**
 * The physical names of the two tables.
 *
 * @param pulses one narrow row for every monitored agent
 * @param registry everything else
 */
public record Tables(String pulses, String registry) {

    /** The names that the template hands to every function. */
    public static Tables of(Wiring wiring) {
        return new Tables(wiring.required("PULSES_TABLE"), wiring.required("REGISTRY_TABLE"));
    }
}
