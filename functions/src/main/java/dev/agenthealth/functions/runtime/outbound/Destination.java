package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.Endpoint;
import java.net.InetAddress;
import java.util.List;

/**
 * An endpoint that may be called, at these addresses only.
 *
 * @param addresses in the order in which they are tried, at least one
 */
public record Destination(Endpoint endpoint, List<InetAddress> addresses) {

    public Destination {
        addresses = List.copyOf(addresses);
    }
}
