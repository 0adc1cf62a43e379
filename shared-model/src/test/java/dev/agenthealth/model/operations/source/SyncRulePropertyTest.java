package dev.agenthealth.model.operations.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.operations.source.SyncRule.Known;
import dev.agenthealth.model.operations.source.SyncRule.Reading;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class SyncRulePropertyTest {

    /** Applies a plan as a sync does. */
    private static List<SyncStep> sync(Map<String, ImportedEntry> entries, List<Offer> offers, Set<String> others) {
        Map<String, String> reasons = others.stream().collect(Collectors.toMap(id -> id, id -> "taken"));
        List<SyncStep> steps =
                SyncRule.plan(new Reading(offers, Set.of(), Set.of(), true), new Known(entries, Set.of(), reasons));
        for (SyncStep step : steps) {
            ImportedEntry entry = ImportedEntry.of(step.offer());
            switch (step.action()) {
                case MISSING -> entries.put(entry.agentId(), entry.missed(1));
                case DEREGISTERED -> entries.put(entry.agentId(), entry.missed(2));
                case REGISTERED, UPDATED, RETURNED -> entries.put(entry.agentId(), entry);
                default -> {
                    // Nothing is written.
                }
            }
        }
        return steps;
    }

    private static List<Offer> offers(List<String> identifiers, String digest) {
        return identifiers.stream()
                .map(identifier -> new Offer(identifier, ImportedId.of(identifier), digest))
                .toList();
    }

    @Property
    void a_second_sync_of_the_same_source_writes_nothing(
            @ForAll @Size(max = 8) List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> listed,
            @ForAll Set<@StringLength(value = 1) @CharRange(from = 'a', to = 'd') String> others) {
        Map<String, ImportedEntry> entries = new HashMap<>();
        sync(entries, offers(listed, "1"), others);
        assertThat(sync(entries, offers(listed, "1"), others)).noneMatch(SyncStep::writes);
    }

    @Property
    void two_empty_syncs_deregister_all_and_a_third_writes_nothing(
            @ForAll @Size(max = 8)
                    List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> listed) {
        Map<String, ImportedEntry> entries = new HashMap<>();
        sync(entries, offers(listed, "1"), Set.of());
        sync(entries, List.of(), Set.of());
        Set<String> deregistered = sync(entries, List.of(), Set.of()).stream()
                .filter(step -> step.action() == SyncAction.DEREGISTERED)
                .map(step -> step.offer().agentId())
                .collect(Collectors.toSet());
        assertThat(deregistered).isEqualTo(entries.keySet());
        assertThat(sync(entries, List.of(), Set.of())).isEmpty();
    }

    @Property
    void no_agent_has_two_steps_that_write_and_none_of_others_has_one(
            @ForAll @Size(max = 8) List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> before,
            @ForAll @Size(max = 8) List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> now,
            @ForAll Set<@StringLength(value = 1) @CharRange(from = 'a', to = 'd') String> others) {
        Map<String, ImportedEntry> entries = new HashMap<>();
        sync(entries, offers(before, "1"), others);
        Set<String> written = new HashSet<>();
        for (SyncStep step : sync(entries, offers(now, "2"), others)) {
            assertThat(step.writes() && others.contains(step.offer().agentId())).isFalse();
            assertThat(!step.writes() || written.add(step.offer().agentId())).isTrue();
        }
    }
}
