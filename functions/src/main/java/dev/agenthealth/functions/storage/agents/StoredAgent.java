package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.List;

/**
 * All that the registry holds about an agent's lifecycle.
 *
 * @param pulse its life signs, from its row or from its tombstone
 * @param profile what it says it is, with metadata
 * @param tasks the ids of the tasks it said were in progress, as far as stored
 * @param buried whether the pulse comes from a tombstone
 * @param standing what stands of its health on its row; {@link HealthSummary#NONE} where it is buried, or where nobody asked for it
 * @param profileRevision counts the writes of this id's profile, by which a change notices that it was made to an older one
 */
public record StoredAgent(
        Pulse pulse,
        AgentProfile profile,
        List<String> tasks,
        boolean buried,
        HealthSummary standing,
        long profileRevision) {

    /** The revision of the profile of an agent that was erased. */
    static final long NO_PROFILE = 0;

    public StoredAgent {
        tasks = List.copyOf(tasks);
    }

    /** An agent of whose health nothing stands on its row, or nobody asked for it. */
    public StoredAgent(Pulse pulse, AgentProfile profile, List<String> tasks, boolean buried, long profileRevision) {
        this(pulse, profile, tasks, buried, HealthSummary.NONE, profileRevision);
    }

    /** Whether there is a profile; there is none of an agent that was erased. */
    public boolean hasProfile() {
        return !(buried && profileRevision == NO_PROFILE);
    }

    /** The agent after a change of its status. */
    public StoredAgent with(Pulse after) {
        return new StoredAgent(after, profile, tasks, buried, standing, profileRevision);
    }

    /** The agent after its profile was written with the pulse: at a registration or a profile change. */
    public StoredAgent with(Pulse after, AgentProfile written) {
        boolean sameIncarnation = after.incarnation() == pulse.incarnation();
        return new StoredAgent(
                after,
                written,
                sameIncarnation ? tasks : List.of(),
                false,
                standing.in(written.providerId(), written.platform()),
                profileRevision + 1);
    }
}
