package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a registration says when its agent runs. */
class RunScheduleTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static String config(Registration registration) {
        return registration.json().path("heartbeat_config").toString();
    }

    @Test
    void a_registration_carries_the_schedule_beside_the_thresholds() {
        Registration nightly = Registration.of("nightly")
                .heartbeat(Duration.ofSeconds(30), Duration.ofSeconds(90), Duration.ofHours(2))
                .schedule(RunSchedule.cron("0 2 * * *", BERLIN).grace(Duration.ofMinutes(10)));
        assertThat(config(nightly))
                .isEqualTo(
                        """
                                {"interval_seconds":30,"unhealthy_after_seconds":90,"dead_after_seconds":7200,\
                                "schedule":{"cron":"0 2 * * *","time_zone":"Europe/Berlin","grace_seconds":600}}\
                                """);
        assertThat(config(Registration.of("hourly").schedule(RunSchedule.every(Duration.ofHours(1)))))
                .isEqualTo("{\"schedule\":{\"every_seconds\":3600}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@daily",
                "@every 1h30m",
                "CRON_TZ=Europe/Berlin 0 2 * * *",
                "TZ=US/Pacific\t@weekly",
                "0\t2 ? * *"
            })
    void a_nickname_and_a_time_zone_before_the_fields_go_to_the_registry_as_they_are(String expression) {
        assertThat(RunSchedule.cron(expression, BERLIN).json().path("cron").asText())
                .isEqualTo(expression);
    }

    @Test
    void an_agent_that_is_only_called_has_no_schedule_and_the_last_word_counts() {
        RunSchedule hourly = RunSchedule.every(Duration.ofHours(1));
        assertThat(config(Registration.of("a").schedule(hourly).onlyCalled())).isEqualTo("{\"mode\":\"none\"}");
        assertThat(config(Registration.of("a").onlyCalled().schedule(hourly)))
                .isEqualTo("{\"schedule\":{\"every_seconds\":3600}}");
    }

    @Test
    void signs_of_life_stand_beside_the_rest() {
        assertThat(config(Registration.of("a").onlyCalled().signsOfLife("calls", "outcomes")))
                .isEqualTo(
                        """
                        {"mode":"none","signs_of_life":["calls","outcomes"]}\
                        """);
    }

    @Test
    void a_schedule_that_means_nothing_is_refused_at_once() {
        assertThatIllegalArgumentException().isThrownBy(() -> RunSchedule.cron("0 2 * *", BERLIN));
        assertThatIllegalArgumentException().isThrownBy(() -> RunSchedule.cron("TZ=UTC 0 2 * *", BERLIN));
        assertThatIllegalArgumentException().isThrownBy(() -> RunSchedule.every(Duration.ofMillis(999)));
        RunSchedule hourly = RunSchedule.every(Duration.ofHours(1));
        assertThatIllegalArgumentException().isThrownBy(() -> hourly.grace(Duration.ofSeconds(-1)));
    }
}
