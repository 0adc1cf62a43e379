package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that answered last at {@link Pulses#T0}, is asked every 60 s, unhealthy after 90 s and dead after 300 s. */
@Tag("SYS-02")
class ProbeTimeoutRuleTest {

    private static final ProbeTimeoutRule RULE = new ProbeTimeoutRule(Instant.EPOCH, false);
    private static final ProbeTimeoutRule LARGE = new ProbeTimeoutRule(Instant.EPOCH, true);
    private static final Pulse ACTIVE = Pulses.active();
    private static final Pulse UNHEALTHY = Pulses.in(LifecycleStatus.UNHEALTHY);

    private static ProbeState failing(long since, long at) {
        return ProbeState.NONE.then(result("HTTP 503", since)).then(result("HTTP 503", at));
    }

    private static boolean isDue(ProbeTimeoutRule rule, Pulse pulse, ProbeState found, long now) {
        return rule.due(pulse, found, 60, T0.plusSeconds(now)).isPresent();
    }

    @ParameterizedTest(name = "failing from {0} to {1}, now {2}: unhealthy {3}, dead {4}")
    @CsvSource({
        // as an agent that sends heartbeats
        "60, 60, 90, false, false",
        "60, 60, 91, true, false",
        "60, 300, 300, true, false",
        "60, 300, 301, true, true",
        // the last probe that failed shows an interval and 30 s more
        "60, 60, 1000, true, false",
        "60, 210, 1000, true, false",
        "60, 211, 1000, true, true",
        // where probes began again long after the last answer, silence counts from the first failed probe
        "1000, 1000, 1000, false, false",
        "1000, 1000, 5000, false, false",
        "1000, 1001, 1090, false, false",
        "1000, 1001, 1091, true, false",
        "1000, 1210, 5000, true, false",
        "1000, 1211, 1300, true, false",
        "1000, 1211, 1301, true, true",
        // a failure before the last answer shows nothing
        "-60, 0, 1000, false, false",
        "-60, -1, 1000, false, false"
    })
    void silence_counts_as_far_as_failed_probes_show_it(
            long since, long at, long now, boolean unhealthy, boolean dead) {
        assertThat(isDue(RULE, ACTIVE, failing(since, at), now)).isEqualTo(unhealthy);
        assertThat(isDue(RULE, UNHEALTHY, failing(since, at), now)).isEqualTo(dead);
    }

    @ParameterizedTest
    @CsvSource({"60, 60, false", "60, 61, true"})
    void in_a_large_fleet_one_failed_probe_shows_nothing(long since, long at, boolean unhealthy) {
        assertThat(isDue(LARGE, ACTIVE, failing(since, at), 100)).isEqualTo(unhealthy);
    }

    @ParameterizedTest
    @CsvSource({"200, 290, false", "200, 291, true"})
    void silence_before_the_grace_period_does_not_count(long graceFrom, long now, boolean unhealthy) {
        ProbeTimeoutRule rule = new ProbeTimeoutRule(T0.plusSeconds(graceFrom), false);
        assertThat(isDue(rule, ACTIVE, failing(60, 240), now)).isEqualTo(unhealthy);
    }

    @ParameterizedTest(name = "{0} of 30 agents answer, {1} s after the trouble began: silence counts from {2} s")
    @CsvSource({"1, 21600, 21600", "1, 21601, 21600", "1, 90000, 21600", "0, 90000, 90000", "14, 60, 60"})
    void trouble_that_lasts_while_others_answer_is_taken_for_that_of_the_agents(int answering, long now, long from) {
        List<ProbeSample.Result> results = IntStream.range(0, 30)
                .mapToObj(i -> new ProbeSample.Result(1, i, i, i >= answering, T0, 60))
                .toList();
        ProbeEvidence evidence = ProbeEvidence.NONE.with(new ProbeSample(results), T0);
        assertThat(evidence.isInconclusive()).isTrue();
        assertThat(evidence.silenceCountsFrom(1, T0.plusSeconds(now))).isEqualTo(T0.plusSeconds(from));
    }

    @Property
    void no_agent_is_marked_earlier_than_one_that_sends_heartbeats_and_none_without_a_failed_probe(
            @ForAll @LongRange(max = 2_000) long since,
            @ForAll @LongRange(max = 2_000) long lasts,
            @ForAll @LongRange(max = 5_000) long now,
            @ForAll boolean large) {
        ProbeTimeoutRule rule = new ProbeTimeoutRule(Instant.EPOCH, large);
        boolean due = isDue(rule, ACTIVE, failing(since, since + lasts), now);
        assertThat(due
                        && HeartbeatTimeoutRule.due(ACTIVE, Instant.EPOCH, T0.plusSeconds(now))
                                .isEmpty())
                .isFalse();
        assertThat(isDue(rule, ACTIVE, ProbeState.NONE, now)).isFalse();
        ProbeState answered = failing(since, since).then(answer(since + lasts));
        assertThat(isDue(rule, ACTIVE, answered, now)).isFalse();
    }

    private static ProbeResult answer(long at) {
        return result("", at);
    }

    private static ProbeResult result(String failure, long at) {
        return new ProbeResult(T0.plusSeconds(at), failure, "", 1, Instant.EPOCH);
    }
}
