package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R16-01")
class CapabilityTagTest {

    @ParameterizedTest
    @CsvSource({
        "billing, true",
        "code review, true",
        "'code  review', true",
        "'code,review', false",
        "',review', false",
        "' code review', false",
        "'code review ', false",
        "' ', false"
    })
    void a_tag_may_have_spaces_inside_but_no_comma(String tag, boolean fits) {
        assertThat(CapabilityTag.fitsIntoList(tag)).isEqualTo(fits);
    }
}
