package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleExpressionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate(1 minute)",
                "rate(5 minutes)",
                "rate(1 hour)",
                "rate(12 hours)",
                "rate(1 day)",
                "rate(7 days)",
                "cron(0 10 * * ? *)",
                "cron(15 12 ? * MON-FRI *)",
                "cron(0/15 * * * ? *)",
                "cron(*/5 8,20 L JAN,JUL ? 2026-2030)",
                "cron(0 9 ? * 2#1 *)",
                "cron(0 9 15W * ? *)",
                "at(2026-01-31T23:59:00)"
            })
    void acceptsWhatAwsAccepts(String expression) {
        assertThatCode(() -> ScheduleExpression.check(expression)).doesNotThrowAnyException();
    }

    @Test
    void onlyARateHasAPeriod() {
        assertThat(ScheduleExpression.period("rate(1 minute)")).contains(Duration.ofMinutes(1));
        assertThat(ScheduleExpression.period("rate(6 hours)")).contains(Duration.ofHours(6));
        assertThat(ScheduleExpression.period("rate(2 days)")).contains(Duration.ofDays(2));
        assertThat(ScheduleExpression.period("cron(0 10 * * ? *)")).isEmpty();
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
                "cron(0 10 * * * *)",
                "cron(0 10 ? * ? *)",
                "cron(0 10 * * ?)",
                "cron(60 10 * * ? *)",
                "cron(0 24 * * ? *)",
                "cron(0 0 32 * ? *)",
                "cron(0 0 ? * 8 *)",
                "cron(0 0 * FOO ? *)",
                "cron(0 0 , * ? *)",
                "cron(0/0 0 * * ? *)",
                "at(2026-13-31T23:59:00)",
                "every minute",
                ""
            })
    void refusesWhatAwsRefuses(String expression) {
        assertThatThrownBy(() -> ScheduleExpression.check(expression))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("'" + expression + "'");
    }
}
