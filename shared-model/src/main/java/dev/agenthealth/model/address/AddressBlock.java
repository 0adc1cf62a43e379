package dev.agenthealth.model.address;

import java.util.Arrays;
import java.util.Optional;

/**
 * A block of IPv4 or IPv6 addresses in the notation of RFC 4632 and RFC 4291 §2.3. Immutable.
 *
 * @param text the text of the block
 * @param first the address before the slash; an IPv4 address has 4 bytes, even if the text writes it as IPv6
 * @param bits the number of leading bits that all addresses of the block share
 */
public record AddressBlock(String text, IpAddress first, int bits) {

    /** The rule of {@link #of}, as the end of a sentence. */
    public static final String RULE =
            "must be blocks of addresses such as 203.0.113.0/24 or 2001:db8::/32, without bits after the prefix";

    private static final int BITS_OF_BYTE = 8;

    /** The beginning of an IPv4 address that is written as IPv6 (RFC 4291 §2.5.5.2). */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    /** Returns the block in a text; empty if the text is no block, or its address has bits after the prefix. No name is resolved. */
    public static Optional<AddressBlock> of(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9][0-9]{0,2}")) {
            return Optional.empty();
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(first -> bits <= first.bytes().length * BITS_OF_BYTE)
                .map(first -> new AddressBlock(text, first, bits))
                .filter(block -> block.hasNoRest())
                .map(AddressBlock::unmapped);
    }

    /** Returns whether the address lies in the block. An IPv4 address may be written as IPv6. */
    public boolean contains(String address) {
        return address(address)
                .map(AddressBlock::unmapped)
                .filter(this::contains)
                .isPresent();
    }

    /** Returns the IPv4 form of a block of IPv4 addresses that is written as IPv6. Addresses of requests have this form too. */
    private AddressBlock unmapped() {
        IpAddress ipv4 = unmapped(first);
        int dropped = (first.bytes().length - ipv4.bytes().length) * BITS_OF_BYTE;
        return new AddressBlock(text, ipv4, bits - dropped);
    }

    private boolean contains(IpAddress address) {
        return address.isIpv4() == first.isIpv4() && Arrays.equals(prefix(address.bytes()), prefix(first.bytes()));
    }

    private boolean hasNoRest() {
        return Arrays.equals(prefix(first.bytes()), first.bytes());
    }

    /** Returns the address with zeros after the prefix. */
    private byte[] prefix(byte[] address) {
        for (int i = 0; i < address.length; i++) {
            int kept = Math.min(BITS_OF_BYTE, Math.max(0, bits - i * BITS_OF_BYTE));
            address[i] &= (byte) (0xff00 >> kept);
        }
        return address;
    }

    /** Returns the address in a text; empty if the text is no address. An IPv4 address may be written as IPv6. */
    static Optional<IpAddress> plain(String text) {
        return address(text).map(AddressBlock::unmapped);
    }

    private static Optional<IpAddress> address(String text) {
        return text.contains(":") ? IpAddress.ofIpv6(text) : IpAddress.ofIpv4(text);
    }

    private static IpAddress unmapped(IpAddress address) {
        byte[] bytes = address.bytes();
        return !address.isIpv4() && Arrays.equals(Arrays.copyOf(bytes, MAPPED.length), MAPPED)
                ? IpAddress.of(Arrays.copyOfRange(bytes, MAPPED.length, bytes.length))
                : address;
    }
}
