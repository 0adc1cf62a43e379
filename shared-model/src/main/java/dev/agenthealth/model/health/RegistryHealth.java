package dev.agenthealth.model.health;

/** The registry's own health, which is kept like an agent's. */
public final class RegistryHealth {

    /** The id under which it is kept; no agent can have it, since ids begin with a letter or a digit. */
    public static final String ID = "~registry";

    private RegistryHealth() {}
}
