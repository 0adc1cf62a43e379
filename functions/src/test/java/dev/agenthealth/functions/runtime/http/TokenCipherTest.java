package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tokens of one cipher after each other and at once, and the memory of a token. */
class TokenCipherTest {

    private static final String QUERY = "query";
    private static final long MAX_BYTES = 3_000;

    private final TokenCipher cipher = new TokenCipher(() -> new byte[32], () -> Optional.of(new byte[32]));

    @Test
    void tokens_of_many_threads_open_to_their_texts() {
        Set<String> opened = IntStream.range(0, 1_000)
                .parallel()
                .mapToObj(number -> cipher.open(cipher.seal("text " + number, QUERY), QUERY))
                .map(Optional::orElseThrow)
                .collect(Collectors.toSet());
        assertThat(opened).hasSize(1_000).contains("text 0", "text 999");
    }

    @Test
    void a_refused_token_changes_nothing_for_later_tokens() {
        String token = cipher.seal("text", QUERY);
        assertThat(cipher.open(token, "other query")).isEmpty();
        assertThat(cipher.open(token, QUERY)).contains("text");
        assertThat(cipher.seal("text", QUERY)).isNotEqualTo(token);
    }

    @Test
    void a_token_needs_no_new_cipher() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // Compilation allocates now and then.
        for (int i = 0; i < 100; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            cipher.seal("0:agent-" + i, QUERY);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println("a token allocates " + least + " bytes");
        assertThat(least).isPositive().isLessThan(MAX_BYTES);
    }
}
