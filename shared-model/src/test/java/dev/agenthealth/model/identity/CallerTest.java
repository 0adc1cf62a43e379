package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
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
}
