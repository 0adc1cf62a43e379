package dev.agenthealth.functions.operations.signin;

import static dev.agenthealth.functions.api.access.Access.PUBLIC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.identity.IdentityProviders;
import dev.agenthealth.functions.api.identity.ProviderMetadata;
import dev.agenthealth.functions.api.identity.TokenVerifier;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.IdentityProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The routes for the sign-in of people. They pass requests on to the provider, so that the page needs no other origin. Thread-safe. */
public final class SignInRoutes {

    private static final String SIGN_IN = "/api/v1/sign-in";
    private static final int MAX_TEXT = 8 * 1024;
    private static final int MAX_ERROR = 200;

    private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

    /** The parameters of each grant. The first parameter identifies the grant (RFC 6749 §4.1.3 and §6, RFC 7636 §4.5, RFC 8628 §3.4). */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "authorization_code", List.of("code", "code_verifier", "redirect_uri"),
            "refresh_token", List.of("refresh_token"),
            "device_code", List.of("device_code"));

    private final Supplier<IdentityProviders> providers;
    private final Clock clock;
    private final ProviderPlaces places;
    private final Executor executor;

    /** @param providers returns the providers at their first use */
    public SignInRoutes(Wiring wiring, Supplier<IdentityProviders> providers) {
        this.providers = providers;
        this.clock = wiring.clock();
        this.places = wiring.process().shared(ProviderPlaces.class, ProviderPlaces::new);
        this.executor =
                wiring.storageMeter().propagating(Executors.newCachedThreadPool(DaemonThreads.named("sign-in")));
    }

    public void addTo(Routes routes) {
        routes.on("GET " + SIGN_IN, PUBLIC, this::list, Route.Option.ALSO_HEAD)
                .on("POST " + SIGN_IN + "/{name}/token", PUBLIC, this::token)
                .on("POST " + SIGN_IN + "/{name}/device", PUBLIC, this::device)
                .on("POST " + SIGN_IN + "/{name}/revoke", PUBLIC, this::revoke);
    }

    /** {@code GET …}: lists the providers for the sign-in of people. A provider that does not answer has no addresses. */
    private ApiResponse list(ApiRequest request) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("providers");
        List<IdentityProvider> ofPeople = providers.get().all().stream()
                .filter(provider -> !provider.clientId().isEmpty())
                .toList();
        Waiting.onAll(ofPeople, this::shown, executor).forEach(array::add);
        return ApiResponse.json(200, json).with("Cache-Control", "public, max-age=60");
    }

    private ObjectNode shown(IdentityProvider provider) {
        ObjectNode json = Json.object()
                .put("name", provider.name())
                .put("issuer", provider.issuer())
                .put("client_id", provider.clientId())
                .put("scopes", provider.scopes());
        Optional<ProviderMetadata> found = metadataIfAny(provider);
        found.ifPresent(metadata -> {
            putUrl(json, "authorization_endpoint", metadata.authorizationEndpoint());
            putUrl(json, "end_session_endpoint", metadata.endSessionEndpoint());
        });
        return json.put(
                "device",
                found.filter(metadata -> !metadata.deviceEndpoint().isEmpty()).isPresent());
    }

    private static void putUrl(ObjectNode json, String name, String url) {
        if (!url.isEmpty()) {
            json.put(name, url);
        }
    }

    private Optional<ProviderMetadata> metadataIfAny(IdentityProvider provider) {
        try {
            return Optional.of(providers.get().metadata(provider));
        } catch (ApiError unavailable) {
            return Optional.empty();
        }
    }

    /** {@code POST …/{name}/token}: exchanges a code, a refresh token or a device code for a token of the API. */
    private ApiResponse token(ApiRequest request) {
        IdentityProvider provider = provider(request);
        Fields body = request.fields();
        body.require("grant_type");
        String grant = body.oneOf("grant_type", "authorization_code", "refresh_token", "device_code")
                .orElse("");
        Map<String, String> form = new TreeMap<>();
        FIELDS.getOrDefault(grant, List.of()).forEach(field -> {
            body.require(field);
            form.put(field, body.text(field, MAX_TEXT));
        });
        body.refuseUnknown();
        body.check();
        form.put("grant_type", grant.equals("device_code") ? DEVICE_GRANT : grant);
        JsonNode answer =
                ask(request, provider, providers.get().metadata(provider).tokenEndpoint(), form);
        return ApiResponse.json(200, answered(provider, answer));
    }

    /** Returns the access token if the API accepts it, else the id token. Access tokens of some providers are only for the provider itself. */
    private ObjectNode answered(IdentityProvider provider, JsonNode answer) {
        TokenVerifier verifier = new TokenVerifier(providers.get(), clock);
        String token = verifier.preferred(
                        provider,
                        answer.path("access_token").asText(""),
                        answer.path("id_token").asText(""))
                .orElseThrow(() -> refused("The identity provider gave no token that the registry accepts.", ""));
        Duration left = Duration.between(clock.instant(), verifier.end(token));
        ObjectNode json = Json.object().put("token", token).put("expires_in", Math.max(0, left.toSeconds()));
        if (answer.path("refresh_token").isTextual()) {
            json.set("refresh_token", answer.get("refresh_token"));
        }
        return json;
    }

    /** {@code POST …/{name}/device}: begins the device flow (RFC 8628 §3.1). */
    private ApiResponse device(ApiRequest request) {
        IdentityProvider provider = provider(request);
        Fields body = request.optionalFields();
        body.refuseUnknown();
        body.check();
        Map<String, String> form = new TreeMap<>(Map.of("scope", provider.scopes()));
        JsonNode answer =
                ask(request, provider, providers.get().metadata(provider).deviceEndpoint(), form);
        if (!answer.path("device_code").isTextual()) {
            throw refused("The identity provider gave no device code.", "");
        }
        ObjectNode json = Json.object();
        List.of("device_code", "user_code", "verification_uri", "verification_uri_complete")
                .forEach(name -> {
                    if (answer.path(name).isTextual()) {
                        json.set(name, answer.get(name));
                    }
                });
        json.put("expires_in", answer.path("expires_in").asInt(0));
        return ApiResponse.json(
                200, json.put("interval", answer.path("interval").asInt(5)));
    }

    /** {@code POST …/{name}/revoke}: ends a token at the provider, if it offers that (RFC 7009 §2.1). */
    private ApiResponse revoke(ApiRequest request) {
        IdentityProvider provider = provider(request);
        Fields body = request.fields();
        body.require("token");
        Map<String, String> form = new TreeMap<>(Map.of("token", body.text("token", MAX_TEXT)));
        body.refuseUnknown();
        body.check();
        String endpoint = providers.get().metadata(provider).revocationEndpoint();
        if (!endpoint.isEmpty()) {
            ask(request, provider, endpoint, form);
        }
        return ApiResponse.json(200, Json.object().put("revoked", !endpoint.isEmpty()));
    }

    private IdentityProvider provider(ApiRequest request) {
        String name = request.pathId("name");
        return providers
                .get()
                .find(provider ->
                        provider.name().equals(name) && !provider.clientId().isEmpty())
                .orElseThrow(() -> ApiError.notFound(
                        "identity_provider_not_found",
                        "People do not sign in by an identity provider '" + name + "'."));
    }

    private JsonNode ask(ApiRequest request, IdentityProvider provider, String endpoint, Map<String, String> form) {
        if (endpoint.isEmpty()) {
            throw refused("The identity provider does not offer this kind of sign-in.", "");
        }
        form.put("client_id", provider.clientId());
        JsonNode answer =
                places.in(request.address(), () -> providers.get().client().post(endpoint, form));
        if (answer.has("error")) {
            String error = answer.path("error").asText("");
            throw refused(
                    "The identity provider refuses: "
                            + limited(answer.path("error_description").asText(error)),
                    error);
        }
        return answer;
    }

    /** @param error the provider's code, by which a waiting device differs from a refused one; may be empty */
    private static ApiError refused(String detail, String error) {
        ApiError refused = ApiError.ofCall(400, "sign_in_refused", detail);
        return error.isEmpty() ? refused : refused.with("provider_error", limited(error));
    }

    private static String limited(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > MAX_ERROR ? clean.substring(0, MAX_ERROR) : clean;
    }
}
