package dev.agenthealth.model.operations.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.operations.source.SyncRule.Known;
import dev.agenthealth.model.operations.source.SyncRule.Reading;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncRuleTest {

    /** Offers and entries as identifier=digest, entries with their missed syncs behind a plus sign; the agent's id is the identifier in lower case. */
    @ParameterizedTest
    @CsvSource({
        "a=1,      '',       '', '', true,  registered a",
        "a=1,      a=1,      '', '', true,  unchanged a",
        "a=2,      a=1,      '', '', true,  updated a",
        "a=1,      a=1+1,    '', '', true,  returned a",
        "a=2,      a=1+1,    '', '', true,  updated a",
        "a=1,      a=1+2,    '', '', true,  registered a",
        "'',       a=1,      '', '', true,  missing a",
        "'',       a=1+1,    '', '', true,  deregistered a",
        "'',       a=1+2,    '', '', true,  ''",
        "'',       a=1,      '', '', false, unchanged a",
        "'',       a=1+1,    '', '', false, unchanged a",
        "a=1,      '',       '', a,  true,  conflict a",
        "a=1,      '',       a,  '', true,  updated a",
        "a=1,      a=1+2,    '', a,  true,  conflict a",
        "a=1,      a=1+2,    a,  '', true,  updated a",
        "a=1 A=1,  '',       '', '', true,  registered a conflict A",
        "A=1 a=1,  '',       '', '', true,  registered A conflict a",
        "A=1 a=1,  a=1,      '', '', true,  conflict A unchanged a",
        "A=1,      a=1,      '', '', true,  updated A",
        "a=1 A=1,  '',       '', a,  true,  conflict a conflict A",
        "b=1,      a=1 c=1,  '', '', true,  registered b missing a missing c",
        "'',       e=1 c=1 a=1 d=1 b=1, '', '', true, missing a missing b missing c missing d missing e",
    })
    void each_entry_has_its_step(
            String offers, String entries, String own, String others, boolean whole, String expected) {
        assertThat(steps(offers, entries, own, others, whole, Set.of(), Set.of()))
                .isEqualTo(expected);
    }

    @Test
    void an_entry_that_could_not_be_read_is_not_missing() {
        assertThat(steps("", "a=1+1", "", "", true, Set.of("a"), Set.of())).isEqualTo("unchanged a");
    }

    @Test
    void an_entry_that_was_removed_is_deregistered_at_once() {
        assertThat(steps("", "a=1", "", "", false, Set.of(), Set.of("a"))).isEqualTo("deregistered a");
    }

    private static String steps(
            String offers,
            String entries,
            String own,
            String others,
            boolean whole,
            Set<String> unread,
            Set<String> removed) {
        Map<String, ImportedEntry> known = words(entries).stream()
                .map(SyncRuleTest::entry)
                .collect(Collectors.toMap(ImportedEntry::agentId, entry -> entry));
        Reading reading =
                new Reading(words(offers).stream().map(SyncRuleTest::offer).toList(), unread, removed, whole);
        return SyncRule.plan(
                        reading,
                        new Known(
                                known,
                                Set.copyOf(words(own)),
                                words(others).stream().collect(Collectors.toMap(id -> id, id -> "taken"))))
                .stream()
                .map(step -> step.action().wireName() + " " + step.offer().identifier())
                .collect(Collectors.joining(" "));
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    private static Offer offer(String text) {
        String[] parts = text.split("=");
        return new Offer(parts[0], ImportedId.of(parts[0]), parts[1]);
    }

    private static ImportedEntry entry(String text) {
        String[] parts = text.split("\\+");
        return ImportedEntry.of(offer(parts[0])).missed(parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
    }
}
