package dev.agenthealth.model.address;

import java.util.Arrays;
import java.util.HexFormat;

/** The network that limits per address count: one IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one customer. */
public final class CallerNetwork {

    private static final int CUSTOMER_BYTES = 8;

    private CallerNetwork() {}

    /** Returns the name of the network of an address; a text that is no address is its own network. */
    public static String of(String address) {
        return AddressBlock.plain(address)
                .map(found -> found.isIpv4()
                        ? HexFormat.of().formatHex(found.bytes())
                        : HexFormat.of().formatHex(Arrays.copyOf(found.bytes(), CUSTOMER_BYTES)))
                .orElse(address);
    }
}
