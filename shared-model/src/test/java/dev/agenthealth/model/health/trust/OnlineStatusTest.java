package dev.agenthealth.model.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SN-06")
class OnlineStatusTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @Test
    void the_status_is_unknown_before_the_first_call() {
        assertThat(OnlineStatus.of(List.of(), Expectations.NONE, NOW)).isEqualTo(OnlineStatus.UNKNOWN);
    }

    @Test
    void the_words_are_those_of_the_specification() {
        assertThat(OnlineStatus.values())
                .extracting(OnlineStatus::wireName)
                .containsExactly("unknown", "online", "degraded", "offline");
    }

    /** Calls a minute apart, the latest first: {@code +} a success, {@code -} a failure. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "+,                         ONLINE",
        "-,                         OFFLINE",
        "--------------------,      OFFLINE",
        "+-,                        DEGRADED",
        "-+,                        DEGRADED",
        // one success does not make an agent online that fails otherwise
        "+-------------------,      DEGRADED",
        "-------------------+,      DEGRADED",
        // 1 of 20 is exactly 5 %, which is not more; 1 of 19 is
        "++++++++++++++++++++,      ONLINE",
        "+++++++++-++++++++++,      ONLINE",
        "+++++++++-+++++++++,       DEGRADED",
        "-+++++++++++++++++++,      ONLINE",
        "--++++++++++++++++++,      DEGRADED",
        // the 21st is not looked at
        "++++++++++++++++++++-----, ONLINE",
        "--------------------+,     OFFLINE",
        "-------------------++,     DEGRADED"
    })
    void the_last_20_calls_decide(String calls, OnlineStatus status) {
        assertThat(OnlineStatus.of(calls(calls, 100), Expectations.NONE, NOW)).isEqualTo(status);
    }

    @ParameterizedTest(name = "calls {0} hours ago: {1}")
    @CsvSource({
        "'1+ 2-',             DEGRADED",
        "'1+ 24-',            DEGRADED",
        "'1+ 24.001-',        ONLINE",
        "'1- 25+ 26+',        OFFLINE",
        "'23.9+ 24.1- 24.2-', ONLINE",
        "'24- 25+',           OFFLINE",
        // none in 24 hours: as of the latest, which looked back 24 hours from there
        "'24.1- 25+ 26+',     DEGRADED",
        "'30-',               OFFLINE",
        "'30+',               ONLINE",
        "'500+ 523.9-',       DEGRADED",
        "'500+ 524.1-',       ONLINE",
        "'9000- 9001-',       OFFLINE"
    })
    void calls_of_the_last_24_hours_decide_and_else_the_last_status_stays(String calls, OnlineStatus status) {
        List<Call> latest = new ArrayList<>();
        for (String call : calls.split(" ")) {
            double hours = Double.parseDouble(call.substring(0, call.length() - 1));
            latest.add(new Call(call.endsWith("+"), 100, NOW.minusSeconds(Math.round(hours * 3_600))));
        }
        assertThat(OnlineStatus.of(latest, Expectations.NONE, NOW)).isEqualTo(status);
    }

    @ParameterizedTest(name = "latencies {0}, baseline {1}: {2}")
    @CsvSource({
        "'300',             100,    ONLINE",
        "'301',             100,    DEGRADED",
        "'301',             none,   ONLINE",
        "'999999999',       none,   ONLINE",
        // the middle one by nearest rank: of two, the lower
        "'1 301',           100,    ONLINE",
        "'300 301',         100,    ONLINE",
        "'301 302',         100,    DEGRADED",
        "'1 301 301',       100,    DEGRADED",
        "'1 300 100000',    100,    ONLINE",
        // three times 0.7 is 2.1
        "'2',               0.7,    ONLINE",
        "'3',               0.7,    DEGRADED",
        "'3',               1,      ONLINE"
    })
    void a_median_above_three_times_the_declared_baseline_is_too_slow(
            String latencies, String baseline, OnlineStatus status) {
        List<Call> latest = new ArrayList<>();
        for (String latency : latencies.split(" ")) {
            latest.add(new Call(true, Long.parseLong(latency), NOW.minusSeconds(latest.size())));
        }
        Expectations expected = baseline.equals("none")
                ? Expectations.NONE
                : new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, Double.parseDouble(baseline)));
        assertThat(OnlineStatus.of(latest, expected, NOW)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "'301/300',                 DEGRADED",
        "'300/300',                 ONLINE",
        "'301/300 2000/3000',       ONLINE",
        "'301/300 2/1 2000/3000',   DEGRADED",
        "'301/300 9000/ 9000/',     ONLINE"
    })
    void calls_of_several_agents_are_judged_by_their_own_limits(String calls, OnlineStatus status) {
        List<Call> latest = new ArrayList<>();
        for (String call : calls.split(" ")) {
            String[] parts = call.split("/", -1);
            double limit = parts[1].isEmpty() ? Call.NO_LIMIT : Double.parseDouble(parts[1]);
            latest.add(new Call(true, Long.parseLong(parts[0]), limit, NOW.minusSeconds(latest.size())));
        }
        assertThat(OnlineStatus.of(latest, NOW)).isEqualTo(status);
    }

    @Test
    void slow_failures_are_offline_rather_than_slow() {
        Expectations expected = new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, 1.0));
        assertThat(OnlineStatus.of(calls("--", 30_000), expected, NOW)).isEqualTo(OnlineStatus.OFFLINE);
    }

    private static List<Call> calls(String results, long latencyMs) {
        List<Call> calls = new ArrayList<>();
        for (char result : results.toCharArray()) {
            calls.add(new Call(result == '+', latencyMs, NOW.minusSeconds(60L * calls.size())));
        }
        return calls;
    }
}
