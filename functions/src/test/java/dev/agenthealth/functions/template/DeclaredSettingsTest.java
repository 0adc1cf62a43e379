package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Setting;
import dev.agenthealth.testkit.GeneratedText;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The template sets variables that {@link FunctionSettings} declares, within their ranges, and the reference lists them. */
@Tag("SYS-03")
class DeclaredSettingsTest {

    private static final GeneratedText REFERENCE = GeneratedText.between(
            "docs/reference/variables.md", "<!-- written from the declared settings -->", "<!-- end -->");

    private final TemplateText text = new TemplateText();
    private final Map<String, Setting<?>> declared = declared();
    private final Map<String, Object> ofTemplate = ofTemplate();

    private static Map<String, Setting<?>> declared() {
        Map<String, Setting<?>> declared = new LinkedHashMap<>();
        Stream.of(FunctionSettings.class.getFields())
                .map(DeclaredSettingsTest::value)
                .forEach(setting -> {
                    assertThat(declared).doesNotContainKey(setting.name());
                    declared.put(setting.name(), setting);
                });
        return declared;
    }

    private static Setting<?> value(Field field) {
        try {
            return (Setting<?>) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the variables of all functions with the template's expressions of their values. */
    private Map<String, Object> ofTemplate() {
        Map<String, Object> variables = new TreeMap<>(variables(text.functionGlobals()));
        text.properties("AWS::Serverless::Function")
                .values()
                .forEach(function -> variables.putAll(variables(function)));
        return variables;
    }

    private static Map<String, Object> variables(Map<String, Object> function) {
        return function.containsKey("Environment") ? map(map(function, "Environment"), "Variables") : Map.of();
    }

    @Test
    void every_variable_of_the_template_is_declared() {
        assertThat(declared.keySet()).containsAll(ofTemplate.keySet());
        assertThat(ofTemplate).hasSizeGreaterThan(20);
    }

    @Test
    void a_required_variable_is_in_the_template() {
        assertThat(declared.values().stream()
                        .filter(setting -> setting.standard().isEmpty())
                        .map(Setting::name)
                        .filter(name -> !ofTemplate.containsKey(name)))
                .as("keys that take the place of KMS keys")
                .containsExactlyInAnyOrder("SECRETS_LOCAL_KEY", "CARD_LOCAL_KEY");
    }

    @Test
    void a_number_of_the_template_has_the_range_of_its_declaration() {
        int compared = 0;
        for (Map.Entry<String, Object> variable : ofTemplate.entrySet()) {
            if (declared.get(variable.getKey()).type() instanceof Setting.WholeNumber range) {
                assertRange(variable.getKey(), range, variable.getValue());
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(7);
    }

    private void assertRange(String name, Setting.WholeNumber range, Object value) {
        if (value instanceof Map<?, ?> expression && expression.containsKey("Ref")) {
            Object parameter = text.parameters().get(expression.get("Ref"));
            if (at(parameter, "AllowedPattern") instanceof String pattern && !pattern.isEmpty()) {
                assertThat(List.of(range.min(), range.max())).as(name).allMatch(number -> matches(number, pattern));
                assertThat(List.of(range.min() - 1, range.max() + 1))
                        .as(name)
                        .noneMatch(number -> matches(number, pattern));
            } else {
                assertThat(at(parameter, "MinValue")).as(name).isEqualTo((long) range.min());
                assertThat(at(parameter, "MaxValue")).as(name).isEqualTo((long) range.max());
            }
        } else if (value instanceof Map<?, ?>) {
            list(at(value, "Fn::If")).stream().skip(1).forEach(choice -> assertRange(name, range, choice));
        } else {
            assertThat(range.accepts(Integer.valueOf(value.toString())))
                    .as(name + " " + value)
                    .isTrue();
        }
    }

    private static boolean matches(int number, String pattern) {
        return String.valueOf(number).matches(pattern);
    }

    @Test
    @Tag(GeneratedText.TAG)
    void the_reference_lists_every_setting() {
        REFERENCE.check(declared.values().stream()
                .map(this::row)
                .collect(Collectors.joining(
                        "\n", "| variable | value | default | set by | meaning |\n|---|---|---|---|---|\n", "\n")));
    }

    private String row(Setting<?> setting) {
        String by = ofTemplate.containsKey(setting.name()) ? "template" : "one machine";
        String standard = setting.standard()
                .map(value -> value.toString().isEmpty() ? "none" : value.toString())
                .orElse("");
        return "| `%s` | %s | %s | %s | %s |"
                .formatted(setting.name(), form(setting.type()), standard, by, setting.meaning());
    }

    private static String form(Setting.Type<?> type) {
        if (type instanceof Setting.WholeNumber range) {
            return range.max() == Integer.MAX_VALUE
                    ? String.format(Locale.ROOT, "number from %,d", range.min())
                    : String.format(Locale.ROOT, "number, %,d to %,d", range.min(), range.max());
        }
        return type instanceof Setting.Flag ? "`true` or `false`" : "text";
    }
}
