package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant stays within the path of the endpoint. */
class A2aProtocolTest {

    @ParameterizedTest
    @ValueSource(strings = {"acme", "acme/eu", "projects/p/locations/eu/agents/a", "a.b", "...", "a..b", "~x", "a@b:1"})
    void a_tenant_has_parts_between_slashes(String tenant) {
        assertThat(A2aProtocol.isTenant(tenant)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "..", "../a", "a/..", "a/./b", "/a", "a/", "a//b", "a b", "a?b", "a#b", "a%2e", "a\\b", "ä",
                "a\n"
            })
    void a_tenant_does_not_lead_elsewhere(String tenant) {
        assertThat(A2aProtocol.isTenant(tenant)).isFalse();
    }

    @Test
    void a_tenant_has_a_maximum_length() {
        assertThat(A2aProtocol.isTenant("a".repeat(A2aProtocol.MAX_TENANT))).isTrue();
        assertThat(A2aProtocol.isTenant("a".repeat(A2aProtocol.MAX_TENANT + 1))).isFalse();
    }
}
