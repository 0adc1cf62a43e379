package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProfileFieldTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    /** Components that no change sets: ids, dates, and counts of registrations. */
    private static final Set<String> OF_THE_REGISTRY =
            Set.of("agentId", "roleId", "updatedAt", "restartedAt", "history");

    private static final AgentProfile PROFILE = new AgentProfile(
            "a",
            "",
            Description.NONE,
            new AgentInterface(AgentKind.DEFAULT, List.of(), "", A2aProtocol.DEFAULT, false, NOW),
            Workload.NOT_DECLARED,
            HeartbeatConfig.DEFAULT,
            Watch.NONE,
            MeasurementBasis.NONE,
            RegistrationHistory.first(NOW));

    @Test
    void equal_profiles_have_no_changed_field() {
        assertThat(ProfileField.changed(PROFILE, PROFILE)).isEmpty();
    }

    @Test
    void a_changed_part_is_named() {
        assertThat(ProfileField.changed(PROFILE, PROFILE.of("acme-labs"))).containsExactly(ProfileField.PROVIDER_ID);
        assertThat(ProfileField.changed(
                        PROFILE, PROFILE.with(PROFILE.agentInterface().with(List.of("b"), NOW))))
                .containsExactly(ProfileField.CAPABILITIES);
        MeasurementBasis slower = PROFILE.basis().expecting(Expectation.SLA_MS, 5);
        assertThat(ProfileField.changed(PROFILE, PROFILE.with(slower))).containsExactly(ProfileField.EXPECTATIONS);
    }

    /** A component that is added to a profile needs a field in the table, or is one of the registry. */
    @Test
    void the_table_has_a_field_for_each_component_of_a_profile() throws ReflectiveOperationException {
        List<String> components = new ArrayList<>();
        for (RecordComponent component : AgentProfile.class.getRecordComponents()) {
            collect(component, PROFILE, components);
        }
        assertThat(components).hasSize(ProfileField.values().length - 1);
    }

    private static void collect(RecordComponent component, Object of, List<String> into)
            throws ReflectiveOperationException {
        Object value = component.getAccessor().invoke(of);
        Set<Class<?>> split =
                Set.of(Description.class, AgentInterface.class, A2aProtocol.class, MeasurementBasis.class);
        if (OF_THE_REGISTRY.contains(component.getName())) {
            return;
        }
        if (!split.contains(component.getType())) {
            into.add(component.getName());
            return;
        }
        for (RecordComponent part : component.getType().getRecordComponents()) {
            collect(part, value, into);
        }
    }
}
