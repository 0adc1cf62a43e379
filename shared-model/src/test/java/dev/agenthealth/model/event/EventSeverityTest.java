package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The severity of every event: the table of docs/guides/notifications.md. */
class EventSeverityTest {

    private static final Set<EventType> DEPENDS_ON_THE_EVENT = EnumSet.of(
            EventType.AGENT_LIFECYCLE,
            EventType.AGENT_STALLED,
            EventType.AGENT_LOOPING,
            EventType.AGENT_USAGE,
            EventType.SHARED_USAGE,
            EventType.AGENT_ACTIVE_WHILE_GONE,
            EventType.AGENT_CERTIFICATE_EXPIRING,
            EventType.AGENT_DECLARATION_CHANGED,
            EventType.AGENT_HEALTH,
            EventType.AGENT_SCORE,
            EventType.AGENT_TRUST,
            EventType.POOL_BELOW_MINIMUM);

    @ParameterizedTest
    @CsvSource({
        "ACTIVE, REGISTERED, INFO",
        "ACTIVE, HEARTBEAT_RESUMED, INFO",
        "DRAINING, DRAIN_INITIATED, INFO",
        "UNHEALTHY, HEARTBEAT_TIMEOUT, WARNING",
        "DEAD, HEARTBEAT_TIMEOUT, ERROR",
        "DEAD, DRAIN_TIMEOUT, ERROR",
        "DEAD, DRAIN_COMPLETED, INFO",
        "DEREGISTERED, DEREGISTERED, INFO"
    })
    void a_lifecycle_event_is_as_severe_as_its_new_status(
            LifecycleStatus after, LifecycleReason reason, Severity severity) {
        assertThat(EventSeverity.of(after, reason)).isEqualTo(severity);
    }

    @ParameterizedTest
    @CsvSource({"HEALTHY, INFO", "UNKNOWN, INFO", "DEGRADED, WARNING", "UNHEALTHY, ERROR"})
    void a_health_event_is_as_severe_as_its_new_status(HealthStatus after, Severity severity) {
        assertThat(EventSeverity.of(after)).isEqualTo(severity);
    }

    @ParameterizedTest
    @CsvSource({"HEALTHY, INFO", "INACTIVE, INFO", "DEGRADED, WARNING", "UNHEALTHY, WARNING"})
    void a_score_event_is_as_severe_as_its_new_state(ScoreState after, Severity severity) {
        assertThat(EventSeverity.of(after)).isEqualTo(severity);
    }

    @ParameterizedTest
    @CsvSource({"NONE, INFO", "WARNING, WARNING", "ERROR, ERROR"})
    void a_stall_is_as_severe_as_its_level(StallLevel level, Severity severity) {
        assertThat(EventSeverity.of(level)).isEqualTo(severity);
    }

    @ParameterizedTest
    @CsvSource({"2, ERROR", "1, ERROR", "0, CRITICAL"})
    void a_pool_without_any_active_member_is_critical(long activeInstances, Severity severity) {
        assertThat(EventSeverity.ofPool(activeInstances)).isEqualTo(severity);
    }

    @Test
    void certificates_declarations_and_blocks_have_two_severities_each() {
        assertThat(EventSeverity.ofCertificate(true)).isEqualTo(Severity.ERROR);
        assertThat(EventSeverity.ofCertificate(false)).isEqualTo(Severity.WARNING);
        assertThat(EventSeverity.ofDeclaration(true)).isEqualTo(Severity.WARNING);
        assertThat(EventSeverity.ofDeclaration(false)).isEqualTo(Severity.INFO);
        assertThat(EventSeverity.ofTrust(true)).isEqualTo(Severity.WARNING);
        assertThat(EventSeverity.ofTrust(false)).isEqualTo(Severity.INFO);
    }

    @ParameterizedTest
    @EnumSource
    void every_other_type_has_one_severity_which_is_info_where_something_is_over(EventType type) {
        if (DEPENDS_ON_THE_EVENT.contains(type)) {
            assertThatIllegalArgumentException().isThrownBy(type::severity);
        } else if (type.wireName().endsWith("_over")
                || type == EventType.REGISTRY_CLOCK_STEADY
                || type == EventType.REGISTRY_STOP_LIFTED) {
            assertThat(type.severity()).isEqualTo(Severity.INFO);
        } else if (type == EventType.REGISTRY_MASS_RESTART
                || type == EventType.REGISTRY_CLOCK_STEPPED
                || type == EventType.REGISTRY_STOPPED) {
            assertThat(type.severity()).isEqualTo(Severity.WARNING);
        } else if (type.wireName().startsWith("registry.")) {
            assertThat(type.severity()).isEqualTo(Severity.CRITICAL);
        } else if (type == EventType.AGENT_RUN_FAILED || type == EventType.UPSTREAM_FAILING) {
            assertThat(type.severity()).isEqualTo(Severity.ERROR);
        } else {
            assertThat(type.severity()).isIn(Severity.INFO, Severity.WARNING);
        }
    }
}
