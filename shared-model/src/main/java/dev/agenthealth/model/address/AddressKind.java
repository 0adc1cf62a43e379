package dev.agenthealth.model.address;

/** The purpose of an IP address by the IANA registries. Only public addresses are reachable on the internet. */
public enum AddressKind {
    PUBLIC,
    /** The machine itself. */
    LOOPBACK,
    /** The unspecified address or network, which many systems treat as loopback. */
    UNSPECIFIED,
    /** The network of an organisation: RFC 1918, and the unique local and site-local addresses of IPv6. */
    PRIVATE,
    /** The network between a provider and its customers (RFC 6598). */
    SHARED,
    /** Hosts on the same link. Metadata services of clouds have such addresses. */
    LINK_LOCAL,
    /** A service that a cloud offers only to its own machines. */
    METADATA,
    MULTICAST,
    /** Examples in documents. */
    DOCUMENTATION,
    /** An IPv4 address inside of an IPv6 address: mapped, compatible, translated or tunnelled. */
    EMBEDDED,
    /** All other addresses that are not for the internet: broadcast, benchmarks, special protocols, future use. */
    RESERVED
}
