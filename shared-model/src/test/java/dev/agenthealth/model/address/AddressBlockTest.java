package dev.agenthealth.model.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBlockTest {

    @ParameterizedTest
    @CsvSource({
        "203.0.113.0/24, 203.0.112.255, false",
        "203.0.113.0/24, 203.0.113.0, true",
        "203.0.113.0/24, 203.0.113.255, true",
        "203.0.113.0/24, 203.0.114.0, false",
        "203.0.113.128/25, 203.0.113.127, false",
        "203.0.113.7/32, 203.0.113.7, true",
        "203.0.113.7/32, 203.0.113.6, false",
        "0.0.0.0/0, 198.51.100.1, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 198.51.100.1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::/33, 2001:db7:ffff:ffff::, false",
        "::1/128, 0:0:0:0:0:0:0:1, true",
        "203.0.113.0/24, ::ffff:203.0.113.9, true",
        "203.0.113.0/24, ::203.0.113.9, false",
        "::ffff:203.0.113.0/120, 203.0.113.9, true",
        "::ffff:203.0.113.0/120, ::ffff:203.0.113.9, true",
        "::ffff:203.0.113.0/120, 203.0.114.9, false",
        "::ffff:0:0/96, 198.51.100.1, true",
        "::ffff:0:0/96, 2001:db8::1, false",
        "::/80, 203.0.113.9, false",
        "203.0.113.0/24, '', false",
        "203.0.113.0/24, example.com, false"
    })
    void a_block_contains_the_addresses_that_begin_as_it_does(String block, String address, boolean contained) {
        assertThat(AddressBlock.of(block).orElseThrow().contains(address)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "203.0.113.0",
                "203.0.113.0/",
                "203.0.113.0/33",
                "203.0.113.1/24",
                "203.0.113/24",
                "0203.0.113.0/24",
                "203.0.113.0/024",
                "203.0.113.0/-1",
                "203.0.113.0/24/24",
                "example.com/24",
                "2001:db8::/129",
                "2001:db8::1/64",
                "::ffff:203.0.113.1/120",
                "::ffff:0:0/95",
                "::1%lo/128",
                "[::1]/128"
            })
    void what_is_no_block_is_refused(String text) {
        assertThat(AddressBlock.of(text)).isEmpty();
    }
}
