package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

@Tag("R16-33")
class KeyHashPropertyTest {

    @Property
    void equal_keys_have_equal_hashes_and_others_do_not(@ForAll String one, @ForAll String other) {
        Assume.that(isText(one) && isText(other));
        KeyHash hash = KeyHash.ofKey(one);
        assertThat(hash).isEqualTo(KeyHash.ofKey(one)).hasSameHashCodeAs(KeyHash.ofKey(one));
        assertThat(hash.equals(KeyHash.ofKey(other))).isEqualTo(one.equals(other));
        assertThat(hash.isNone()).isFalse();
        assertThat(hash).isNotEqualTo(KeyHash.NONE);
    }

    @Property
    void bytes_and_hex_lead_there_and_back(@ForAll @Size(32) byte[] bytes) {
        KeyHash hash = KeyHash.ofBytes(bytes);
        assertThat(hash.bytes()).isEqualTo(bytes);
        assertThat(hash.hex()).matches("[0-9a-f]{64}");
        assertThat(KeyHash.ofHex(hash.hex())).isEqualTo(hash).hasSameHashCodeAs(hash);
        assertThat(KeyHash.ofHex(hash.hex().toUpperCase(Locale.ROOT))).isEqualTo(hash);
        assertThat(KeyHash.ofBytes(hash.bytes())).isEqualTo(hash);
    }

    /** Half a surrogate pair has no UTF-8, and no request can carry one. */
    private static boolean isText(String key) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(key);
    }
}
