package dev.agenthealth.functions.runtime.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. Thread-safe. */
@FunctionalInterface
public interface NameResolver {

    /**
     * Returns all addresses of a host, at least one.
     *
     * @throws UnknownHostException if the host has no address
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;

    /** Returns the resolver of the operating system. */
    static NameResolver system() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
