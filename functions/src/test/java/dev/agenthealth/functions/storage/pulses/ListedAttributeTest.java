package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.ListedProfile;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a row repeats of the profile: it is read as written, or not at all. */
@Tag("R16-22")
class ListedAttributeTest {

    private static final Pulse PULSE = RegistrationRule.first(
            "agent", HeartbeatConfig.DEFAULT, 5, Coordination.NONE, Owner.NONE, Instant.parse("2026-02-08T10:30:00Z"));
    private static final ListedProfile PROFILE =
            new ListedProfile("role", "A name", "acme", List.of("a", "b"), AgentKind.AGENT, false);

    @Provide
    static Arbitrary<ListedProfile> profiles() {
        Arbitrary<String> texts = Arbitraries.strings().ofMaxLength(60);
        Arbitrary<String> tags = Arbitraries.strings().ofMinLength(1).ofMaxLength(20);
        return Combinators.combine(
                        texts,
                        texts,
                        texts,
                        tags.list().ofMaxSize(10),
                        Arbitraries.of(AgentKind.class),
                        Arbitraries.of(true, false))
                .as(ListedProfile::new);
    }

    @Tries(1_000)
    @Property
    void a_profile_is_read_as_written_or_not_at_all(@ForAll("profiles") ListedProfile profile) {
        assertThat(PulseItem.readRow(row(profile)).profile().orElse(profile)).isEqualTo(profile);
    }

    @Example
    void a_usual_profile_stands_on_the_row() {
        for (ListedProfile usual : List.of(
                PROFILE,
                new ListedProfile("", "", "", List.of(), AgentKind.AGENT, true),
                new ListedProfile("", "", "", List.of(), AgentKind.MCP_SERVER, false),
                new ListedProfile("", "Größe 😀", "", List.of("tag"), AgentKind.AGENT, false),
                new ListedProfile(
                        "r".repeat(40),
                        "n".repeat(60),
                        "p".repeat(40),
                        List.of("c".repeat(40), "d"),
                        AgentKind.AGENT,
                        true))) {
            assertThat(PulseItem.readRow(row(usual)).profile()).contains(usual);
        }
    }

    @Example
    void a_profile_that_does_not_fit_is_not_on_the_row() {
        for (ListedProfile other : List.of(
                new ListedProfile("", "n".repeat(319), "", List.of(), AgentKind.AGENT, false),
                new ListedProfile("", "ö".repeat(160), "", List.of(), AgentKind.AGENT, false),
                new ListedProfile("", "a\u001fb", "", List.of(), AgentKind.AGENT, false))) {
            assertThat(row(other)).isEqualTo(PulseItem.of(PULSE, HealthSummary.NONE));
        }
    }

    private static Map<String, AttributeValue> row(ListedProfile profile) {
        return new HashMap<>(PulseItem.of(PULSE, HealthSummary.NONE, profile));
    }
}
