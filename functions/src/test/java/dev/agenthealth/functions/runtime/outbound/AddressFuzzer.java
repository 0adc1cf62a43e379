package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.address.IpAddress;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.identity.AgentUri;
import dev.agenthealth.model.identity.HostName;
import dev.agenthealth.model.identity.Ids;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Addresses of agents, blocks of addresses, host names and ids of agents. */
public final class AddressFuzzer {

    private static final AddressCheck CHECK =
            AddressCheck.of(Wiring.of(Map.of()).build(), host -> List.of());

    private AddressFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        Endpoint.of(text).ifPresent(endpoint -> {
            String again = (endpoint.secure() ? "https://" : "http://") + endpoint.authority() + endpoint.target();
            assertThat(Endpoint.of(again)).contains(endpoint);
            CHECK.judge(endpoint);
        });
        AddressBlock.of(text);
        IpAddress.ofIpv4(text);
        IpAddress.ofIpv6(text);
        AgentUri.isValid(text);
        Ids.isValid(text);
        HostName.isValid(HostName.normalized(text));
    }
}
