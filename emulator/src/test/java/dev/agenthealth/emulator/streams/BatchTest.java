package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.Record;

class BatchTest {

    private static Batch batch(int size) {
        return new Batch(IntStream.range(0, size).mapToObj(BatchTest::change).toList());
    }

    private static Record change(int number) {
        return Record.builder()
                .dynamodb(change -> change.sequenceNumber("s" + number))
                .build();
    }

    private static StreamsEventResponse failures(String names) {
        return new StreamsEventResponse(
                names.isEmpty()
                        ? List.of()
                        : Stream.of(names.split(" ")).map(BatchItemFailure::new).toList());
    }

    @ParameterizedTest
    @CsvSource({"'',5", "s0,0", "s3,3", "s4 s2,2", "s1 unknown,0", "unknown,0"})
    void everything_behind_the_first_failure_counts_as_failed(String failed, int taken) {
        assertThat(batch(5).taken(failures(failed))).isEqualTo(taken);
    }

    @Test
    void a_failure_without_an_identifier_fails_the_whole_batch() {
        assertThat(batch(5).taken(new StreamsEventResponse(List.of(new BatchItemFailure(null)))))
                .isZero();
        assertThat(batch(5).taken(new StreamsEventResponse(null))).isEqualTo(5);
    }

    @Test
    void progress_starts_the_count_anew() {
        Batch twiceFailed = batch(5).failed().failed();
        assertThat(twiceFailed.from(0).attempts()).isEqualTo(3);
        assertThat(twiceFailed.from(2).attempts()).isEqualTo(1);
        assertThat(twiceFailed.from(2).records()).hasSize(3);
    }

    @Test
    void splitting_is_not_an_attempt() {
        List<Batch> halves = batch(5).failed().halves();
        assertThat(halves).extracting(half -> half.records().size()).containsExactly(2, 3);
        assertThat(halves).extracting(Batch::attempts).containsExactly(1, 1);
        assertThat(batch(1).canBeSplit()).isFalse();
    }
}
