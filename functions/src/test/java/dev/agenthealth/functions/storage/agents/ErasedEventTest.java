package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.EventType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stays of the events of an agent that is erased. */
@Tag("SYS-06")
class ErasedEventTest {

    @Test
    void capabilities_are_erased() {
        assertThat(
                        ErasedEvent.detail(
                                "agent.lifecycle",
                                """
                                {"type":"agent.lifecycle","agent_id":"a","reason":"registered","capabilities":["x"],\
                                "sequence":1}\
                                """))
                .isEqualTo(
                        """
                                {"type":"agent.lifecycle","agent_id":"a","reason":"registered","capabilities":[],\
                                "sequence":1}\
                                """);
    }

    @Test
    void the_reason_of_an_operator_is_erased_and_the_action_is_kept() {
        assertThat(
                        ErasedEvent.detail(
                                "agent.trust",
                                """
                                {"agent_id":"a","action":"blocked","reason":"why","actor":"key_1"}\
                                """))
                .isEqualTo(
                        """
                        {"agent_id":"a","action":"blocked","reason":"erased","actor":"key_1"}\
                        """);
    }

    @ParameterizedTest
    @EnumSource
    void repeating_it_changes_nothing_and_adds_no_field(EventType type) {
        String detail =
                "{\"type\":\"" + type.wireName() + "\",\"agent_id\":\"a\",\"scope\":\"s\",\"reason\":\"timeout\"}";
        String once = ErasedEvent.detail(type.wireName(), detail);
        assertThat(ErasedEvent.detail(type.wireName(), once)).isEqualTo(once);
        assertThat(once).doesNotContain("capabilities").contains("\"scope\":\"s\"");
    }

    @Test
    void of_an_event_of_an_unknown_type_only_ids_and_numbers_are_kept() {
        assertThat(
                        ErasedEvent.detail(
                                "agent.mood",
                                """
                                {"type":"agent.mood","agent_id":"a","mood":"x","timestamp":"t","event_id":"e",\
                                "incarnation":1,"sequence":2}\
                                """))
                .isEqualTo(
                        """
                        {"type":"agent.mood","agent_id":"a","timestamp":"t","event_id":"e","incarnation":1,\
                        "sequence":2}\
                        """);
    }
}
