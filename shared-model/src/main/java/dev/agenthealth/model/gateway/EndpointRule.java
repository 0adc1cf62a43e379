package dev.agenthealth.model.gateway;

import java.util.List;

/**
 * Which endpoints the gateway calls: those on the internet, by {@code https}. Everything else would let the registrant of an agent reach,
 * through the gateway, what only the gateway can reach.
 *
 * @param loopbackAllowed whether endpoints on this very machine may be called as well, {@code https} or not: for a local run only
 */
public record EndpointRule(boolean loopbackAllowed) {

    /** What the rule says of an endpoint. */
    public enum Verdict {
        ALLOWED,
        /** It is not {@code https}. */
        INSECURE,
        /** It leads, or may lead, to an address that is not public. */
        FORBIDDEN
    }

    /** What can be said before a name is resolved: allowed may still turn out as forbidden. */
    public Verdict judge(Endpoint endpoint) {
        if (!endpoint.secure() && !loopbackAllowed) {
            return Verdict.INSECURE;
        }
        return endpoint.host() instanceof Endpoint.Host.Literal literal
                ? judge(endpoint, List.of(literal.address()))
                : Verdict.ALLOWED;
    }

    /**
     * What is to be said of an endpoint with these addresses. One that is not allowed among them forbids all: which one is called must
     * not be a matter of luck.
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
