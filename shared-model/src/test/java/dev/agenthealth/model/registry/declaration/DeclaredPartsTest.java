package dev.agenthealth.model.registry.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The parts of a declaration and their difference. */
class DeclaredPartsTest {

    static DeclaredParts parts(String... namesAndTexts) {
        return DeclaredParts.of(IntStream.range(0, namesAndTexts.length / 2)
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> namesAndTexts[2 * i],
                        Collectors.mapping(i -> namesAndTexts[2 * i + 1], Collectors.toList()))));
    }

    private static DeclaredParts tools(int from, int to, String text) {
        return DeclaredParts.of(
                IntStream.range(from, to).boxed().collect(Collectors.toMap(i -> "tool:" + i, i -> List.of(text))));
    }

    @Test
    void what_was_added_removed_and_altered_is_named() {
        DeclarationDifference difference = DeclarationDifference.between(
                parts("tool:a", "1", "tool:b", "1", "tool:c", "1"), parts("tool:b", "1", "tool:c", "2", "tool:d", "1"));
        assertThat(difference)
                .isEqualTo(new DeclarationDifference(List.of("tool:d"), List.of("tool:a"), List.of("tool:c")));
    }

    @Test
    void two_tools_of_one_name_are_one_part_whatever_their_order() {
        assertThat(parts("tool:a", "1", "tool:a", "2")).isEqualTo(parts("tool:a", "2", "tool:a", "1"));
        assertThat(parts("tool:a", "1", "tool:a", "2")).isNotEqualTo(parts("tool:a", "2"));
    }

    @Test
    void of_more_than_200_parts_those_of_a_kind_are_one() {
        DeclaredParts many = tools(0, 201, "1");
        assertThat(many.hashes()).containsOnlyKeys("tools");
        assertThat(tools(0, 200, "1").hashes()).hasSize(200);
        assertThat(DeclarationDifference.between(many, tools(0, 201, "2")).altered())
                .containsExactly("tools");
        assertThat(DeclarationDifference.between(many, tools(0, 199, "1")))
                .as("no list of 199 tools that seem to be new")
                .isEqualTo(new DeclarationDifference(List.of(), List.of(), List.of("tools")));
        assertThat(DeclarationDifference.between(tools(0, 199, "1"), many).altered())
                .containsExactly("tools");
        assertThat(DeclarationDifference.between(many, many).isEmpty()).isTrue();
    }

    @Test
    void requirements_are_no_scheme() {
        assertThat(parts("security", "1", "security:bearer", "2", "skill:a", "1")
                        .collapsed()
                        .hashes())
                .containsOnlyKeys("security", "security_schemes", "skills");
    }

    @Test
    void a_name_that_is_too_long_or_hides_characters_is_shown_and_stays_another_one() {
        String half = "\ud83d";
        List<String> names = List.of(
                "tool:" + "x".repeat(100),
                "tool:" + "x".repeat(99),
                "tool:a\nb",
                "tool:a\u202eb",
                "tool:" + half,
                "tool:" + "x".repeat(61) + "\ud83d\ude00" + "y".repeat(30));
        Map<String, String> shown = DeclaredParts.of(
                        names.stream().collect(Collectors.toMap(Function.identity(), name -> List.of("1"))))
                .hashes();
        assertThat(shown).hasSize(names.size());
        assertThat(shown.keySet()).allSatisfy(name -> assertThat(name)
                .hasSizeLessThanOrEqualTo(DeclaredParts.MAX_NAME)
                .matches("tool:[\\P{C}]*~[0-9a-f]{12}"));
    }

    @Test
    void a_name_of_the_longest_length_is_shown_whole() {
        String name = "tool:" + "x".repeat(DeclaredParts.MAX_NAME - 5);
        assertThat(parts(name, "1", name + "x", "1").hashes()).containsKey(name).hasSize(2);
    }

    @Test
    void names_are_listed_by_their_prefix() {
        assertThat(parts("tool:b", "1", "tool:a", "1", "security", "1", "toolbox", "1")
                        .named("tool:"))
                .containsExactly("a", "b");
        assertThat(tools(0, 201, "1").named("tool:")).isEmpty();
    }

    @Property
    void the_difference_leads_from_one_declaration_to_the_other(
            @ForAll @Size(max = 8) Map<Character, Byte> one, @ForAll @Size(max = 8) Map<Character, Byte> other) {
        DeclaredParts before = of(one);
        DeclaredParts after = of(other);
        DeclarationDifference difference = DeclarationDifference.between(before, after);
        DeclarationDifference back = DeclarationDifference.between(after, before);
        assertThat(difference.isEmpty()).isEqualTo(before.digest().equals(after.digest()));
        assertThat(back)
                .isEqualTo(new DeclarationDifference(difference.removed(), difference.added(), difference.altered()));
    }

    private static DeclaredParts of(Map<Character, Byte> contents) {
        return DeclaredParts.of(contents.entrySet().stream()
                .collect(Collectors.toMap(e -> "skill:" + e.getKey(), e -> List.of("" + e.getValue()))));
    }
}
