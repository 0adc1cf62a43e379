package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.sweep.ProbeEpisode;
import dev.agenthealth.model.sweep.ProbeEvidence;
import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SYS-02")
class ProbeEvidenceItemTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final SweepStateStore states = new SweepStateStore(system.database());
    private final Instant now = Instant.ofEpochSecond(system.clock().instant().getEpochSecond());

    @Test
    void results_at_their_limits_are_read_as_they_were_written() {
        List<Result> results = List.of(
                new Result(0, 0, 0, false, now, 60),
                new Result(0, 262_143, 65_535, true, now.minusSeconds(172_920), 86_400),
                new Result(65_535, 255, 256, true, now.minusSeconds(255), 7_200),
                new Result(65_535, 256, 255, false, now.minusSeconds(256), 3_600));
        assertThat(states.addProbes(results, now).sample().results()).isEqualTo(results);
        assertThat(states.current().probes().sample().results()).isEqualTo(results);
    }

    @Test
    void episodes_of_owners_are_read_as_they_were_written() {
        ProbeEvidence written = states.addProbes(failing(65_535, true), now);
        assertThat(written.owners().get(65_535).inconclusiveSince()).isEqualTo(now);
        assertThat(states.current().probes()).isEqualTo(written);
        Instant over = now.plusSeconds(60);
        written = states.addProbes(failing(65_535, false), over);
        assertThat(written.owners()).isEqualTo(Map.of(65_535, new ProbeEpisode(Instant.MIN, over)));
        assertThat(states.current().probes()).isEqualTo(written);
    }

    private List<Result> failing(int owner, boolean failed) {
        return IntStream.range(0, 20)
                .mapToObj(i -> new Result(owner, i, i, failed, now, 3_600))
                .toList();
    }

    @Test
    void ends_of_episodes_in_the_future_are_corrected() {
        states.addProbes(failing(1, true), now);
        states.addProbes(failing(1, false), now.plusSeconds(3_600));
        var ahead = states.current();
        assertThat(ahead.isAhead(Duration.ZERO, now)).isTrue();
        assertThat(states.correct(ahead, ahead.bounded(Duration.ZERO, now))).isTrue();
        assertThat(states.current().probes().silenceCountsFrom(1, now)).isEqualTo(now);
        assertThat(states.current().isAhead(Duration.ZERO, now)).isFalse();
        assertThat(states.correct(ahead, ahead.bounded(Duration.ZERO, now)))
                .as("changed since")
                .isFalse();
    }

    @Test
    void the_evidence_of_the_previous_version_is_read_and_replaced() {
        ByteBuffer bytes = ByteBuffer.allocate(20 * 14);
        for (int i = 0; i < 20; i++) {
            bytes.putInt(i << 20)
                    .putShort((short) i)
                    .putInt((int) now.getEpochSecond())
                    .putInt(-60);
        }
        Instant since = now.minusSeconds(600);
        Instant before = now.minusSeconds(7_200);
        system.database()
                .registry()
                .update(Update.upsert(ItemKind.SWEEP_STATE.key())
                        .set("probes", Values.b(bytes.array()))
                        .set("probes_inconclusive", Values.moment(since))
                        .set("probes_conclusive", Values.moment(before)));
        ProbeEvidence read = states.current().probes();
        assertThat(read.sample().failed()).isEqualTo(20);
        assertThat(read.sample().isInconclusive()).isTrue();
        assertThat(read.inconclusiveSince()).isEqualTo(since);
        assertThat(read.silenceCountsFrom(7, now)).as("of every owner").isEqualTo(now);
        // The trouble lasts: no event, and agents of owners with few agents have a grace period.
        ProbeEvidence next = states.addProbes(List.of(new Result(7, 1, 1, true, now, 60)), now);
        assertThat(next.sample().results()).hasSize(21);
        assertThat(next.inconclusiveSince()).isEqualTo(since);
        assertThat(next.silenceCountsFrom(7, now.plusSeconds(30))).isEqualTo(now);
        assertThat(system.database().registry().get(ItemKind.SWEEP_STATE.key())).doesNotContainKey("probes");
        // The results without an owner are outdated later.
        Instant later = now.plusSeconds(241);
        next = states.addProbes(List.of(new Result(7, 1, 1, false, later, 60)), later);
        assertThat(next.sample().results()).hasSize(1);
        assertThat(next.silenceCountsFrom(7, later.plusSeconds(9))).isEqualTo(now);
        // No agent of the unknown owner can answer, so that its episode lasts for the maximum.
        Instant sixHours = now.plus(ProbeEpisode.MAX_TROUBLE);
        assertThat(states.addProbes(List.of(), sixHours).isInconclusive()).isFalse();
    }
}
