package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantRuleTest {

    @ParameterizedTest
    @CsvSource({
        "a, a, true",
        "a, b, false",
        "a, aa, false",
        "a, A, false",
        "*, a, true",
        "*, '', true",
        "'', '', true",
        "'', a, false",
        "a*, a, true",
        "a*c, abc, true",
        "a*c, abcd, false",
        "a*c, acbc, true",
        "*a*b*, xaxxb, true",
        "*a*b*, xbxxa, false",
        "a**c, ac, true",
        "repo:acme/*:ref:refs/heads/main, repo:acme/agents:ref:refs/heads/main, true",
        "repo:acme/*:ref:refs/heads/main, repo:acme/agents:ref:refs/heads/main2, false",
        "repo:acme/*, repo:acme2/agents, false",
        "a.c, abc, false"
    })
    void an_asterisk_stands_for_any_characters(String pattern, String text, boolean matches) {
        assertThat(GrantRule.matches(pattern, text)).isEqualTo(matches);
    }

    @Test
    void a_pattern_with_many_asterisks_is_decided_soon() {
        assertThat(GrantRule.matches("*a".repeat(400) + "b", "a".repeat(8_000))).isFalse();
    }

    @Test
    void the_first_grant_that_matches_decides() {
        Grant first = new Grant("groups", "x*", Role.VIEWER, Set.of(), "", Set.of());
        Grant second = new Grant("groups", "*", Role.ADMINISTRATOR, Set.of(), "", Set.of());
        Map<String, List<String>> claims = Map.of("groups", List.of("y", "x1"));
        assertThat(GrantRule.find(List.of(first, second), name -> claims.getOrDefault(name, List.of())))
                .contains(first);
        assertThat(GrantRule.find(List.of(second, first), name -> claims.getOrDefault(name, List.of())))
                .contains(second);
        assertThat(GrantRule.find(List.of(first, second), name -> List.of())).isEmpty();
    }

    @Test
    void a_grant_whose_claim_has_other_values_is_passed_over() {
        Grant first = new Grant("groups", "x*", Role.VIEWER, Set.of(), "", Set.of());
        Grant second = new Grant("groups", "y", Role.COORDINATOR, Set.of(), "", Set.of());
        assertThat(GrantRule.find(List.of(first, second), name -> List.of("y"))).contains(second);
    }
}
