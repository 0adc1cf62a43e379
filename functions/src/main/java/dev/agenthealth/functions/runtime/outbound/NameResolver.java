package dev.agenthealth.functions.runtime.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. Thread-safe. */
@FunctionalInterface
public interface NameResolver {

    /**
     * All addresses of a host, at least one.
     *
     * @throws UnknownHostException if there is none
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;

    /** The resolver of the operating system. */
    static NameResolver system() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
