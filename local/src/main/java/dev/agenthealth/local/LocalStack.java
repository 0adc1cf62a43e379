package dev.agenthealth.local;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Resolves the template for this machine: its parameters and the addresses of its APIs. */
final class LocalStack {

    private static final String HTTP_API = "AWS::Serverless::HttpApi";
    private static final String FUNCTION_URL = "AWS::Lambda::Url";

    /** Half of these requests may wait for agents, each in a thread of the server. */
    private static final String ACCOUNT_CONCURRENCY = "512";

    private LocalStack() {}

    /**
     * @param administratorKey the hash of the administrator's key
     * @param baseUrl the URL of the HTTP API
     * @param heartbeatUrl the URL of the heartbeat function; empty without such a URL
     */
    static Stack of(Template template, KeyHash administratorKey, String baseUrl, Optional<String> heartbeatUrl) {
        Resolution resolution = Resolution.local();
        resolution = with(template, resolution, "AdminKeySha256", administratorKey.hex());
        resolution = with(template, resolution, "EventTools", "true");
        resolution = with(template, resolution, "AccountConcurrency", ACCOUNT_CONCURRENCY);
        for (String api : template.resourcesOfType(HTTP_API)) {
            resolution = resolution.withAttribute(api, "ApiEndpoint", baseUrl);
        }
        if (heartbeatUrl.isPresent()) {
            resolution = with(template, resolution, "HeartbeatFunctionUrl", "true");
            for (String url : template.resourcesOfType(FUNCTION_URL)) {
                resolution = resolution.withAttribute(url, "FunctionUrl", heartbeatUrl.get() + "/");
            }
        }
        return template.stack(resolution);
    }

    /** Returns the URL of the API. Its host is {@code localhost} for a loopback address and for all addresses. */
    static String baseUrl(String host, int port) {
        String name = host;
        try {
            InetAddress address = InetAddress.getByName(host);
            if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
                name = "localhost";
            } else if (host.contains(":")) {
                name = "[" + host + "]";
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("unknown host " + host, e);
        }
        return "http://" + name + ":" + port;
    }

    private static Resolution with(Template template, Resolution resolution, String parameter, String value) {
        return template.declaresParameter(parameter) ? resolution.withParameter(parameter, value) : resolution;
    }
}
