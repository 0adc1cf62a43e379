package dev.agenthealth.spring;

import dev.agenthealth.client.DeathPolicy;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code agent-health.*}. The agent's properties describe the only agent of the application, and take precedence over the
 * annotation of its bean. Null and empty properties are left out.
 *
 * @param enabled whether the starter is active
 * @param url the URL of the registry; without a URL, nothing is registered
 * @param key the API key
 * @param tokenFile the file with a token of an identity provider, used without a key; it is read again after a change
 * @param requestTimeout how long one request may take
 * @param maxRetryTime how long a request of the application is retried while the registry is unreachable or busy
 * @param agentId the id of the agent; the registry generates an id if there is only a role or a capability
 * @param roleId the role of the agent
 * @param name a name of the agent for people
 * @param capabilities what the agent can do
 * @param maxConcurrentTasks the maximum number of concurrent tasks of the agent
 * @param endpoint where the gateway calls the agent over A2A
 * @param providerId the provider of the agent, which the key must be granted
 * @param platform where the agent runs
 * @param agentVersion the version of the agent's program
 * @param heartbeatInterval how often the agent sends a heartbeat, in whole seconds
 * @param unhealthyAfter the time without heartbeat after which the agent is unhealthy, at least twice the interval
 * @param deadAfter the time without heartbeat after which the agent is dead, at least twice {@code unhealthyAfter}
 * @param instance where the process runs; by default the name of the host
 * @param replace whether the start takes the id over from another process
 * @param deathPolicy the action after the agent's death; by default the action of its annotation
 * @param closeTimeout how long the end of the application waits for the agents to drain
 */
@ConfigurationProperties("agent-health")
public record AgentHealthProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("") String url,
        @DefaultValue("") String key,
        @DefaultValue("") String tokenFile,
        @DefaultValue("10s") Duration requestTimeout,
        @DefaultValue("30s") Duration maxRetryTime,
        @DefaultValue("") String agentId,
        @DefaultValue("") String roleId,
        @DefaultValue("") String name,
        @DefaultValue List<String> capabilities,
        Integer maxConcurrentTasks,
        @DefaultValue("") String endpoint,
        @DefaultValue("") String providerId,
        @DefaultValue("") String platform,
        @DefaultValue("") String agentVersion,
        Duration heartbeatInterval,
        Duration unhealthyAfter,
        Duration deadAfter,
        String instance,
        @DefaultValue("true") boolean replace,
        DeathPolicy deathPolicy,
        @DefaultValue("10s") Duration closeTimeout) {

    /** Leaves out the key. */
    @Override
    public String toString() {
        return "AgentHealthProperties[url=" + url + ", agentId=" + agentId + ", roleId=" + roleId + "]";
    }
}
