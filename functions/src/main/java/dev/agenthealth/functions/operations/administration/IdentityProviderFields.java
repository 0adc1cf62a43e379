package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.identity.SigningKeys;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule.Verdict;
import dev.agenthealth.model.identity.Grant;
import dev.agenthealth.model.identity.IdentityProvider;
import dev.agenthealth.model.identity.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The JSON form of an identity provider. */
final class IdentityProviderFields {

    private static final int MAX_URL = 2_048;
    private static final int MAX_AUDIENCES = 10;
    private static final int MAX_TEXT = 1_000;
    private static final int MAX_CLAIM = 200;
    private static final int MAX_GRANTS = 100;
    private static final int MAX_IDS = 100;
    private static final int MAX_JWKS_BYTES = 64 * 1024;

    private static final String DEFAULT_SCOPES = "openid profile email";
    private static final List<String> DEFAULT_ALGORITHMS = List.of("RS256", "ES256");

    private static final String AUDIENCES = "audiences";
    private static final String ALGORITHMS = "algorithms";
    private static final String TRUST_DOMAIN = "trust_domain";
    private static final String ROLE_IDS = "role_ids";
    private static final String PROVIDER_IDS = "provider_ids";
    private static final String OWNER = "owner";

    private IdentityProviderFields() {}

    /** Reads a provider that replaces an earlier one, and records the errors of its fields. */
    static IdentityProvider read(
            String name, Fields body, Optional<IdentityProvider> before, AddressCheck addresses, Instant now) {
        String jwks = jwks(body);
        String scopes = body.text("scopes", MAX_TEXT);
        String issuer = issuer(body, !jwks.isEmpty(), addresses);
        List<String> audiences = atLeastOne(body, AUDIENCES, body.texts(AUDIENCES, MAX_AUDIENCES, MAX_TEXT));
        String clientId = body.text("client_id", MAX_TEXT);
        return new IdentityProvider(
                name,
                new IdentityProvider.AcceptedTokens(issuer, audiences, algorithms(body), jwks, trustDomain(body)),
                new IdentityProvider.SignIn(clientId, scopes.isEmpty() ? DEFAULT_SCOPES : scopes),
                atLeastOne(body, "grants", grants(body)),
                before.map(IdentityProvider::createdAt).orElse(now),
                before.map(IdentityProvider::version).orElse(0L) + 1);
    }

    /** Returns the public keys. Private keys, which a set may contain by mistake, are not stored. */
    private static String jwks(Fields body) {
        Optional<SigningKeys> keys = body.opaqueObject("jwks", MAX_JWKS_BYTES).flatMap(SigningKeys::of);
        if (body.has("jwks") && keys.filter(found -> !found.keys().isEmpty()).isEmpty()) {
            body.refuse("jwks", "must be a JSON Web Key Set with a public key that can verify signatures");
        }
        return keys.map(SigningKeys::json).orElse("");
    }

    private static String issuer(Fields body, boolean hasKeys, AddressCheck addresses) {
        body.require("issuer");
        String issuer = body.text("issuer", MAX_URL);
        if (issuer.isEmpty()) {
            return issuer;
        }
        Optional<Endpoint> endpoint = Endpoint.of(issuer).filter(found -> !issuer.contains("?"));
        if (endpoint.isEmpty()) {
            body.refuse("issuer", "must be an absolute https URL without credentials, query and fragment");
            return issuer;
        }
        Verdict verdict = addresses.judge(endpoint.get());
        if (verdict == Verdict.INSECURE) {
            body.refuse("issuer", "must be an https URL" + AddressCheck.remedy(endpoint.get()));
        } else if (verdict == Verdict.FORBIDDEN && !hasKeys) {
            body.refuse(
                    "issuer",
                    "must lead to a public address, unless jwks has the keys" + AddressCheck.remedy(endpoint.get()));
        }
        return issuer;
    }

    private static String trustDomain(Fields body) {
        String domain = body.text(TRUST_DOMAIN, IdentityProvider.AcceptedTokens.MAX_TRUST_DOMAIN);
        refuseIf(
                !domain.isEmpty() && !IdentityProvider.AcceptedTokens.isTrustDomain(domain),
                body,
                TRUST_DOMAIN,
                "must have lower-case letters, digits, dots, hyphens and underscores, such as example.org");
        return domain;
    }

    private static List<String> algorithms(Fields body) {
        List<String> algorithms = body.words(
                ALGORITHMS,
                IdentityProvider.ALGORITHMS.size(),
                MAX_CLAIM,
                name -> IdentityProvider.ALGORITHMS.contains(name)
                        ? Optional.empty()
                        : Optional.of("must be one of " + String.join(", ", IdentityProvider.ALGORITHMS)));
        return algorithms.isEmpty() ? DEFAULT_ALGORITHMS : algorithms;
    }

    private static <T> List<T> atLeastOne(Fields body, String field, List<T> values) {
        if (values.isEmpty()) {
            body.refuse(field, "must have at least one entry");
        }
        return values;
    }

    private static List<Grant> grants(Fields body) {
        return body.objects("grants", MAX_GRANTS).stream()
                .map(IdentityProviderFields::grant)
                .toList();
    }

    private static Grant grant(Fields fields) {
        List.of("claim", "value", "role").forEach(fields::require);
        Role role = fields.oneOf("role", Role.class).orElse(Role.VIEWER);
        boolean workload = role == Role.AGENT;
        if (workload) {
            fields.require(OWNER);
        }
        refuseIf(!workload && fields.has(OWNER), fields, OWNER, "is for the role agent alone");
        refuseIf(!workload && fields.has(PROVIDER_IDS), fields, PROVIDER_IDS, "is for the role agent alone");
        refuseIf(
                fields.has(ROLE_IDS) && role != Role.COORDINATOR && role != Role.VIEWER,
                fields,
                ROLE_IDS,
                "is for the roles coordinator and viewer alone");
        Set<String> roleIds = ids(fields, ROLE_IDS);
        refuseIf(
                fields.has(ROLE_IDS) && roleIds.isEmpty(),
                fields,
                ROLE_IDS,
                "must name at least one role; without the field, the grant is for all roles");
        String owner = fields.id(OWNER);
        refuseIf(
                owner.length() > Grant.MAX_OWNER, fields, OWNER, "may have at most " + Grant.MAX_OWNER + " characters");
        Grant grant = new Grant(
                fields.text("claim", MAX_CLAIM),
                fields.text("value", MAX_TEXT),
                role,
                roleIds,
                owner,
                ids(fields, PROVIDER_IDS));
        fields.refuseUnknown();
        return grant;
    }

    private static void refuseIf(boolean wrong, Fields fields, String field, String rule) {
        if (wrong) {
            fields.refuse(field, rule);
        }
    }

    private static Set<String> ids(Fields fields, String field) {
        return Set.copyOf(fields.ids(field, MAX_IDS));
    }

    /** Shows a provider. None of its fields is secret. */
    static ObjectNode shown(IdentityProvider provider) {
        ObjectNode json = Json.object().put("name", provider.name()).put("issuer", provider.issuer());
        provider.audiences().forEach(json.putArray(AUDIENCES)::add);
        putUnlessEmpty(json, "client_id", provider.clientId());
        json.put("scopes", provider.scopes());
        provider.algorithms().forEach(json.putArray(ALGORITHMS)::add);
        if (!provider.jwks().isEmpty()) {
            json.set("jwks", Json.stored(provider.jwks()));
        }
        putUnlessEmpty(json, TRUST_DOMAIN, provider.trustDomain());
        ArrayNode grants = json.putArray("grants");
        provider.grants().forEach(grant -> put(grants.addObject(), grant));
        json.put("created_at", Timestamps.text(provider.createdAt()));
        return json;
    }

    private static void put(ObjectNode json, Grant grant) {
        json.put("claim", grant.claim()).put("value", grant.value());
        json.put("role", grant.role().wireName());
        putUnlessEmpty(json, ROLE_IDS, grant.roleIds());
        putUnlessEmpty(json, OWNER, grant.owner());
        putUnlessEmpty(json, PROVIDER_IDS, grant.providerIds());
    }

    private static void putUnlessEmpty(ObjectNode json, String name, String text) {
        if (!text.isEmpty()) {
            json.put(name, text);
        }
    }

    private static void putUnlessEmpty(ObjectNode json, String name, Set<String> ids) {
        if (!ids.isEmpty()) {
            ids.stream().sorted().forEach(json.putArray(name)::add);
        }
    }
}
