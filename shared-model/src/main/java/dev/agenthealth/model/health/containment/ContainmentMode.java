package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;

/** The mode of a containment rule. */
public enum ContainmentMode implements WireNamed {
    /** The rule only publishes what it would do, so that operators try it before it acts. */
    OBSERVE,
    /** The rule acts. */
    ENFORCE
}
