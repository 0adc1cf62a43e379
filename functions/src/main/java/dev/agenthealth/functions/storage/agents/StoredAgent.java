package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;

/**
 * An agent as it is stored.
 *
 * @param pulse its life signs, from its row or from its tombstone
 * @param profile its profile, possibly without metadata
 * @param tasks the stored ids of its tasks in progress, if they were read
 * @param waitsFor what the agent waits for, in its own words, if it was read; empty if the agent waits for no person or does not say it
 * @param archived whether the pulse comes from a tombstone
 * @param health the health summary of its row; {@link HealthSummary#NONE} if the agent is archived, or the summary was not read
 * @param profileRevision the number of writes of this id's profile; a change of the profile is conditional on this number
 */
public record StoredAgent(
        Pulse pulse,
        AgentProfile profile,
        List<String> tasks,
        String waitsFor,
        boolean archived,
        HealthSummary health,
        long profileRevision) {

    /** The profile revision of an erased agent. */
    static final long NO_PROFILE = 0;

    public StoredAgent {
        tasks = List.copyOf(tasks);
    }

    /** Creates an agent that has just registered for the first time. */
    public static StoredAgent registered(Pulse pulse, AgentProfile profile) {
        return new StoredAgent(pulse, profile, List.of(), "", false, HealthSummary.NONE, 1);
    }

    /** Returns whether there is a profile. An erased agent has none. */
    public boolean hasProfile() {
        return !(archived && profileRevision == NO_PROFILE);
    }

    /** Returns the part of the agent that lists show. */
    public ListedAgent listed() {
        return new ListedAgent(pulse, health, profile.listed());
    }

    /** Returns the agent after a change of its status. */
    public StoredAgent with(Pulse after) {
        return new StoredAgent(after, profile, tasks, waitsFor, archived, health, profileRevision);
    }

    /** Returns the agent after its profile was written with the pulse, at a registration or a profile change. */
    public StoredAgent with(Pulse after, AgentProfile written) {
        boolean sameIncarnation = after.incarnation() == pulse.incarnation();
        return new StoredAgent(
                after,
                written,
                sameIncarnation ? tasks : List.of(),
                sameIncarnation ? waitsFor : "",
                false,
                health.in(
                                written.description().providerId(),
                                written.description().platform())
                        .after(written.history().restarts()),
                profileRevision + 1);
    }
}
