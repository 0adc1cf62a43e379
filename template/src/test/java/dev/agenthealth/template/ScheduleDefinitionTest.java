package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleDefinitionTest {

    @ParameterizedTest
    @CsvSource({
        "rate(1 minute), PT1M",
        "rate(5 minutes), PT5M",
        "rate(1 hour), PT1H",
        "rate(12 hours), PT12H",
        "rate(1 day), P1D",
        "rate(7 days), P7D"
    })
    void a_rate_has_a_period(String expression, Duration period) {
        assertThat(new ScheduleDefinition("Tick", expression, "").period()).isEqualTo(period);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate(10 second)",
                "rate(10 seconds)",
                "rate(5 minute)",
                "rate(1 minutes)",
                "rate(0 minutes)",
                "rate(-1 minutes)",
                "rate(1.5 minutes)",
                "rate(1  minute)",
                "rate( 1 minute)",
                "rate(minute)",
                "Rate(1 minute)",
                "rate(9999999999 minutes)",
                "cron(0 10 * * ? *)",
                "at(2026-01-31T23:59:00)",
                "every minute",
                ""
            })
    void any_other_expression_is_refused(String expression) {
        assertThatThrownBy(() -> new ScheduleDefinition("Tick", expression, ""))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("'" + expression + "'");
    }
}
