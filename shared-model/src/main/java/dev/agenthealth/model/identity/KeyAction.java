package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/** The kinds of actions to which keys can be limited. */
public enum KeyAction implements WireNamed {
    /** The actions of an agent itself: it registers, sends heartbeats, outcomes and spans, and deregisters. */
    HEARTBEAT,
    /** Reads, without changes. */
    READ,
    /** Calls of agents through the gateway. */
    INVOKE,
    /** Every other change. A key that is limited to some actions never has this one. */
    CHANGE;

    /** The actions to which a key may be limited. */
    public static final List<KeyAction> GRANTED = List.of(HEARTBEAT, READ, INVOKE);
}
