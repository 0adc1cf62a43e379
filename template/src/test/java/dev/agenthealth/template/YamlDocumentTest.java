package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class YamlDocumentTest {

    @Test
    void scalars_keep_their_types() {
        Map<String, Object> document = YamlDocument.read("{a: 1, b: 1.5, c: true, d: text, e: '1', f: null}", "test");
        assertThat(document)
                .containsEntry("a", 1L)
                .containsEntry("b", 1.5)
                .containsEntry("c", true)
                .containsEntry("d", "text")
                .containsEntry("e", "1")
                .containsEntry("f", null);
    }

    @Test
    void short_tags_are_read_as_their_long_form() {
        assertThat(YamlDocument.read("{a: !GetAtt B.C.D, e: !Ref F, g: !Equals ['', [!Ref H]]}", "test"))
                .isEqualTo(Map.of(
                        "a", Map.of("Fn::GetAtt", List.of("B", "C.D")),
                        "e", Map.of("Ref", "F"),
                        "g", Map.of("Fn::Equals", Arrays.asList("", List.of(Map.of("Ref", "H"))))));
    }

    static Stream<Arguments> refused() {
        String levels = "[".repeat(100) + "]".repeat(100);
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            laughs.append(
                    "a%d: &a%d [%s]%n".formatted(i, i, "*a%d, ".formatted(i - 1).repeat(9)));
        }
        StringBuilder fewLaughs = new StringBuilder("a0: &a0 [" + "x, ".repeat(30_000) + "]\n");
        fewLaughs.append("a1: [*a0, *a0, *a0, *a0]\n");
        return Stream.of(
                Arguments.of("", "is empty"),
                Arguments.of("- a", "is not a mapping"),
                Arguments.of("a: 1\na: 2", "duplicate key"),
                Arguments.of("a: !Whatever x", "line 1: unknown tag !Whatever"),
                Arguments.of("{? [a] : b}", "a key must be a scalar"),
                Arguments.of("a: [", "test"),
                Arguments.of("a: " + levels, "nested deeper"),
                Arguments.of("a: &a [*a]", "nested deeper"),
                Arguments.of(laughs.toString(), "alias"),
                Arguments.of(fewLaughs.toString(), "more than 100000 values"),
                Arguments.of("a: " + "x".repeat(2_000_000), "longer than"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(String text, String message) {
        assertThatThrownBy(() -> YamlDocument.read(text, "test"))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("test")
                .hasMessageContaining(message);
    }
}
