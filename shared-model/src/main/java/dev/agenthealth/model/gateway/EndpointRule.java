package dev.agenthealth.model.gateway;

import dev.agenthealth.model.address.AddressKind;
import dev.agenthealth.model.address.IpAddress;
import java.util.List;

/**
 * The endpoints that the gateway calls: those on the internet, by {@code https}. Any other would give the registrant of an agent access,
 * through the gateway, to hosts that only the gateway can reach.
 *
 * @param loopbackAllowed whether endpoints on this very machine may be called as well, {@code https} or not: for a local run only
 */
public record EndpointRule(boolean loopbackAllowed) {

    /** The verdicts about an endpoint. */
    public enum Verdict {
        ALLOWED,
        /** It is not {@code https}. */
        INSECURE,
        /** It leads, or may lead, to an address that is not public. */
        FORBIDDEN
    }

    /** Returns the verdict before a name is resolved: an allowed endpoint may be forbidden afterwards. */
    public Verdict judge(Endpoint endpoint) {
        if (!endpoint.secure() && !loopbackAllowed) {
            return Verdict.INSECURE;
        }
        return endpoint.host() instanceof Endpoint.Host.Literal literal
                ? judge(endpoint, List.of(literal.address()))
                : Verdict.ALLOWED;
    }

    /**
     * Returns the verdict about an endpoint with these addresses. One that is not allowed forbids all: the verdict must not depend on which one is
     * called.
     *
     * @param addresses all addresses of the host, at least one
     */
    public Verdict judge(Endpoint endpoint, List<IpAddress> addresses) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("a host without an address");
        }
        boolean loopback = loopbackAllowed && addresses.stream().allMatch(a -> a.kind() == AddressKind.LOOPBACK);
        if (loopback) {
            return Verdict.ALLOWED;
        }
        if (!endpoint.secure()) {
            return Verdict.INSECURE;
        }
        return addresses.stream().allMatch(a -> a.kind() == AddressKind.PUBLIC) ? Verdict.ALLOWED : Verdict.FORBIDDEN;
    }
}
