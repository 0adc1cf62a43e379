package dev.agenthealth.functions.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Asks for the addresses of a host. Thread-safe. */
@FunctionalInterface
public interface NameResolver {

    /**
     * All addresses of a host, at least one.
     *
     * @throws UnknownHostException where there is none, or nobody to ask
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;

    /** The machine's own way. */
    static NameResolver system() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
