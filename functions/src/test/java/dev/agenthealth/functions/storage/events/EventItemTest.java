package dev.agenthealth.functions.storage.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.EventType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The detail of an event as JSON: as it is sent to the bus, and as it is read from the log. */
@Tag("AHS-13")
@Tag("SYS-05")
class EventItemTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @Test
    void a_detail_is_written_in_its_order_and_to_its_depth() {
        Map<String, Object> dimensions = new LinkedHashMap<>();
        dimensions.put("reliability", new BigDecimal("0.9632"));
        dimensions.put("none", BigDecimal.ZERO);
        dimensions.put("deeper", Map.of("flag", true));
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", "agent.score");
        detail.put("score", new BigDecimal("85.00"));
        detail.put("sequence", 17L);
        detail.put("active", false);
        detail.put("dimensions", dimensions);
        detail.put("not_evaluated", List.of("performance", "stability"));
        detail.put("empty", Map.of());
        String written =
                """
                {"type":"agent.score","score":85.00,"sequence":17,"active":false,"dimensions":{"reliability":0.9632,\
                "none":0,"deeper":{"flag":true}},"not_evaluated":["performance","stability"],"empty":{}}\
                """;
        Map<String, AttributeValue> item = item(detail);
        assertThat(sent(item)).isEqualTo(written);
        assertThat(read(item)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.00",
                "0.000000",
                "0.000001",
                "0.00001",
                "-0.5",
                "0.949999",
                "85.00",
                "100.00",
                "2592000000",
                "2592000000.123456",
                "123456789012345678901234567890"
            })
    void no_number_is_written_with_an_exponent(String number) {
        Map<String, AttributeValue> item = item(Map.of("a", Map.of("number", new BigDecimal(number))));
        assertThat(sent(item)).isEqualTo("{\"a\":{\"number\":" + number + "}}");
        assertThat(read(item)).isEqualTo(sent(item));
    }

    private static Map<String, AttributeValue> item(Map<String, Object> detail) {
        return EventItem.of(
                new Event("agent:agent_1:17", EventType.AGENT_SCORE, "agent_1", 17, NOW, detail),
                NOW,
                Duration.ofDays(90),
                4);
    }

    private static String sent(Map<String, AttributeValue> item) {
        return item.get(EventItem.DETAIL).s();
    }

    private static String read(Map<String, AttributeValue> item) {
        return Json.text(EventItem.detail(item));
    }
}
