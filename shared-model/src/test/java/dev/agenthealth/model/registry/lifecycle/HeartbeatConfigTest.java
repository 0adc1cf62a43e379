package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeartbeatConfigTest {

    @Test
    @Tag("R16-01")
    void the_defaults_are_30_90_300_seconds_and_valid() {
        assertThat(HeartbeatConfig.DEFAULT).isEqualTo(new HeartbeatConfig(30, 90, 300));
        assertThat(HeartbeatConfig.DEFAULT.errors()).isEmpty();
        assertThat(HeartbeatConfig.DEFAULT.interval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(HeartbeatConfig.DEFAULT.unhealthyAfter()).isEqualTo(Duration.ofSeconds(90));
        assertThat(HeartbeatConfig.DEFAULT.deadAfter()).isEqualTo(Duration.ofSeconds(300));
    }

    @ParameterizedTest
    @Tag("R16-08")
    @CsvSource(
            delimiter = '|',
            emptyValue = "",
            value = {
                // interval | unhealthy | dead | fields in error
                "30    | 90      | 300     | ''",
                "30    | 60      | 120     | ''",
                "30    | 59      | 120     | unhealthy_after_seconds",
                "30    | 60      | 119     | dead_after_seconds",
                "30    | 59      | 117     | unhealthy_after_seconds dead_after_seconds",
                "30    | 90      | 179     | dead_after_seconds",
                "30    | 90      | 180     | ''",
                // the interval's own bounds
                "1     | 2       | 4       | ''",
                "0     | 2       | 4       | interval_seconds",
                "-1    | 2       | 4       | interval_seconds",
                "86400 | 172800  | 345600  | ''",
                "86401 | 172802  | 345604  | interval_seconds",
                // the thresholds' own bounds: 30 days
                "30    | 90      | 2592000 | ''",
                "30    | 90      | 2592001 | dead_after_seconds",
                "30    | 1296000 | 2592000 | ''",
                "30    | 2592001 | 2592000 | unhealthy_after_seconds dead_after_seconds",
                // doubling must not overflow
                "30    | 1073741824  | 2147483647 | unhealthy_after_seconds dead_after_seconds",
                "30    | 1073741824  | 300        | unhealthy_after_seconds dead_after_seconds",
                "1073741824 | 90     | 300     | interval_seconds unhealthy_after_seconds",
                "2147483647 | -2     | -4      | interval_seconds unhealthy_after_seconds",
                "30    | -2147483648 | 0       | unhealthy_after_seconds"
            })
    void names_every_field_that_breaks_a_rule(int interval, int unhealthy, int dead, String fields) {
        List<String> expected = fields.isEmpty()
                ? List.of()
                : Arrays.stream(fields.split(" "))
                        .map(f -> "heartbeat_config." + f)
                        .toList();
        assertThat(new HeartbeatConfig(interval, unhealthy, dead).errors())
                .extracting(FieldError::field)
                .containsExactlyElementsOf(expected);
    }
}
