package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Heartbeats are counted without one log line each. */
class HeartbeatCountTest {

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final HeartbeatCount count =
            new HeartbeatCount(new Log(clock, new PrintStream(out, true, StandardCharsets.UTF_8), "a-stack"));

    @Test
    void each_heartbeat_is_reported_once_and_a_line_is_written_at_most_every_ten_seconds() {
        count.add(clock.instant());
        assertThat(reportedCounts()).as("the first one of an instance").containsExactly(1);
        for (int i = 0; i < 9; i++) {
            clock.advanceSeconds(1);
            count.add(clock.instant());
        }
        assertThat(reportedCounts()).containsExactly(1);
        clock.advanceSeconds(1);
        count.add(clock.instant());
        assertThat(reportedCounts()).containsExactly(1, 10);
        clock.advanceSeconds(3_600);
        count.add(clock.instant());
        assertThat(reportedCounts()).containsExactly(1, 10, 1);
    }

    @Test
    void concurrent_heartbeats_are_each_counted_once() {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 1_000; j++) {
                    clock.advance(Duration.ofMillis(7));
                    count.add(clock.instant());
                }
            }));
        }
        threads.forEach(CompletableFuture::join);
        clock.advanceSeconds(10);
        count.add(clock.instant());
        assertThat(reportedCounts().stream().mapToLong(Integer::longValue).sum())
                .isEqualTo(8_001);
        assertThat(reportedCounts()).hasSizeLessThan(10);
    }

    private List<Integer> reportedCounts() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(Json::stored)
                .map((JsonNode line) -> line.get("Heartbeats").intValue())
                .toList();
    }
}
