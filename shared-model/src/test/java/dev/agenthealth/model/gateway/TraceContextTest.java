package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    @ParameterizedTest
    @CsvSource({
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "' 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00 ', 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-09, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-what-comes, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
    })
    void a_valid_parent_is_passed_on_in_version_00(String header, String parent) {
        TraceContext trace = TraceContext.of(header, "");
        assertThat(trace.parent()).isEqualTo(parent);
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(trace.headers()).isEqualTo(Map.of("traceparent", parent));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01,00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01"
            })
    void an_invalid_parent_is_ignored_with_its_state(String header) {
        assertThat(TraceContext.of(header, "vendor=1")).isEqualTo(TraceContext.NONE);
        assertThat(TraceContext.NONE.headers()).isEmpty();
        assertThat(TraceContext.NONE.traceId()).isEmpty();
    }

    @Test
    void a_state_is_passed_on_unless_it_is_too_long_or_no_header() {
        assertThat(TraceContext.of(PARENT, "a=1, b=2").headers())
                .isEqualTo(Map.of("traceparent", PARENT, "tracestate", "a=1, b=2"));
        assertThat(TraceContext.of(PARENT, "x".repeat(512)).state()).hasSize(512);
        assertThat(TraceContext.of(PARENT, "x".repeat(513)).state()).isEmpty();
        assertThat(TraceContext.of(PARENT, "a=1\r\nX: y").state()).isEmpty();
        assertThat(TraceContext.of(PARENT, "a=ä").state()).isEmpty();
    }
}
