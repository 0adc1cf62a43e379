package dev.agenthealth.model.address;

/** The purpose of an IP address by the IANA registries. Only public addresses are reachable on the internet. */
public enum AddressKind {
    PUBLIC,
    /** This very machine. */
    LOOPBACK,
    /** This host or network, which many systems take for loopback. */
    UNSPECIFIED,
    /** Of an organisation's own network: RFC 1918, and the unique local and site-local addresses of IPv6. */
    PRIVATE,
    /** Between a provider and its customers (RFC 6598). */
    SHARED,
    /** Of the same link; the metadata services of clouds are found here. */
    LINK_LOCAL,
    /** A service that a cloud shows to its own machines only. */
    METADATA,
    MULTICAST,
    /** For examples in documents. */
    DOCUMENTATION,
    /** An IPv4 address in the clothes of an IPv6 address: mapped, compatible, translated or tunnelled. */
    EMBEDDED,
    /** Everything else that is not for the internet: broadcast, benchmarks, protocols of their own, the future. */
    RESERVED
}
