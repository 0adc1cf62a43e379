package dev.agenthealth.model.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of probes, and when it is worth a write. */
class ProbeStateTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final ProbeState ALIVE = ProbeState.NONE.then(result(0, "", "", Instant.EPOCH));

    private static ProbeResult result(long seconds, String failure, String declared, Instant certificateEnds) {
        return new ProbeResult(NOW.plusSeconds(seconds), failure, declared, 40 + seconds, certificateEnds);
    }

    @ParameterizedTest
    @CsvSource({
        "60, '', '', false",
        "299, '', '', false",
        "300, '', '', true",
        "60, HTTP 503, '', true",
        "60, '', degraded, true",
    })
    void a_result_is_stored_where_it_is_another_one_or_the_last_one_is_old(
            long seconds, String failure, String declared, boolean stored) {
        ProbeState after = ALIVE.then(result(seconds, failure, declared, Instant.EPOCH));
        assertThat(ALIVE.isOutdatedBy(after)).isEqualTo(stored);
        boolean same = failure.isEmpty() && declared.isEmpty();
        assertThat(after.since()).isEqualTo(same ? ALIVE.since() : after.at());
    }

    @Test
    void the_first_result_is_stored() {
        assertThat(ProbeState.NONE.isOutdatedBy(ALIVE)).isTrue();
    }

    @Test
    void a_probe_without_an_answer_keeps_the_certificate_and_publishes_nothing_of_it() {
        Instant end = NOW.plus(Duration.ofDays(21)).plusSeconds(30);
        ProbeState seen = ALIVE.then(result(10, "", "", end));
        assertThat(seen.isWarningAfter(ALIVE)).isFalse();
        ProbeState refused = seen.then(result(60, "connection refused", "", Instant.EPOCH));
        assertThat(refused.certificateEnds()).isEqualTo(end);
        assertThat(refused.isWarningAfter(seen)).isFalse();
        ProbeState again = seen.then(result(60, "", "", end));
        assertThat(again.isWarningAfter(seen)).isTrue();
        assertThat(seen.isOutdatedBy(again)).isTrue();
    }

    @Test
    void the_signature_is_that_of_the_last_card() {
        ProbeResult signed = new ProbeResult(NOW, "", "", 40, Instant.EPOCH, Optional.of(CardSignature.VALID), "");
        ProbeState failed = ALIVE.then(signed).then(result(60, "connection refused", "", Instant.EPOCH));
        assertThat(failed.signature()).contains(CardSignature.VALID);
        ProbeResult altered =
                new ProbeResult(NOW, "HTTP 1", "", 40, Instant.EPOCH, Optional.of(CardSignature.INVALID), "");
        assertThat(failed.then(altered).signature()).contains(CardSignature.INVALID);
        assertThat(failed.then(result(90, "", "", Instant.EPOCH)).signature())
                .as("asked by http now")
                .isEmpty();
    }

    @Test
    void only_answers_count_as_response_times() {
        ProbeState after = ALIVE.then(result(60, "HTTP 503", "", Instant.EPOCH));
        assertThat(after.responses()).isEqualTo(ALIVE.responses());
        assertThat(after.then(result(90, "", "", Instant.EPOCH)).responses().lastDay(NOW))
                .contains(new ResponseTimes.Range(2, 170, 40, 130));
    }
}
