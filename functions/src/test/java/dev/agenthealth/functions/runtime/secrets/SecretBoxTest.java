package dev.agenthealth.functions.runtime.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.TestKms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.kms.model.KmsException;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretBoxTest {

    private static final String CONTEXT = "notification:on-call";
    private static final byte[] SECRET = "whsec_geheim".getBytes(StandardCharsets.UTF_8);
    private static final String KEY = "arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000001";

    private final TestKms kms = new TestKms();

    private final MutableClock clock = MutableClock.atExampleTime();

    Stream<SecretBox> boxes() {
        return Stream.of(local(1), deployed(kms));
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void what_was_sealed_can_be_opened_and_is_different_each_time(SecretBox box) {
        byte[] large = new byte[20_000];
        Arrays.fill(large, (byte) 'x');
        for (byte[] plain : List.of(SECRET, new byte[0], large)) {
            byte[] first = box.seal(CONTEXT, plain);
            byte[] second = box.seal(CONTEXT, plain);
            assertThat(first).isNotEqualTo(second);
            assertThat(box.open(CONTEXT, first)).isEqualTo(plain);
            assertThat(box.open(CONTEXT, second)).isEqualTo(plain);
        }
        assertThat(new String(box.seal(CONTEXT, SECRET), StandardCharsets.ISO_8859_1))
                .doesNotContain("geheim");
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void a_secret_is_unreadable_after_a_change_of_any_byte(SecretBox box) {
        byte[] sealed = box.seal(CONTEXT, SECRET);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertUnreadable(box, CONTEXT, changed);
        }
        for (int length = 0; length < sealed.length; length++) {
            assertUnreadable(box, CONTEXT, Arrays.copyOf(sealed, length));
        }
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void a_secret_is_unreadable_in_another_context_also_once_it_was_opened(SecretBox box) {
        byte[] sealed = box.seal(CONTEXT, SECRET);
        box.open(CONTEXT, sealed);
        assertUnreadable(box, "notification:other", sealed);
        assertUnreadable(box, "", sealed);
    }

    @Test
    void a_secret_is_unreadable_with_another_key_and_by_the_other_kind_of_box() {
        byte[] sealed = local(1).seal(CONTEXT, SECRET);
        assertUnreadable(local(2), CONTEXT, sealed);
        assertUnreadable(deployed(kms), CONTEXT, sealed);
        assertUnreadable(local(1), CONTEXT, deployed(kms).seal(CONTEXT, SECRET));
    }

    @Test
    void a_key_of_another_length_is_refused_at_the_start() {
        assertThatThrownBy(() -> new LocalSecretBox(new byte[16])).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void kms_gets_the_context_and_never_the_secret() {
        TestKms own = new TestKms();
        deployed(own).open(CONTEXT, deployed(own).seal(CONTEXT, SECRET));
        assertThat(own.dataKeyRequests()).singleElement().satisfies(request -> {
            assertThat(request.keyId()).isEqualTo(KEY);
            assertThat(request.encryptionContext()).containsEntry("agent-health", CONTEXT);
            assertThat(request.toString()).doesNotContain("geheim");
        });
        assertThat(own.decryptRequests()).singleElement().satisfies(request -> {
            assertThat(request.encryptionContext()).containsEntry("agent-health", CONTEXT);
            assertThat(request.ciphertextBlob().asUtf8String()).doesNotContain("geheim");
        });
    }

    @Test
    void frequent_use_of_a_secret_costs_one_request_in_five_minutes() {
        TestKms own = new TestKms();
        SecretBox box = deployed(own);
        byte[] sealed = box.seal(CONTEXT, SECRET);
        for (int i = 0; i < 20; i++) {
            box.open(CONTEXT, sealed);
        }
        clock.advance(KmsSecretBox.KEPT.minusMillis(1));
        box.open(CONTEXT, sealed);
        assertThat(own.decryptRequests()).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        box.open(CONTEXT, sealed);
        assertThat(own.decryptRequests()).hasSize(2);
    }

    @Test
    void many_secrets_are_opened_correctly_though_few_keys_are_kept() {
        SecretBox box = deployed(kms);
        List<byte[]> sealed = Stream.iterate(0, i -> i + 1)
                .limit(4)
                .map(i -> box.seal("context:" + i, ("secret " + i).getBytes(StandardCharsets.UTF_8)))
                .toList();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < sealed.size(); i++) {
                assertThat(new String(box.open("context:" + i, sealed.get(i)), StandardCharsets.UTF_8))
                        .isEqualTo("secret " + i);
            }
        }
    }

    @Test
    void a_lost_key_makes_a_secret_unreadable_and_an_outage_does_not() {
        TestKms own = new TestKms();
        byte[] sealed = deployed(own).seal(CONTEXT, SECRET);
        own.failDecrypt(KmsException.builder().build());
        assertThatThrownBy(() -> deployed(own).open(CONTEXT, sealed)).isInstanceOf(StorageBusyException.class);
        own.failDataKey(KmsException.builder().build());
        assertThatThrownBy(() -> deployed(own).seal(CONTEXT, SECRET)).isInstanceOf(StorageBusyException.class);
        own.lose();
        assertUnreadable(deployed(own), CONTEXT, sealed);
    }

    @Test
    void a_denied_secret_is_unreadable_after_its_key_was_replaced_but_not_while_all_is_denied() {
        TestKms own = new TestKms();
        byte[] sealed = deployed(own).seal(CONTEXT, SECRET);
        own.deny(true);
        assertThatThrownBy(() -> deployed(own).open(CONTEXT, sealed)).isInstanceOf(StorageBusyException.class);
        own.deny(false);
        assertThat(deployed(own).open(CONTEXT, sealed)).isEqualTo(SECRET);
        own.replaceKey();
        assertUnreadable(deployed(own), CONTEXT, sealed);
        byte[] again = deployed(own).seal(CONTEXT, SECRET);
        assertThat(deployed(own).open(CONTEXT, again)).isEqualTo(SECRET);
    }

    @Test
    void a_denied_secret_may_be_readable_later_if_the_test_of_the_own_key_gets_no_answer() {
        TestKms own = new TestKms();
        byte[] sealed = deployed(own).seal(CONTEXT, SECRET);
        own.replaceKey();
        own.failDataKey(KmsException.builder().build());
        assertThatThrownBy(() -> deployed(own).open(CONTEXT, sealed)).isInstanceOf(StorageBusyException.class);
    }

    private static void assertUnreadable(SecretBox box, String context, byte[] sealed) {
        assertThatThrownBy(() -> box.open(context, sealed))
                .isInstanceOf(UnreadableSecretException.class)
                .hasMessageNotContaining("geheim");
    }

    private static SecretBox local(int seed) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) seed);
        return new LocalSecretBox(key);
    }

    private SecretBox deployed(TestKms service) {
        return new KmsSecretBox(service::client, KEY, clock);
    }
}
