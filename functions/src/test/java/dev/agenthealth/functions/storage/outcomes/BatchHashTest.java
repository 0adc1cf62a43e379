package dev.agenthealth.functions.storage.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;

/** How a batch is recognised that arrives again. */
class BatchHashTest {

    private static final BatchHash BATCH = new BatchHash(List.of("agent", "batch-1"), "content");

    @Test
    void a_batch_is_known_by_its_id_and_its_content() {
        BatchHash same = new BatchHash(List.of("agent", "batch-1"), "content");
        BatchHash altered = new BatchHash(List.of("agent", "batch-1"), "other");
        BatchHash next = new BatchHash(List.of("agent", "batch-2"), "content");
        assertThat(BATCH.among(Set.of())).isEqualTo(BatchMatch.NEW);
        assertThat(BATCH.among(Set.of(next.kept()))).isEqualTo(BatchMatch.NEW);
        assertThat(BATCH.among(Set.of(next.kept(), same.kept()))).isEqualTo(BatchMatch.COUNTED);
        assertThat(BATCH.among(Set.of(next.kept(), altered.kept()))).isEqualTo(BatchMatch.OTHER_CONTENT);
        assertThat(BATCH.matching(same.content())).isEqualTo(BatchMatch.COUNTED);
        assertThat(BATCH.matching(altered.content())).isEqualTo(BatchMatch.OTHER_CONTENT);
        assertThat(BATCH.id()).isEqualTo(altered.id()).isNotEqualTo(next.id()).matches("[0-9a-f]{16}");
        assertThat(BATCH.content()).isEqualTo(next.content()).matches("[0-9a-f]{16}");
    }

    @Test
    void a_slice_keeps_six_bytes_of_the_id_and_two_of_the_content() {
        byte[] kept = BATCH.kept().asByteArray();
        byte[] altered =
                new BatchHash(List.of("agent", "batch-1"), "other").kept().asByteArray();
        assertThat(kept).hasSize(8);
        assertThat(Arrays.equals(kept, 0, 6, altered, 0, 6)).isTrue();
        assertThat(kept).isNotEqualTo(altered);
    }

    @Test
    void what_a_slice_keeps_of_spans_is_no_batch() {
        byte[] longer = Arrays.copyOf(BATCH.kept().asByteArray(), 9);
        assertThat(BATCH.among(Set.of(SdkBytes.fromByteArray(longer)))).isEqualTo(BatchMatch.NEW);
    }
}
