package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.ChannelCase;
import dev.agenthealth.functions.operations.notification.channel.ChannelCases;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What belongs to a channel besides its package. */
class ChannelsTest {

    private final TestSystem system = new TestSystem();
    private final List<String> types = Channels.of(
                    system.wiring(TestSystem.NOTIFICATIONS), NameResolver.system(), SecureSockets.usualWhenUsed())
            .all()
            .stream()
            .map(Channel::type)
            .toList();

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void the_contract_tests_every_channel() {
        assertThat(ChannelCases.all().map(ChannelCase::type).distinct().filter(type -> !type.equals("pager")))
                .as("types in ChannelCases")
                .containsExactlyInAnyOrderElementsOf(types);
        assertThat(types).doesNotHaveDuplicates();
    }

    @Test
    void the_guide_has_a_target_of_every_channel() {
        String guide = ProjectFiles.text("docs/guides/notifications.md");
        assertThat(types)
                .allSatisfy(type ->
                        assertThat(guide).as("docs/guides/notifications.md").contains("{\"type\": \"" + type + "\""));
    }
}
