package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Tag("R16-25")
class IdsPropertyTest {

    @Property
    void valid_is_what_the_pattern_matches(@ForAll("nearlyIds") String id) {
        assertThat(Ids.isValid(id)).isEqualTo(id.matches("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}"));
    }

    @Provide
    Arbitrary<String> nearlyIds() {
        Arbitrary<String> ids = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .numeric()
                .withChars("._:-")
                .ofMaxLength(66);
        Arbitrary<String> others = Arbitraries.strings().ofMaxLength(3);
        return Arbitraries.oneOf(ids, others, ids.flatMap(id -> others.map(other -> id + other)));
    }
}
