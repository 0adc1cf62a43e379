package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderGrantsTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"'', a, false, ''", "a, a, true, a", "a, b, false, a", "a b, b, true, -"})
    void only_granted_providers_are_named_and_a_single_one_is_the_default(
            String granted, String named, boolean permitted, String byDefault) {
        ProviderGrants grants = ProviderGrants.of(granted.isEmpty() ? Set.of() : Set.of(granted.split(" ")));
        assertThat(grants.permit(named)).isEqualTo(permitted);
        assertThat(grants.byDefault()).isEqualTo(Optional.ofNullable(byDefault));
    }

    @Test
    void a_key_for_every_provider_has_none_by_default() {
        assertThat(ProviderGrants.ANY.permit("a")).isTrue();
        assertThat(ProviderGrants.ANY.byDefault()).contains("");
    }
}
