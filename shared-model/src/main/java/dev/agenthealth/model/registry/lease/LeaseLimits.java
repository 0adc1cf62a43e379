package dev.agenthealth.model.registry.lease;

/**
 * The maximum numbers of live leases. A lease is live until its end is stored: an expired lease counts until the sweep ends it.
 *
 *
 * @param perAgent the maximum number of live leases of one agent
 * @param perKey the maximum number of live leases of all agents of one key
 * @param inAll the maximum number of live leases of all agents
 */
public record LeaseLimits(int perAgent, int perKey, int inAll) {

    public static final LeaseLimits DEFAULT = new LeaseLimits(1_000, 10_000, 50_000);
}
