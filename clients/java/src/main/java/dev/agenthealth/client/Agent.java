package dev.agenthealth.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a class as an agent (RFC-0016 §3.4). {@link AgentHealthClient#annotated} registers its instance exactly as {@link
 * AgentHealthClient#agent} does with the same values. A value that is left out here is also left out of the request.
 *
 * <pre>{@code
 * @Agent(id = "billing-1", role = "billing", capabilities = "invoices", maxConcurrentTasks = 4)
 * class BillingAgent {
 *     @OnDrain void finish(Drain drain) { queue.stop(); }
 *     @OnDead void stop() { queue.abandon(); }
 * }
 * ManagedAgent agent = registry.annotated(new BillingAgent()).start();
 * }</pre>
 *
 * <p>A text may name an environment variable or system property, with a default: {@code billing-${HOSTNAME:local}}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Agent {

    /** The id; empty to let the registry generate it. */
    String id() default "";

    /** The role; empty for none. */
    String role() default "";

    /** A name for people; empty for none. */
    String name() default "";

    /** The capabilities of the agent; empty for the capabilities of the role. */
    String[] capabilities() default {};

    /** The maximum number of concurrent tasks; negative for the maximum of the role. */
    int maxConcurrentTasks() default -1;

    /** The URL at which the gateway calls the agent; empty for none. */
    String endpoint() default "";

    /** The provider; empty for the provider of the key. */
    String provider() default "";

    /** The platform on which the agent runs; empty for unknown. */
    String platform() default "";

    /** The version of the agent's program; empty for unknown. */
    String agentVersion() default "";

    /** The seconds between two heartbeats; 0 for the interval of the role. */
    int heartbeatSeconds() default 0;

    /** The time without heartbeat after which the agent is unhealthy, in seconds; 0 for the threshold of the role. */
    int unhealthyAfterSeconds() default 0;

    /** The time without heartbeat after which the agent is dead, in seconds; 0 for the threshold of the role. */
    int deadAfterSeconds() default 0;

    /** The policy after the agent's death. */
    DeathPolicy deathPolicy() default DeathPolicy.REGISTER_AGAIN;
}
