package dev.agenthealth.model.address;

import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of addresses that are not reachable on the internet (IANA's special-purpose registries for IPv4 and IPv6). The first block that
 * contains an address decides its kind.
 *
 * <p>For IPv4, the list has the blocks that are not public. IPv6 works the other way round: an address is public only if it lies in the block for
 * internet addresses and in none of its exceptions.
 */
final class AddressBlocks {

    private static final List<Block> IPV4 = List.of(
            block("0.0.0.0", 8, AddressKind.UNSPECIFIED),
            block("10.0.0.0", 8, AddressKind.PRIVATE),
            block("100.64.0.0", 10, AddressKind.SHARED),
            block("127.0.0.0", 8, AddressKind.LOOPBACK),
            block("169.254.0.0", 16, AddressKind.LINK_LOCAL),
            block("172.16.0.0", 12, AddressKind.PRIVATE),
            block("192.0.0.0", 24, AddressKind.RESERVED),
            block("192.0.2.0", 24, AddressKind.DOCUMENTATION),
            block("192.88.99.0", 24, AddressKind.EMBEDDED),
            block("192.168.0.0", 16, AddressKind.PRIVATE),
            block("198.18.0.0", 15, AddressKind.RESERVED),
            block("198.51.100.0", 24, AddressKind.DOCUMENTATION),
            block("203.0.113.0", 24, AddressKind.DOCUMENTATION),
            block("168.63.129.16", 32, AddressKind.METADATA),
            block("224.0.0.0", 4, AddressKind.MULTICAST),
            block("240.0.0.0", 4, AddressKind.RESERVED));

    private static final List<Block> IPV6 = List.of(
            block("::", 128, AddressKind.UNSPECIFIED),
            block("::1", 128, AddressKind.LOOPBACK),
            block("::", 96, AddressKind.EMBEDDED),
            block("::ffff:0:0", 96, AddressKind.EMBEDDED),
            block("::ffff:0:0:0", 96, AddressKind.EMBEDDED),
            block("64:ff9b::", 96, AddressKind.EMBEDDED),
            block("64:ff9b:1::", 48, AddressKind.EMBEDDED),
            block("2001::", 32, AddressKind.EMBEDDED),
            block("2001:db8::", 32, AddressKind.DOCUMENTATION),
            block("2001::", 23, AddressKind.RESERVED),
            block("2002::", 16, AddressKind.EMBEDDED),
            block("3fff::", 20, AddressKind.DOCUMENTATION),
            block("fd00:ec2::", 32, AddressKind.METADATA),
            block("fc00::", 7, AddressKind.PRIVATE),
            block("fe80::", 10, AddressKind.LINK_LOCAL),
            block("fec0::", 10, AddressKind.PRIVATE),
            block("ff00::", 8, AddressKind.MULTICAST),
            block("2000::", 3, AddressKind.PUBLIC),
            block("::", 0, AddressKind.RESERVED));

    private AddressBlocks() {}

    private record Block(List<Byte> prefix, int bits, AddressKind kind) {

        boolean holds(byte[] address) {
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                if ((prefix.get(bit / 8) & mask) != (address[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    static AddressKind kindOfIpv4(byte[] address) {
        return kind(IPV4, address, AddressKind.PUBLIC);
    }

    static AddressKind kindOfIpv6(byte[] address) {
        return kind(IPV6, address, AddressKind.RESERVED);
    }

    private static AddressKind kind(List<Block> blocks, byte[] address, AddressKind otherwise) {
        for (Block block : blocks) {
            if (block.holds(address)) {
                return block.kind();
            }
        }
        return otherwise;
    }

    private static Block block(String first, int bits, AddressKind kind) {
        IpAddress address = (first.contains(":") ? IpAddress.ofIpv6(first) : IpAddress.ofIpv4(first)).orElseThrow();
        List<Byte> prefix = new ArrayList<>();
        for (byte b : address.bytes()) {
            prefix.add(b);
        }
        return new Block(List.copyOf(prefix), bits, kind);
    }
}
