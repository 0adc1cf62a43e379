package dev.agenthealth.model.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

/** Addresses are read as the Java runtime reads them, and nothing that its own classes hold for special is public. */
@Tag("SN-07")
class IpAddressPropertyTest {

    @Property
    void an_ipv4_address_is_read_as_it_is_written(@ForAll @Size(4) byte[] bytes) throws UnknownHostException {
        String text = InetAddress.getByAddress(bytes).getHostAddress();
        assertThat(IpAddress.ofIpv4(text)).contains(IpAddress.of(bytes));
    }

    @Property
    void an_ipv6_address_is_read_as_it_is_written(@ForAll @Size(16) byte[] bytes) throws UnknownHostException {
        Assume.that(InetAddress.getByAddress(bytes) instanceof Inet6Address);
        String text = InetAddress.getByAddress(bytes).getHostAddress();
        assertThat(IpAddress.ofIpv6(text)).contains(IpAddress.of(bytes));
        assertThat(IpAddress.ofIpv6(text.toUpperCase())).contains(IpAddress.of(bytes));
    }

    @Property
    void what_is_read_as_ipv6_the_runtime_reads_alike(@ForAll @Size(10) List<@From("almostIpv6") String> texts)
            throws UnknownHostException {
        for (String text : texts) {
            checkRuntimeReadsAlike(text);
        }
    }

    private static void checkRuntimeReadsAlike(String text) throws UnknownHostException {
        Optional<IpAddress> read = IpAddress.ofIpv6(text);
        if (read.isPresent()) {
            InetAddress known = InetAddress.getByName("[" + text + "]");
            byte[] bytes = read.get().bytes();
            if (known instanceof Inet4Address) {
                // The runtime takes mapped addresses for what they hold.
                assertThat(Arrays.copyOfRange(bytes, 12, 16)).isEqualTo(known.getAddress());
            } else {
                assertThat(bytes).isEqualTo(known.getAddress());
            }
        }
    }

    @Provide
    Arbitrary<String> almostIpv6() {
        return Arbitraries.of("0", "1", "ff", "fe80", "12345", "g", "", ":", "::", "1.2.3.4", "255.0.0.1")
                .list()
                .ofMinSize(1)
                .ofMaxSize(10)
                .map(parts -> String.join(":", parts));
    }

    @Property
    void what_the_runtime_holds_for_special_is_not_public(@ForAll("anyAddress") byte[] bytes)
            throws UnknownHostException {
        InetAddress known = InetAddress.getByAddress(bytes);
        boolean special = known.isAnyLocalAddress()
                || known.isLoopbackAddress()
                || known.isLinkLocalAddress()
                || known.isSiteLocalAddress()
                || known.isMulticastAddress();
        if (special) {
            assertThat(IpAddress.of(bytes).kind()).isNotEqualTo(AddressKind.PUBLIC);
        }
        assertThat(IpAddress.of(bytes).kind() == AddressKind.LOOPBACK)
                .isEqualTo(known.isLoopbackAddress() && known.getAddress().length == bytes.length);
    }

    @Property
    void an_ipv4_address_inside_an_ipv6_address_is_never_public(
            @ForAll @Size(4) byte[] ipv4, @ForAll("translations") String prefix) {
        byte[] bytes = IpAddress.ofIpv6(prefix).orElseThrow().bytes();
        System.arraycopy(ipv4, 0, bytes, prefix.startsWith("2002") ? 2 : 12, 4);
        assertThat(IpAddress.of(bytes).kind()).isNotEqualTo(AddressKind.PUBLIC);
    }

    @Provide
    Arbitrary<String> translations() {
        return Arbitraries.of("::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b::", "64:ff9b:1::", "2001::", "2002::");
    }

    @Provide
    Arbitrary<byte[]> anyAddress() {
        Arbitrary<Byte> first = Arbitraries.oneOf(
                Arbitraries.bytes(), Arbitraries.of((byte) 0, (byte) 10, (byte) 127, (byte) 0xa9, (byte) 0xfe));
        return Arbitraries.oneOf(
                first.array(byte[].class).ofSize(4), first.array(byte[].class).ofSize(16));
    }
}
