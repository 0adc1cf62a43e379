package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;

/** The action of a containment rule on an agent. */
public enum ContainmentAction implements WireNamed {
    /** The gateway calls the agent no more, until trial calls succeed or a person unblocks it. */
    BLOCK,
    /** The agent is asked to finish its tasks and to take no others. */
    DRAIN,
    /** The agent is asked to drain and to end its process, so that its supervisor starts it again. */
    RESTART
}
