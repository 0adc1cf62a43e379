package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R16-33")
class KeyHashTest {

    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /** The examples published with FIPS 180 and the digest of the empty message. */
    @ParameterizedTest(name = "SHA-256 of \"{0}\"")
    @CsvSource({
        "abc, " + ABC,
        "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq,"
                + " 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    })
    void is_the_sha_256_of_the_key(String key, String hex) {
        assertThat(KeyHash.ofKey(key).hex()).isEqualTo(hex);
        assertThat(KeyHash.ofKey(key)).isEqualTo(KeyHash.ofHex(hex));
    }

    @Test
    void is_taken_of_the_keys_utf_8() {
        assertThat(KeyHash.ofKey("é")).isNotEqualTo(KeyHash.ofKey("e"));
        // U+00E9 in UTF-8 is C3 A9
        assertThat(KeyHash.ofKey("é").hex())
                .isEqualTo("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    }

    @ParameterizedTest
    @MethodSource("positions")
    void one_differing_byte_makes_another_hash(int position) {
        byte[] bytes = KeyHash.ofHex(ABC).bytes();
        bytes[position] ^= 1;
        assertThat(KeyHash.ofBytes(bytes)).isNotEqualTo(KeyHash.ofHex(ABC));
    }

    static IntStream positions() {
        return IntStream.range(0, 32);
    }

    @Test
    void none_is_equal_to_none_and_to_nothing_else() {
        assertThat(KeyHash.NONE)
                .isEqualTo(KeyHash.ofBytes(new byte[0]))
                .hasSameHashCodeAs(KeyHash.ofBytes(new byte[0]));
        assertThat(KeyHash.NONE.isNone()).isTrue();
        assertThat(KeyHash.NONE.hex()).isEmpty();
        assertThat(KeyHash.NONE.bytes()).isEmpty();
        assertThat(KeyHash.NONE)
                .isNotEqualTo(KeyHash.ofKey(""))
                .isNotEqualTo(KeyHash.ofBytes(new byte[32]))
                .isNotEqualTo("");
        assertThat(KeyHash.ofKey("")).isNotEqualTo(KeyHash.NONE);
        assertThat(KeyHash.ofBytes(new byte[32])).isNotEqualTo(KeyHash.NONE);
    }

    @Test
    void a_hash_is_immutable() {
        byte[] bytes = KeyHash.ofHex(ABC).bytes();
        KeyHash hash = KeyHash.ofBytes(bytes);
        bytes[0] = 0;
        hash.bytes()[1] = 0;
        assertThat(hash.hex()).isEqualTo(ABC);
    }

    @Test
    void the_text_of_a_hash_reveals_nothing() {
        KeyHash hash = KeyHash.ofHex(ABC);
        String text = hash.toString();
        for (int i = 0; i + 4 <= ABC.length(); i++) {
            assertThat(text).doesNotContainIgnoringCase(ABC.substring(i, i + 4));
        }
        assertThat(text).isEqualTo(KeyHash.ofKey("another key").toString());
        assertThat(KeyHash.NONE.toString()).isNotEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 31, 33, 64})
    void other_lengths_are_no_hash(int length) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyHash.ofBytes(new byte[length]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
                "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015 d"
            })
    void other_texts_are_no_hash_and_the_error_does_not_repeat_them(String hex) {
        Throwable error = catchThrowable(() -> KeyHash.ofHex(hex));
        assertThat(error).isInstanceOf(IllegalArgumentException.class);
        if (hex.length() > 2) {
            assertThat(error).message().doesNotContain(hex.substring(1, 9));
        }
    }

    @Test
    void the_hash_of_a_limited_key_is_another_one_that_leads_back() {
        KeyHash hash = KeyHash.ofHex(ABC);
        assertThat(hash.ofLimitedKey().bytes()[0]).isEqualTo((byte) ~hash.bytes()[0]);
        assertThat(hash.ofLimitedKey()).isNotEqualTo(hash);
        assertThat(hash.ofLimitedKey().ofLimitedKey()).isEqualTo(hash);
        assertThat(KeyHash.NONE.ofLimitedKey()).isEqualTo(KeyHash.NONE);
    }

    @Test
    void its_text_says_only_whether_there_is_one() {
        assertThat(KeyHash.NONE).hasToString("KeyHash[none]");
        assertThat(KeyHash.ofHex(ABC).toString())
                .isNotEqualTo(KeyHash.NONE.toString())
                .doesNotContain("ba");
    }
}
