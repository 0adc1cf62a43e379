package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The fields of a profile that a change may set, each with its editors. The owner of an agent and administrators may change every field. This table
 * says which fields other coordinators may change too.
 */
public enum ProfileField implements WireNamed {
    NAME(Editors.EVERY_COORDINATOR, profile -> profile.description().name()),
    PLATFORM(Editors.EVERY_COORDINATOR, profile -> profile.description().platform()),
    METADATA(Editors.EVERY_COORDINATOR, profile -> profile.description().metadata()),
    AGENT_VERSION(Editors.NAMED_COORDINATORS, profile -> profile.description().version()),
    AGENT_URI(Editors.NAMED_COORDINATORS, profile -> profile.description().agentUri()),
    PROVIDER_ID(Editors.NAMED_COORDINATORS, profile -> profile.description().providerId()),
    PERSONAL(Editors.NAMED_COORDINATORS, profile -> profile.description().personal()),
    LISTED(Editors.NAMED_COORDINATORS, profile -> profile.description().inCatalogue()),
    COORDINATOR_KEY_IDS(
            Editors.NAMED_COORDINATORS, profile -> profile.description().coordinators()),
    KIND(Editors.NAMED_COORDINATORS, profile -> profile.agentInterface().kind()),
    CAPABILITIES(Editors.NAMED_COORDINATORS, profile -> profile.agentInterface().capabilities()),
    ENDPOINT(Editors.NAMED_COORDINATORS, profile -> profile.agentInterface().endpoint()),
    A2A_VERSION(
            Editors.NAMED_COORDINATORS,
            profile -> profile.agentInterface().a2a().version()),
    A2A_BINDING(
            Editors.NAMED_COORDINATORS,
            profile -> profile.agentInterface().a2a().binding()),
    A2A_TENANT(
            Editors.NAMED_COORDINATORS,
            profile -> profile.agentInterface().a2a().tenant()),
    ACCEPTS_PUSH(Editors.NAMED_COORDINATORS, profile -> profile.agentInterface().acceptsPush()),
    CAPACITY(Editors.NAMED_COORDINATORS, AgentProfile::maxConcurrentTasks),
    HEARTBEAT_CONFIG(Editors.NAMED_COORDINATORS, AgentProfile::heartbeatConfig),
    WATCH(Editors.NAMED_COORDINATORS, AgentProfile::watch),
    MODEL(Editors.NAMED_COORDINATORS, profile -> profile.basis().model()),
    EXPECTATIONS(Editors.NAMED_COORDINATORS, profile -> profile.basis().expectations()),
    INSTANCE(Editors.NAMED_COORDINATORS, profile -> profile.history().instance());

    /** The coordinators of an agent that may change a field. */
    public enum Editors {
        /** Every coordinator of the agent's role: the field only describes the agent to people. */
        EVERY_COORDINATOR,
        /** The coordinators that the agent names; every coordinator of its role if it names none. */
        NAMED_COORDINATORS
    }

    private final Editors editors;
    private final Function<AgentProfile, Object> value;

    ProfileField(Editors editors, Function<AgentProfile, Object> value) {
        this.editors = editors;
        this.value = value;
    }

    /** Returns the coordinators that may change the field. */
    public Editors editors() {
        return editors;
    }

    /** Returns the fields whose values differ between two profiles of an agent. */
    public static Set<ProfileField> changed(AgentProfile before, AgentProfile after) {
        Set<ProfileField> changed = EnumSet.allOf(ProfileField.class);
        changed.removeIf(field -> field.value.apply(before).equals(field.value.apply(after)));
        return changed;
    }
}
