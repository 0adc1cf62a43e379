package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/** The actions of routes to which keys can be limited. */
public enum KeyAction implements WireNamed {
    /** An agent's own life: it registers, sends heartbeats, outcomes and spans, and deregisters. */
    HEARTBEAT,
    /** Reads and changes nothing. */
    READ,
    /** Calls an agent through the gateway. */
    INVOKE,
    /** Every other change. No key that is limited to some actions has it. */
    CHANGE;

    /** The actions to which a key may be limited. */
    public static final List<KeyAction> GRANTED = List.of(HEARTBEAT, READ, INVOKE);
}
