package dev.agenthealth.model.profile;

import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Restarts;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an agent declares about itself: the part of the agent record (RFC-0016 §1) that only registrations and profile changes write.
 *
 * @param agentId the instance
 * @param roleId the role, stable over instances (RFC-0016 §8); empty for none
 * @param name for people; empty for none
 * @param capabilities tags for discovery, without repeats, in the order given
 * @param maxConcurrentTasks tasks at once, or {@link dev.agenthealth.model.lifecycle.Workload#NOT_DECLARED}
 * @param endpoint where the agent can be called; empty for none
 * @param a2aVersion what the agent speaks at its endpoint
 * @param heartbeatConfig interval and thresholds, valid
 * @param agentUri the agent's id in health documents; empty for none
 * @param providerId the provider that runs it; empty for none
 * @param platform the platform it runs on; empty for none
 * @param personal whether it serves one natural person, so that its health is shown coarsely (state draft §8)
 * @param inCatalogue whether it is shown in the catalogue that clients search for agents
 * @param model the model it runs on
 * @param expectations the numbers it declares about itself, or took over at its registration; empty for none
 * @param metadata JSON text of an object the protocol does not look into
 * @param registeredAt when this id first registered
 * @param startedAt when it last registered, which is when its process started
 * @param restarts when the id registered again
 * @param capabilitiesUpdatedAt when what its agent card declares last changed: capabilities, endpoint or A2A version
 * @param restartedAt when its measurement restarted because its window got another length, in whole seconds; {@link Instant#EPOCH} for never
 */
public record AgentProfile(
        String agentId,
        String roleId,
        String name,
        List<String> capabilities,
        int maxConcurrentTasks,
        String endpoint,
        A2aVersion a2aVersion,
        HeartbeatConfig heartbeatConfig,
        String agentUri,
        String providerId,
        String platform,
        boolean personal,
        boolean inCatalogue,
        ModelInfo model,
        Map<Expectation, Double> expectations,
        String metadata,
        Instant registeredAt,
        Instant startedAt,
        Restarts restarts,
        Instant capabilitiesUpdatedAt,
        Instant restartedAt) {

    /** The metadata of an agent without any. */
    public static final String NO_METADATA = "{}";

    /** The largest metadata, in bytes of UTF-8. */
    public static final int MAX_METADATA_BYTES = 16 * 1024;

    /** The maximum number of capabilities of one agent. */
    public static final int MAX_CAPABILITIES = 32;

    /** The capability that makes an agent a coordinator (RFC-0016 §10.2). */
    public static final String COORDINATOR = "coordinator";

    public AgentProfile {
        capabilities = List.copyOf(capabilities);
        expectations = Map.copyOf(expectations);
    }

    /** What lists show of it. */
    public ListedProfile listed() {
        return new ListedProfile(roleId, name, providerId, capabilities, inCatalogue);
    }

    /** Whether this is what its agent card declares: the capabilities in any order, the endpoint and its A2A version (Agent Health State §4.5). */
    public boolean declares(List<String> otherCapabilities, String otherEndpoint, A2aVersion otherVersion) {
        return Set.copyOf(capabilities).equals(Set.copyOf(otherCapabilities))
                && endpoint.equals(otherEndpoint)
                && a2aVersion == otherVersion;
    }

    /** The window over which the agent is measured. */
    public MeasurementWindow window() {
        return new MeasurementWindow(new Expectations(expectations).window().length(), restartedAt);
    }

    /** When its measurement began: at its first registration, or when it restarted. */
    public Instant measuredFrom() {
        return restartedAt.isAfter(registeredAt) ? restartedAt : registeredAt;
    }

    /** The same profile in the place of {@code previous}, whose measurement it continues; a window of another length restarts it. */
    public AgentProfile measuredAfter(AgentProfile previous, Instant now) {
        boolean restartsMeasurement =
                !window().length().equals(previous.window().length());
        return with(
                providerId,
                a2aVersion,
                model,
                expectations,
                registeredAt,
                restarts,
                capabilitiesUpdatedAt,
                restartsMeasurement ? now.truncatedTo(ChronoUnit.SECONDS) : previous.restartedAt);
    }

    /** The same profile with this number among its expectations. */
    public AgentProfile expecting(Expectation expectation, double number) {
        Map<Expectation, Double> more = new HashMap<>(expectations);
        more.put(expectation, number);
        return with(providerId, a2aVersion, model, more, registeredAt, restarts, capabilitiesUpdatedAt, restartedAt);
    }

    /**
     * The same profile, of an id that registered before with {@code previous}: it keeps the date of the first registration and
     * the dates of what has not changed, and counts the restart.
     */
    public AgentProfile succeeding(AgentProfile previous, Instant now) {
        return with(
                        providerId,
                        a2aVersion,
                        model.replacing(previous.model, now),
                        expectations,
                        previous.registeredAt,
                        previous.restarts.and(now),
                        previous.declares(capabilities, endpoint, a2aVersion)
                                ? previous.capabilitiesUpdatedAt
                                : capabilitiesUpdatedAt,
                        restartedAt)
                .measuredAfter(previous, now);
    }

    /** The same profile of an agent that speaks this version of A2A. */
    public AgentProfile speaking(A2aVersion version) {
        return with(
                providerId, version, model, expectations, registeredAt, restarts, capabilitiesUpdatedAt, restartedAt);
    }

    /** The same profile of an agent of this provider, whose id is empty for none. */
    public AgentProfile of(String provider) {
        return with(
                provider, a2aVersion, model, expectations, registeredAt, restarts, capabilitiesUpdatedAt, restartedAt);
    }

    private AgentProfile with(
            String newProviderId,
            A2aVersion newA2aVersion,
            ModelInfo newModel,
            Map<Expectation, Double> expected,
            Instant firstRegistered,
            Restarts newRestarts,
            Instant capabilitiesChanged,
            Instant newRestartedAt) {
        return new AgentProfile(
                agentId,
                roleId,
                name,
                capabilities,
                maxConcurrentTasks,
                endpoint,
                newA2aVersion,
                heartbeatConfig,
                agentUri,
                newProviderId,
                platform,
                personal,
                inCatalogue,
                newModel,
                expected,
                metadata,
                firstRegistered,
                startedAt,
                newRestarts,
                capabilitiesChanged,
                newRestartedAt);
    }
}
