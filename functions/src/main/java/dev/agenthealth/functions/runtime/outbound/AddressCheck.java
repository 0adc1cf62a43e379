package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.address.IpAddress;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.gateway.EndpointRule.Verdict;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves the host of an endpoint once and checks every address. The call goes to these addresses, even if the name leads elsewhere a moment
 * later. Thread-safe.
 */
public final class AddressCheck {

    /** The maximum duration of a resolution: a resolver that hangs must not use up the timeout of the call. */
    private static final Duration MAX_RESOLUTION = Duration.ofSeconds(3);

    private final EndpointRule rule;
    private final NameResolver resolver;
    private final ExecutorService resolutions = Executors.newCachedThreadPool(DaemonThreads.named("resolution"));

    public AddressCheck(EndpointRule rule, NameResolver resolver) {
        this.rule = rule;
        this.resolver = resolver;
    }

    /** Returns the check of this installation. It allows public addresses only, and addresses of this machine if a local run allows them. */
    public static AddressCheck of(Wiring wiring, NameResolver resolver) {
        return new AddressCheck(new EndpointRule(wiring.get(FunctionSettings.ALLOW_LOOPBACK_ENDPOINTS)), resolver);
    }

    /** Applies the rule to an endpoint, as far as possible without resolving its name. */
    public Verdict judge(Endpoint endpoint) {
        return rule.judge(endpoint);
    }

    /**
     * Returns the end of a message that refuses an endpoint: for an address of this machine, the option that allows it; otherwise empty. The
     * option exists on one machine only, and a deployed registry says so.
     */
    public static String remedy(Endpoint endpoint) {
        return endpoint.isLoopback() ? "; " + EndpointRule.LOOPBACK_OPTION : "";
    }

    /** Returns whether the endpoint may be called, as far as that is known without resolving its name. */
    public boolean mayBeCalled(Endpoint endpoint) {
        return judge(endpoint) == Verdict.ALLOWED;
    }

    /**
     * Returns the destination of a call.
     *
     * @throws CallFailedException if an address must not be called, or the host has no address or is not resolved in time
     */
    public Destination destination(Endpoint endpoint, Duration timeout) {
        if (!mayBeCalled(endpoint)) {
            throw new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED);
        }
        List<InetAddress> addresses;
        try {
            addresses = addresses(endpoint.host(), timeout);
        } catch (UnknownHostException e) {
            throw new CallFailedException(InvocationFailure.UNKNOWN_HOST);
        } catch (TimeoutException e) {
            throw new CallFailedException(InvocationFailure.CONNECT_TIMEOUT);
        }
        List<IpAddress> all = addresses.stream()
                .map(address -> IpAddress.of(address.getAddress()))
                .toList();
        if (rule.judge(endpoint, all) != Verdict.ALLOWED) {
            throw new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED);
        }
        List<InetAddress> ordered = new ArrayList<>(addresses);
        // IPv4 first: a Lambda function may have no IPv6 route.
        ordered.sort(Comparator.comparingInt(address -> address.getAddress().length));
        return new Destination(endpoint, ordered);
    }

    private List<InetAddress> addresses(Endpoint.Host host, Duration timeout)
            throws UnknownHostException, TimeoutException {
        if (host instanceof Endpoint.Host.Literal literal) {
            return List.of(InetAddress.getByAddress(literal.address().bytes()));
        }
        Duration patience = timeout.compareTo(MAX_RESOLUTION) < 0 ? timeout : MAX_RESOLUTION;
        Future<List<InetAddress>> resolution = resolutions.submit(() -> resolver.resolve(host.text()));
        try {
            List<InetAddress> addresses = resolution.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (addresses.isEmpty()) {
                throw new UnknownHostException();
            }
            return addresses;
        } catch (ExecutionException e) {
            throw new UnknownHostException();
        } catch (TimeoutException e) {
            resolution.cancel(true);
            throw e;
        } catch (InterruptedException e) {
            resolution.cancel(true);
            Thread.currentThread().interrupt();
            throw new UnknownHostException();
        }
    }
}
