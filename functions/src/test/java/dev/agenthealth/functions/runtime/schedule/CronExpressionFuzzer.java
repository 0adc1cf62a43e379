package dev.agenthealth.functions.runtime.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.schedule.CronSchedule;
import dev.agenthealth.model.schedule.DeclaredSchedule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Cron expressions: each that is accepted has a next run, and one after that. */
public final class CronExpressionFuzzer {

    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("Australia/Lord_Howe"));
    private static final Instant BEFORE_A_CHANGE_OF_CLOCKS = Instant.parse("2026-10-24T22:17:31.123Z");

    private CronExpressionFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            DeclaredSchedule declared = DeclaredSchedule.of(text);
            assertThat(declared.isInterval()).isEqualTo(declared.cron().isEmpty());
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(must|names) (?s:.+)");
        }
        for (ZoneId zone : ZONES) {
            CronSchedule cron = new CronSchedule(text, zone.getId(), 0);
            Instant at = BEFORE_A_CHANGE_OF_CLOCKS;
            try {
                cron.nextAfter(at);
            } catch (IllegalArgumentException refused) {
                return;
            }
            for (int run = 0; run < 3 && at.isBefore(Instant.MAX); run++) {
                Instant next = cron.nextAfter(at);
                assertThat(next).isAfter(at);
                at = next;
            }
        }
    }
}
