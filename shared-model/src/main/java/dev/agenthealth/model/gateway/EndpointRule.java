package dev.agenthealth.model.gateway;

import dev.agenthealth.model.address.AddressKind;
import dev.agenthealth.model.address.IpAddress;
import java.util.List;

/**
 * Decides which endpoints the gateway calls: only {@code https} endpoints on the internet. With any other endpoint, the owner of an agent could
 * reach hosts that only the gateway can reach.
 *
 * @param loopbackAllowed whether endpoints on the same machine are allowed too, even without {@code https}; for a local run only
 */
public record EndpointRule(boolean loopbackAllowed) {

    /** Names the option that allows addresses of this machine. */
    public static final String LOOPBACK_OPTION =
            "on one machine, --allow-loopback-endpoints (AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS=true) allows addresses of this machine";

    /** The verdicts about an endpoint. */
    public enum Verdict {
        ALLOWED,
        /** The endpoint is not {@code https}. */
        INSECURE,
        /** The endpoint leads, or may lead, to an address that is not public. */
        FORBIDDEN
    }

    /** Returns the verdict before a name is resolved. An allowed endpoint may be forbidden after that. */
    public Verdict judge(Endpoint endpoint) {
        if (!endpoint.secure() && !loopbackAllowed) {
            return Verdict.INSECURE;
        }
        return endpoint.host() instanceof Endpoint.Host.Literal literal
                ? judge(endpoint, List.of(literal.address()))
                : Verdict.ALLOWED;
    }

    /**
     * Returns the verdict about an endpoint with resolved addresses. A single forbidden address forbids the endpoint, as any address may be called.
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
