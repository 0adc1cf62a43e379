package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.usage.UsageLevel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictReasonTest {

    /** Flags: P provider blocked, A agent blocked, R restarted too often, - no heartbeat yet. */
    @ParameterizedTest
    @CsvSource({
        "'',   ACTIVE,       UNKNOWN,   INACTIVE,  OK,       ''",
        "'',   ACTIVE,       HEALTHY,   HEALTHY,   OK,       ''",
        "-,    ACTIVE,       UNKNOWN,   INACTIVE,  UNKNOWN,  NO_SIGN_OF_LIFE",
        "-,    ACTIVE,       HEALTHY,   HEALTHY,   OK,       ''",
        "'',   ACTIVE,       DEGRADED,  HEALTHY,   DEGRADED, HEALTH_DEGRADED",
        "'',   ACTIVE,       UNHEALTHY, HEALTHY,   DOWN,     HEALTH_UNHEALTHY",
        "'',   ACTIVE,       HEALTHY,   DEGRADED,  DEGRADED, SCORE_DEGRADED",
        "'',   ACTIVE,       HEALTHY,   UNHEALTHY, DEGRADED, SCORE_UNHEALTHY",
        "'',   UNHEALTHY,    HEALTHY,   HEALTHY,   DEGRADED, SILENT",
        "-,    UNHEALTHY,    UNKNOWN,   INACTIVE,  DEGRADED, SILENT NO_SIGN_OF_LIFE",
        "'',   DRAINING,     HEALTHY,   HEALTHY,   DEGRADED, DRAINING",
        "R,    ACTIVE,       HEALTHY,   HEALTHY,   DEGRADED, RESTARTS",
        "R-,   ACTIVE,       UNKNOWN,   INACTIVE,  DEGRADED, RESTARTS NO_SIGN_OF_LIFE",
        "S,    ACTIVE,       HEALTHY,   HEALTHY,   DEGRADED, STALLED",
        "E,    ACTIVE,       HEALTHY,   HEALTHY,   DOWN,     STALLED_TWICE_AS_LONG",
        "S,    UNHEALTHY,    HEALTHY,   HEALTHY,   DEGRADED, SILENT STALLED",
        "W,    ACTIVE,       HEALTHY,   HEALTHY,   OK,       WAITING_FOR_PERSON",
        "W-,   ACTIVE,       UNKNOWN,   INACTIVE,  UNKNOWN,  NO_SIGN_OF_LIFE WAITING_FOR_PERSON",
        "WS,   ACTIVE,       HEALTHY,   HEALTHY,   DEGRADED, STALLED WAITING_FOR_PERSON",
        "L,    ACTIVE,       HEALTHY,   HEALTHY,   DEGRADED, LOOPING",
        "SO,   ACTIVE,       HEALTHY,   HEALTHY,   DOWN,     LOOPING_THREE_TIMES_AS_OFTEN STALLED",
        "N,    ACTIVE,       HEALTHY,   HEALTHY,   DEGRADED, NEAR_LIMIT",
        "X,    ACTIVE,       HEALTHY,   HEALTHY,   DOWN,     OVER_LIMIT",
        "XF,   UNHEALTHY,    HEALTHY,   HEALTHY,   DOWN,     LAST_RUN_FAILED OVER_LIMIT SILENT",
        "X,    DEAD,         HEALTHY,   HEALTHY,   DOWN,     DEAD",
        "F,    ACTIVE,       UNKNOWN,   INACTIVE,  DOWN,     LAST_RUN_FAILED",
        "F,    UNHEALTHY,    HEALTHY,   HEALTHY,   DOWN,     LAST_RUN_FAILED SILENT",
        "F,    DEAD,         HEALTHY,   HEALTHY,   DOWN,     DEAD",
        "'',   DEAD,         HEALTHY,   HEALTHY,   DOWN,     DEAD",
        "R,    DEAD,         UNHEALTHY, UNHEALTHY, DOWN,     DEAD",
        "'',   DEREGISTERED, HEALTHY,   HEALTHY,   GONE,     DEREGISTERED",
        "PA,   DEREGISTERED, HEALTHY,   HEALTHY,   GONE,     DEREGISTERED PROVIDER_BLOCKED AGENT_BLOCKED",
        "G,    DEAD,         HEALTHY,   HEALTHY,   GONE,     DISMISSED DEAD",
        "A,    ACTIVE,       HEALTHY,   HEALTHY,   BLOCKED,  AGENT_BLOCKED",
        "T,    ACTIVE,       HEALTHY,   HEALTHY,   BLOCKED,  AGENT_STOPPED",
        "AT,   ACTIVE,       HEALTHY,   HEALTHY,   BLOCKED,  AGENT_BLOCKED",
        "Q,    ACTIVE,       DEGRADED,  HEALTHY,   DEGRADED, LOW_QUALITY",
        "Q,    ACTIVE,       UNHEALTHY, HEALTHY,   DOWN,     HEALTH_UNHEALTHY LOW_QUALITY",
        "Q,    DEAD,         DEGRADED,  HEALTHY,   DOWN,     DEAD",
        "PA,   DEAD,         HEALTHY,   HEALTHY,   BLOCKED,  PROVIDER_BLOCKED AGENT_BLOCKED DEAD",
        "P,    ACTIVE,       UNHEALTHY, UNHEALTHY, BLOCKED,  PROVIDER_BLOCKED HEALTH_UNHEALTHY SCORE_UNHEALTHY"
    })
    void the_worst_reason_decides(
            String flags,
            LifecycleStatus lifecycle,
            HealthStatus measured,
            ScoreState score,
            Verdict verdict,
            String reasons) {
        Facts facts = new Facts(
                new Facts.Blocks(flags.contains("P"), flags.contains("A"), flags.contains("T")),
                lifecycle,
                lifecycle == LifecycleStatus.DEREGISTERED || flags.contains("G"),
                new Facts.Health(
                        measured,
                        score,
                        flags.contains("X")
                                ? UsageLevel.EXCEEDED
                                : flags.contains("N") ? UsageLevel.WARNING : UsageLevel.NONE,
                        flags.contains("Q")),
                new Facts.Signs(
                        flags.contains("R"),
                        !flags.contains("-"),
                        flags.contains("E")
                                ? StallLevel.ERROR
                                : flags.contains("S") ? StallLevel.WARNING : StallLevel.NONE,
                        flags.contains("O")
                                ? StallLevel.ERROR
                                : flags.contains("L") ? StallLevel.WARNING : StallLevel.NONE,
                        false,
                        flags.contains("F"),
                        flags.contains("W")));
        assertThat(facts.isBlocked()).isEqualTo(flags.contains("P") || flags.contains("A") || flags.contains("T"));
        assertThat(facts.isStalled()).isEqualTo(flags.contains("E") || flags.contains("S"));
        assertThat(facts.healthStatus()).isEqualTo(measured.under(lifecycle));
        assertThat(facts.verdict()).isEqualTo(verdict);
        assertThat(facts.reasons())
                .isEqualTo(
                        reasons.isEmpty()
                                ? List.of()
                                : Arrays.stream(reasons.split(" "))
                                        .map(VerdictReason::valueOf)
                                        .toList());
    }

    @Test
    void a_stall_has_one_name_at_both_levels() {
        assertThat(VerdictReason.LOOPING.wireName()).isEqualTo("looping");
        assertThat(VerdictReason.LOOPING_THREE_TIMES_AS_OFTEN.wireName()).isEqualTo("looping");
        assertThat(VerdictReason.STALLED.wireName()).isEqualTo("stalled");
        assertThat(VerdictReason.STALLED_TWICE_AS_LONG.wireName()).isEqualTo("stalled");
    }

    @Test
    void reasons_are_declared_from_the_worst_verdict_to_the_best() {
        assertThat(Arrays.stream(VerdictReason.values()).map(VerdictReason::verdict))
                .isSortedAccordingTo((one, other) -> other.compareTo(one));
    }
}
