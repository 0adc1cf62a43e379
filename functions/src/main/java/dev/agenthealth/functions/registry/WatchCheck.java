package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Watch;
import java.util.Optional;

/** Checks a watch against the rest of its profile and against the installation. Thread-safe. */
final class WatchCheck {

    private static final String URL = WatchFields.WATCH + ".url";
    private static final String CONFIRM_DEATH = "heartbeat_config." + LifeSignFields.CONFIRM_DEATH;
    private static final String INTERVAL = WatchFields.WATCH + ".interval_seconds";

    private final AddressCheck addresses;
    private final int minIntervalSeconds;

    WatchCheck(Wiring wiring) {
        this.addresses = AddressCheck.of(wiring, NameResolver.system());
        this.minIntervalSeconds = wiring.get(FunctionSettings.WATCH_MIN_INTERVAL_SECONDS);
    }

    /** Records the errors of a watch as errors of the body, unless the watch stays the same. */
    void check(AgentProfile before, AgentProfile after, Caller caller, Fields body) {
        check(before, after, caller.role() == Role.AGENT, body);
    }

    /** Records the errors of a watch that another registry accepted. */
    void checkMoved(AgentProfile undeclared, AgentProfile moved, Fields body) {
        check(undeclared, moved, false, body);
    }

    private void check(AgentProfile before, AgentProfile after, boolean byAgent, Fields body) {
        boolean same = after.watch().equals(before.watch())
                && endpoint(after).equals(endpoint(before))
                && after.heartbeatConfig().equals(before.heartbeatConfig());
        if (after.asked().isWatched() && !same) {
            if (after.watch().isWatched()) {
                checkInterval(after, body);
            }
            checkAddress(after, after.watch().isWatched() ? URL : CONFIRM_DEATH, byAgent, body);
        }
    }

    private void checkInterval(AgentProfile profile, Fields body) {
        Watch watch = profile.watch();
        int silence = profile.heartbeatConfig().unhealthyAfterSeconds();
        if (watch.intervalSeconds() % minIntervalSeconds != 0) {
            body.refuse(INTERVAL, "must be a multiple of " + minIntervalSeconds);
        } else if (!profile.heartbeatConfig().lifeSigns().confirmsDeath()
                && profile.heartbeatConfig().isPeriodic()
                && watch.intervalSeconds() + watch.timeoutSeconds() >= silence) {
            body.refuse(
                    INTERVAL,
                    "must be, with timeout_seconds, below heartbeat_config.unhealthy_after_seconds (" + silence + ")");
        }
    }

    /** @param field the field with the address */
    private void checkAddress(AgentProfile profile, String field, boolean byAgent, Fields body) {
        Optional<Endpoint> address = profile.asked().address(endpoint(profile)).flatMap(Endpoint::of);
        if (address.isEmpty()) {
            body.refuse(
                    field,
                    field.equals(URL)
                            ? "is required where the agent has no endpoint"
                            : "needs an endpoint or a watch to ask");
            return;
        }
        String remedy = AddressCheck.remedy(address.get());
        switch (addresses.judge(address.get())) {
            case INSECURE ->
                body.refuse(
                        field,
                        (field.equals(URL) ? "must be an https URL" : "needs an endpoint with an https URL") + remedy);
            case FORBIDDEN ->
                body.refuse(
                        field,
                        (field.equals(URL)
                                        ? "must lead to a public address"
                                        : "needs an endpoint with a public address")
                                + remedy);
            case ALLOWED -> {
                // The key of an agent declares the addresses of its agents. It cannot make the registry send requests
                // to other addresses.
                if (byAgent
                        && Endpoint.of(endpoint(profile))
                                .filter(declared -> declared.authority()
                                        .equals(address.get().authority()))
                                .isEmpty()) {
                    body.refuse(URL, "must have the host of the agent's endpoint, for the key of an agent");
                }
            }
        }
    }

    private static String endpoint(AgentProfile profile) {
        return profile.agentInterface().endpoint();
    }
}
