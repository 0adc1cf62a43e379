package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.Endpoint;
import java.net.InetAddress;
import java.util.List;

/**
 * An endpoint that may be called, at these addresses only.
 *
 * @param addresses the addresses in the order of the attempts, at least one
 */
public record Destination(Endpoint endpoint, List<InetAddress> addresses) {

    public Destination {
        addresses = List.copyOf(addresses);
    }
}
