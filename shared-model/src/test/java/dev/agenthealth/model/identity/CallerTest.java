package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a key may see and do, by its role and the agent roles it is limited to. */
@Tag("R16-34")
class CallerTest {

    @ParameterizedTest
    @CsvSource({
        "AGENT,         '',       billing, false, true",
        "AGENT,         '',       '',      false, true",
        "VIEWER,        '',       billing, true,  false",
        "VIEWER,        '',       '',      true,  false",
        "VIEWER,        billing,  billing, true,  false",
        "VIEWER,        billing,  other,   false, false",
        "VIEWER,        billing,  '',      false, false",
        "COORDINATOR,   '',       billing, true,  true",
        "COORDINATOR,   a billing, billing, true, true",
        "COORDINATOR,   a billing, other,  false, true",
        "COORDINATOR,   a billing, '',     false, true",
        "ADMINISTRATOR, '',       billing, true,  true",
        "ADMINISTRATOR, '',       '',      true,  true"
    })
    void a_caller_sees_its_roles_and_a_viewer_changes_nothing(
            Role role, String limit, String roleId, boolean sees, boolean changes) {
        Set<String> roleIds =
                Arrays.stream(limit.split(" ")).filter(id -> !id.isEmpty()).collect(Collectors.toSet());
        Caller caller = Caller.ofKey("key", "", role, roleIds, KeyHash.ofKey("key"));
        assertThat(caller.maySeeRole(roleId)).isEqualTo(sees);
        assertThat(caller.mayChange()).isEqualTo(changes);
    }

    @ParameterizedTest(name = "{0} of {1}, own agent {3}")
    @CsvSource({
        "AGENT,         '',      billing, true,  true",
        "AGENT,         '',      billing, false, false",
        "COORDINATOR,   billing, billing, false, true",
        "COORDINATOR,   billing, other,   false, false",
        "COORDINATOR,   billing, other,   true,  true",
        "ADMINISTRATOR, '',      other,   false, true"
    })
    void a_caller_acts_on_its_own_agents_and_those_of_its_roles(
            Role role, String limit, String roleId, boolean own, boolean acts) {
        Set<String> roleIds = limit.isEmpty() ? Set.of() : Set.of(limit);
        Caller caller = Caller.ofKey("key", "", role, roleIds, KeyHash.ofKey("key"));
        Owner owner =
                own ? new Owner("key", KeyHash.ofKey("an earlier key")) : new Owner("other", KeyHash.ofKey("key"));
        assertThat(caller.owns(owner)).isEqualTo(own);
        assertThat(caller.mayActOn(owner, roleId)).isEqualTo(acts);
        assertThat(caller.isAdministrator()).isEqualTo(role == Role.ADMINISTRATOR);
        assertThat(caller.asOwner()).isEqualTo(new Owner("key", KeyHash.ofKey("key")));
        Caller agent = caller.asAgent();
        assertThat(agent).isEqualTo(Caller.ofKey("key", "", Role.AGENT, Set.of(), KeyHash.ofKey("key")));
        assertThat(agent.mayActOn(owner, roleId)).isEqualTo(own);
    }

    @Test
    void a_limited_caller_ends_with_its_key() {
        KeyLimits limits = new KeyLimits(Optional.of(Instant.EPOCH), List.of(), Set.of());
        Caller caller = Caller.ofKey("key", "n", Role.VIEWER, Set.of("r"), KeyHash.ofKey("key"))
                .limitedTo(limits);
        assertThat(caller.endsAt()).contains(Instant.EPOCH);
        assertThat(caller.limits()).isEqualTo(limits);
        assertThat(caller.asAgent().limits()).isEqualTo(limits);
        assertThat(caller.roleIds()).containsExactly("r");
    }

    @Test
    void an_author_is_a_caller_or_unknown() {
        Caller caller = Caller.ofKey("key_1", "", Role.AGENT, Set.of(), KeyHash.ofKey("key"));
        Author author = new Author(caller, "192.0.2.1", "r");
        assertThat(author.id()).isEqualTo("key_1");
        assertThat(author.isKnown()).isTrue();
        assertThat(new Author(Author.UNKNOWN, "192.0.2.1", "r").isKnown()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"AGENT, true", "VIEWER, false", "ADMINISTRATOR, false"})
    void a_grant_of_agents_is_one_of_workloads_with_an_owner(Role role, boolean workloads) {
        Grant grant = new Grant("sub", "x", role, Set.of(), "billing", Set.of());
        assertThat(grant.isOfWorkloads()).isEqualTo(workloads);
        assertThat(grant.ownerKeyId()).isEqualTo("workload_billing");
    }
}
