package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.WireNamed;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an event's detail may hold. */
@Tag("SYS-05")
class EventTest {

    static Stream<Object> possible() {
        return Stream.of(
                "text",
                Long.MIN_VALUE,
                true,
                new BigDecimal("0.000001"),
                new BigDecimal("85.00"),
                List.of(),
                List.of("a", "b"),
                Map.of(),
                Map.of("nested", Map.of("deeper", List.of("text"), "number", BigDecimal.ONE)));
    }

    static Stream<Object> impossible() {
        return Stream.of(
                1,
                1.5,
                Double.NaN,
                new BigDecimal("0.0000001"),
                new BigDecimal("1E+3"),
                Instant.EPOCH,
                List.of(1L),
                List.of(Map.of()),
                Map.of("nested", Map.of("number", 1.5)));
    }

    @ParameterizedTest
    @MethodSource("possible")
    void a_detail_holds_what_can_be_written_plainly(Object value) {
        assertThat(event(Map.of("name", value)).detail()).containsEntry("name", value);
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void a_detail_holds_nothing_else(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> event(Map.of("name", value)))
                .withMessageContaining("detail cannot be");
    }

    @Test
    void a_detail_keeps_its_order_and_cannot_be_changed_at_any_depth() {
        List<String> texts = new ArrayList<>(List.of("a"));
        Map<String, Object> nested = new LinkedHashMap<>(Map.of("texts", texts));
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("z", "first");
        detail.put("nested", nested);
        detail.put("a", "last");
        Event event = event(detail);
        detail.clear();
        nested.clear();
        texts.clear();
        assertThat(event.detail())
                .containsExactly(
                        Map.entry("z", "first"),
                        Map.entry("nested", Map.of("texts", List.of("a"))),
                        Map.entry("a", "last"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> ((Map<?, ?>) event.detail().get("nested")).clear());
    }

    private static Event event(Map<String, Object> detail) {
        return new Event("id", EventType.AGENT_HEALTH, "agent_1", 1, Instant.EPOCH, detail);
    }

    @ParameterizedTest
    @EnumSource
    void a_type_is_found_by_its_wire_name(EventType type) {
        assertThat(WireNamed.find(EventType.class, type.wireName())).contains(type);
        assertThat(WireNamed.find(EventType.class, type.name())).isEmpty();
    }
}
