package dev.agenthealth.model.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What addresses are for, at both ends of every block. */
@Tag("SN-07")
class AddressKindTest {

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, UNSPECIFIED",
        "0.255.255.255, UNSPECIFIED",
        "1.0.0.0, PUBLIC",
        "9.255.255.255, PUBLIC",
        "10.0.0.0, PRIVATE",
        "10.255.255.255, PRIVATE",
        "11.0.0.0, PUBLIC",
        "100.63.255.255, PUBLIC",
        "100.64.0.0, SHARED",
        "100.127.255.255, SHARED",
        "100.128.0.0, PUBLIC",
        "126.255.255.255, PUBLIC",
        "127.0.0.0, LOOPBACK",
        "127.255.255.255, LOOPBACK",
        "128.0.0.0, PUBLIC",
        "168.63.129.15, PUBLIC",
        "168.63.129.16, METADATA",
        "168.63.129.17, PUBLIC",
        "169.253.255.255, PUBLIC",
        "169.254.0.0, LINK_LOCAL",
        "169.254.169.254, LINK_LOCAL",
        "169.254.255.255, LINK_LOCAL",
        "169.255.0.0, PUBLIC",
        "172.15.255.255, PUBLIC",
        "172.16.0.0, PRIVATE",
        "172.31.255.255, PRIVATE",
        "172.32.0.0, PUBLIC",
        "191.255.255.255, PUBLIC",
        "192.0.0.0, RESERVED",
        "192.0.0.255, RESERVED",
        "192.0.1.0, PUBLIC",
        "192.0.2.0, DOCUMENTATION",
        "192.0.2.255, DOCUMENTATION",
        "192.0.3.0, PUBLIC",
        "192.88.98.255, PUBLIC",
        "192.88.99.0, EMBEDDED",
        "192.88.100.0, PUBLIC",
        "192.167.255.255, PUBLIC",
        "192.168.0.0, PRIVATE",
        "192.168.255.255, PRIVATE",
        "192.169.0.0, PUBLIC",
        "198.17.255.255, PUBLIC",
        "198.18.0.0, RESERVED",
        "198.19.255.255, RESERVED",
        "198.20.0.0, PUBLIC",
        "198.51.100.0, DOCUMENTATION",
        "203.0.113.255, DOCUMENTATION",
        "223.255.255.255, PUBLIC",
        "224.0.0.0, MULTICAST",
        "239.255.255.255, MULTICAST",
        "240.0.0.0, RESERVED",
        "255.255.255.255, RESERVED"
    })
    void of_ipv4(String address, AddressKind kind) {
        assertThat(IpAddress.ofIpv4(address).orElseThrow().kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "::, UNSPECIFIED",
        "::1, LOOPBACK",
        "::2, EMBEDDED",
        "::8.8.8.8, EMBEDDED",
        "::ffff:8.8.8.8, EMBEDDED",
        "::ffff:0:808:808, EMBEDDED",
        "64:ff9b::808:808, EMBEDDED",
        "64:ff9b:1:ffff::, EMBEDDED",
        "100::, RESERVED",
        "1fff:ffff::, RESERVED",
        "2000::, PUBLIC",
        "2000:ffff:ffff::, PUBLIC",
        "2001::1, EMBEDDED",
        "2001:2::, RESERVED",
        "2001:10::, RESERVED",
        "2001:20::, RESERVED",
        "2001:1ff:ffff::, RESERVED",
        "2001:200::, PUBLIC",
        "2001:db7:ffff::, PUBLIC",
        "2001:db8::, DOCUMENTATION",
        "2001:db8:ffff::, DOCUMENTATION",
        "2001:db9::, PUBLIC",
        "2002::, EMBEDDED",
        "2003::, PUBLIC",
        "3ffe:ffff::, PUBLIC",
        "3fff::, DOCUMENTATION",
        "3fff:fff:ffff::, DOCUMENTATION",
        "3fff:1000::, PUBLIC",
        "3fff:ffff::, PUBLIC",
        "4000::, RESERVED",
        "5f00::, RESERVED",
        "fbff::, RESERVED",
        "fc00::, PRIVATE",
        "fd00:ec2::254, METADATA",
        "fdff:ffff::, PRIVATE",
        "fe00::, RESERVED",
        "fe80::, LINK_LOCAL",
        "febf:ffff::, LINK_LOCAL",
        "fec0::, PRIVATE",
        "feff::, PRIVATE",
        "ff00::, MULTICAST",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, MULTICAST"
    })
    void of_ipv6(String address, AddressKind kind) {
        assertThat(IpAddress.ofIpv6(address).orElseThrow().kind()).isEqualTo(kind);
    }

    @Test
    void nothing_else_is_an_address() {
        assertThatThrownBy(() -> IpAddress.of(new byte[5])).isInstanceOf(IllegalArgumentException.class);
        assertThat(IpAddress.of(new byte[4])).isNotEqualTo(IpAddress.of(new byte[16]));
    }

    @ParameterizedTest
    @CsvSource({
        "1:2:3:4:5:6:7:8, true",
        "1:2:3:4::5:6:7, true",
        "1:2:3:4::5:6:7:8, false",
        "1:2:3:4:5:6:7::, true",
        "::2:3:4:5:6:7:8, true",
        "1:2:3:4:5:6:7, false"
    })
    void two_colons_stand_for_one_group_or_more(String text, boolean valid) {
        assertThat(IpAddress.ofIpv6(text).isPresent()).isEqualTo(valid);
    }
}
