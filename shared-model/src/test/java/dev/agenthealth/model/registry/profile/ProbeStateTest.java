package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
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

    @ParameterizedTest(name = "{0}, watched every {1} s, confirms death {2}")
    @CsvSource({
        "ACTIVE,       60, false, true,  60",
        "ACTIVE,       0,  false, false, 60",
        "UNHEALTHY,    60, false, true,  60",
        "DEAD,         60, false, true,  300",
        "DEAD,         900, false, true, 900",
        "DEREGISTERED, 60, false, false, 60",
        "ACTIVE,       0,  true,  false, 60",
        "ACTIVE,       60, true,  false, 60",
        "UNHEALTHY,    0,  true,  true,  60",
        "UNHEALTHY,    30, true,  true,  30",
        "UNHEALTHY,    60, true,  true,  60",
        "UNHEALTHY,  3600, true,  true,  60",
        "UNHEALTHY, 86400, true,  true,  60",
        "UNHEALTHY,   900, false, true,  900",
        "DEAD,         60, true,  false, 60"
    })
    void an_agent_is_probed_while_it_is_watched_or_before_its_death(
            LifecycleStatus status, int watchSeconds, boolean confirmsDeath, boolean probed, int interval) {
        LifeSigns signs = new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.empty(), confirmsDeath);
        Pulse pulse = Pulses.in(status, HeartbeatConfig.DEFAULT.with(signs));
        assertThat(ProbeSchedule.isProbed(pulse, watchSeconds, Pulses.T0)).isEqualTo(probed);
        int due = 0;
        for (int pass = 0; pass < 1_800; pass++) {
            Instant after = Pulses.T0.plusSeconds(pass);
            due += ProbeSchedule.isDue(pulse, watchSeconds, after, after.plusSeconds(1)) ? 1 : 0;
        }
        assertThat(due).isEqualTo(probed ? 1_800 / interval : 0);
    }

    @ParameterizedTest(name = "watched every {0} s, {1} heartbeats by {2}, confirms death {3}")
    @CsvSource({
        "0,  0, HEARTBEAT, false, false",
        "60, 0, HEARTBEAT, false, true",
        "60, 1, HEARTBEAT, false, false",
        "60, 1, PROBE,     false, true",
        "60, 1, CALL,      false, true",
        "60, 1, PROBE,     true,  false"
    })
    void probes_judge_a_watched_agent_that_sends_no_heartbeats(
            int watchSeconds, int heartbeats, SeenBy by, boolean confirmsDeath, boolean judged) {
        LifeSigns signs = new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.empty(), confirmsDeath);
        Pulse registered = Pulses.in(LifecycleStatus.ACTIVE, HeartbeatConfig.DEFAULT.with(signs));
        Pulse pulse = heartbeats == 0
                ? registered
                : Pulses.afterHeartbeat(registered, Pulses.T0).seenBy(by);
        assertThat(new FleetRow(pulse, HealthSummary.NONE, watchSeconds).isJudgedByProbes())
                .isEqualTo(judged);
    }

    @Test
    void an_agent_has_answered_once_a_probe_succeeded() {
        ProbeState refused = ProbeState.NONE.then(result(0, "connection refused", "", Instant.EPOCH));
        assertThat(ProbeState.NONE.hasAnswered()).isFalse();
        assertThat(refused.hasAnswered()).isFalse();
        assertThat(refused.then(result(60, "", "", Instant.EPOCH)).hasAnswered())
                .isTrue();
    }

    @Test
    void the_declaration_is_that_of_the_last_answer() {
        ProbeState declared = ALIVE.then(new ProbeResult(NOW, "", "", 40, Instant.EPOCH, Optional.empty(), "digest"));
        assertThat(declared.declaration()).isEqualTo("digest");
        assertThat(declared.then(result(60, "HTTP 503", "", Instant.EPOCH)).declaration())
                .isEqualTo("digest");
        assertThat(declared.then(result(60, "", "", Instant.EPOCH)).declaration())
                .isEmpty();
    }
}
