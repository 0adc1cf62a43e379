package dev.agenthealth.functions.declarations;

import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.declaration.DeclarationState;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Instant;
import java.util.Optional;

/** Stores what agents were seen to declare, with the event of a change. Thread-safe. */
public final class ObservedDeclarations {

    private final DeclarationStore declarations;
    private final PulseStore pulses;

    public ObservedDeclarations(Database database) {
        this.declarations = new DeclarationStore(database);
        this.pulses = new PulseStore(database);
    }

    /**
     * Stores an observation that is another one than the last.
     *
     * @throws dev.agenthealth.functions.storage.dynamo.StorageBusyException where the attempts are used up
     */
    public void note(AgentProfile agent, Observation seen, Instant now) {
        Attempts.untilDone(() -> {
            DeclarationState before = declarations.current(agent.agentId());
            DeclarationState after =
                    before.observed(seen.kind(), seen.parts(), agent.basis().model(), now);
            Optional<Pulse> pulse =
                    pulses.find(agent.agentId()).filter(present -> present.status() != LifecycleStatus.DEREGISTERED);
            return after.equals(before)
                    || pulse.isEmpty()
                    || declarations.write(pulse.get(), false, agent.roleId(), new DeclarationChange(before, after));
        });
    }
}
