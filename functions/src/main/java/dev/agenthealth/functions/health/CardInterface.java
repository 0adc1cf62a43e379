package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An address in an agent card.
 *
 * @param protocol the protocol of calls to the address; empty for a binding or a tenant that the gateway does not support
 */
public record CardInterface(String url, Optional<A2aProtocol> protocol) {

    private static final String URL = "url";

    /** Returns the addresses in a card of A2A 1.0, 0.3 or both, in the order of the card. Addresses of 1.0 come first. */
    public static List<CardInterface> of(JsonNode card) {
        String version = card.path("protocolVersion").asText();
        List<CardInterface> interfaces = new ArrayList<>();
        for (JsonNode each : card.path("supportedInterfaces")) {
            interfaces.add(
                    of(each, "protocolBinding", each.path("protocolVersion").asText()));
        }
        interfaces.add(of(card, "preferredTransport", version));
        card.path("additionalInterfaces").forEach(each -> interfaces.add(of(each, "transport", version)));
        interfaces.removeIf(each -> each.url().isEmpty());
        return interfaces;
    }

    private static CardInterface of(JsonNode named, String binding, String version) {
        A2aVersion spoken = version.startsWith("1") ? A2aVersion.V1_0 : A2aVersion.V0_3;
        String tenant = named.path("tenant").asText();
        return new CardInterface(
                named.path(URL).asText(),
                WireNamed.find(
                                A2aBinding.class,
                                named.path(binding)
                                        .asText(A2aBinding.DEFAULT.wireName())
                                        .toUpperCase(Locale.ROOT))
                        .filter(found -> tenant.isEmpty() || A2aProtocol.isTenant(tenant))
                        .map(found -> new A2aProtocol(spoken, found, tenant)));
    }

    /** Returns the address to call: the first address with JSON-RPC, otherwise the first with HTTP+JSON. */
    public static Optional<CardInterface> preferred(List<CardInterface> interfaces) {
        return Stream.of(A2aBinding.values())
                .flatMap(binding -> interfaces.stream().filter(each -> each.protocol()
                        .filter(protocol -> protocol.binding() == binding)
                        .isPresent()))
                .findFirst();
    }
}
