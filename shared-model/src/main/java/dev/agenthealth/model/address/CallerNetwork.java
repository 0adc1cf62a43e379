package dev.agenthealth.model.address;

import java.util.Arrays;
import java.util.HexFormat;

/** The network that limits count by: one IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one customer. */
public final class CallerNetwork {

    private static final int CUSTOMER_BYTES = 8;

    private CallerNetwork() {}

    /** Returns the name of the network of an address. A text that is no address is a network of its own. */
    public static String of(String address) {
        return AddressBlock.plain(address)
                .map(found -> found.isIpv4()
                        ? HexFormat.of().formatHex(found.bytes())
                        : HexFormat.of().formatHex(Arrays.copyOf(found.bytes(), CUSTOMER_BYTES)))
                .orElse(address);
    }
}
