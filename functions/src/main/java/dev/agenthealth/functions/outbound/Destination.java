package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.Endpoint;
import java.net.InetAddress;
import java.util.List;

/** Where a call goes, as far as that can be said. */
public sealed interface Destination {

    /**
     * An endpoint that may be called, at these addresses and at no others.
     *
     * @param addresses in the order in which they are tried, at least one
     */
    record Checked(Endpoint endpoint, List<InetAddress> addresses) implements Destination {

        public Checked {
            addresses = List.copyOf(addresses);
        }
    }

    /** Nobody may be called there. */
    record Forbidden() implements Destination {}

    /** The host has no address. */
    record Unknown() implements Destination {}
}
