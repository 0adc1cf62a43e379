package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Tag("AHS-01")
class HostNamePropertyTest {

    @Property
    void valid_is_what_the_pattern_matches(@ForAll("nearlyNames") String name) {
        String label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
        assertThat(HostName.isValid(name))
                .isEqualTo(name.length() <= 253 && name.matches(label + "(\\." + label + ")*"));
    }

    @Property
    void normalizing_again_changes_nothing(@ForAll("nearlyNames") String name) {
        String normalized = HostName.normalized(name);
        assertThat(HostName.normalized(normalized)).isEqualTo(normalized);
    }

    @Provide
    Arbitrary<String> nearlyNames() {
        Arbitrary<String> labels = Arbitraries.strings()
                .withCharRange('a', 'z')
                .numeric()
                .withChars("-")
                .ofMinLength(1)
                .ofMaxLength(64);
        Arbitrary<String> others = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(2), Arbitraries.of("A", ":80", ".", "..", ".:80", "-", ""));
        Arbitrary<String> names = labels.list().ofMinSize(1).ofMaxSize(6).map(list -> String.join(".", list));
        return Arbitraries.oneOf(names, names.flatMap(name -> others.map(other -> name + other)));
    }
}
