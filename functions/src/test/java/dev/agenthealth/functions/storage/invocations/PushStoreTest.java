package dev.agenthealth.functions.storage.invocations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.invocations.PushStore.Push;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The addresses of configurations that others replaced. */
class PushStoreTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final PushStore store = new PushStore(system.database());

    /** As the messages of a caller do that name no task, where the agent returns one and the same. */
    private void setAgain(int number) {
        Push push = new Push(
                "a",
                "push" + number,
                new PushStore.Subscriber("key", "c", A2aVersion.V1_0, new byte[1]),
                "",
                KeyHash.ofKey("secret" + number),
                system.clock().instant(),
                "");
        store.begin(push);
        assertThat(store.bind(push, "t")).isTrue();
    }

    @Test
    void an_address_leads_to_its_tenth_successor_and_no_further() {
        for (int i = 0; i <= PushStore.MAX_SUCCESSORS; i++) {
            setAgain(i);
        }
        Push last = store.find("a", "push" + PushStore.MAX_SUCCESSORS).orElseThrow();
        Optional<Push> first = store.at("a", "push0");
        assertThat(first.map(Push::id)).contains(last.id());
        assertThat(first.map(Push::secret)).contains(KeyHash.ofKey("secret0"));
        assertThat(store.at("a", last.id()).map(Push::secret)).contains(last.secret());

        setAgain(PushStore.MAX_SUCCESSORS + 1);
        assertThat(store.at("a", "push0")).isEmpty();
        assertThat(store.at("a", "push1").map(Push::secret)).contains(KeyHash.ofKey("secret1"));
        assertThat(store.at("a", "unknown")).isEmpty();
    }
}
