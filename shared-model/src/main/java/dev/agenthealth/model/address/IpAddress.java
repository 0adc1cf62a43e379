package dev.agenthealth.model.address;

import java.util.Arrays;
import java.util.Optional;

/** An IPv4 or IPv6 address: 4 or 16 bytes. Immutable. */
public final class IpAddress {

    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the address of these bytes, most significant first.
     *
     * @throws IllegalArgumentException unless there are 4 or 16 bytes
     */
    public static IpAddress of(byte[] bytes) {
        if (bytes.length != IPV4_LENGTH && bytes.length != IPV6_LENGTH) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes");
        }
        return new IpAddress(bytes.clone());
    }

    /**
     * Returns the IPv4 address of four decimal numbers with dots between them. Other forms are refused, such as fewer numbers, octal or
     * hexadecimal, because different readers understand them differently.
     */
    public static Optional<IpAddress> ofIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != IPV4_LENGTH) {
            return Optional.empty();
        }
        byte[] bytes = new byte[IPV4_LENGTH];
        for (int i = 0; i < IPV4_LENGTH; i++) {
            if (!parts[i].matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(parts[i]) > 255) {
                return Optional.empty();
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return Optional.of(new IpAddress(bytes));
    }

    /** Returns the IPv6 address in any form of RFC 4291 §2.2, without brackets and without a zone. */
    public static Optional<IpAddress> ofIpv6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return Optional.empty();
        }
        Optional<byte[]> before = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        Optional<byte[]> after = groups(gap < 0 ? "" : text.substring(gap + 2), true);
        if (before.isEmpty() || after.isEmpty()) {
            return Optional.empty();
        }
        byte[] head = before.get();
        byte[] tail = after.get();
        int given = head.length + tail.length;
        if (gap < 0 ? given != IPV6_LENGTH : given > IPV6_LENGTH - 2) {
            return Optional.empty();
        }
        byte[] bytes = Arrays.copyOf(head, IPV6_LENGTH);
        System.arraycopy(tail, 0, bytes, IPV6_LENGTH - tail.length, tail.length);
        return Optional.of(new IpAddress(bytes));
    }

    /** Returns the bytes of some groups. The last groups of an address may end with an IPv4 address. */
    private static Optional<byte[]> groups(String text, boolean last) {
        if (text.isEmpty()) {
            return Optional.of(new byte[0]);
        }
        String[] groups = text.split(":", -1);
        byte[] bytes = new byte[2 * groups.length + 2];
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            if (last && i == groups.length - 1 && groups[i].contains(".")) {
                Optional<IpAddress> ipv4 = ofIpv4(groups[i]);
                if (ipv4.isEmpty()) {
                    return Optional.empty();
                }
                System.arraycopy(ipv4.get().bytes, 0, bytes, length, IPV4_LENGTH);
                length += IPV4_LENGTH;
            } else if (groups[i].matches("[0-9A-Fa-f]{1,4}")) {
                int group = Integer.parseInt(groups[i], 16);
                bytes[length++] = (byte) (group >> 8);
                bytes[length++] = (byte) group;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(Arrays.copyOf(bytes, length));
    }

    /** Returns the bytes, most significant first. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns whether the address has 4 bytes. */
    public boolean isIpv4() {
        return bytes.length == IPV4_LENGTH;
    }

    /** Returns the kind of the address. */
    public AddressKind kind() {
        return isIpv4() ? AddressBlocks.kindOfIpv4(bytes) : AddressBlocks.kindOfIpv6(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
