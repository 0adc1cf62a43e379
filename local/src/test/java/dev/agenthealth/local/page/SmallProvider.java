package dev.agenthealth.local.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An identity provider with a page that asks for a name and any password, codes with PKCE, and refresh tokens that work once. */
final class SmallProvider implements AutoCloseable {

    static final String CLIENT = "agent-health";

    private static final String PAGE =
            """
            <!doctype html><title>Provider</title><form method=post action="/login?%s">
            <input name=login><input name=password type=password><button type=submit>Sign-in</button></form>""";

    private final HttpServer server;
    private final ECKey key;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();

    /** Refresh tokens that were ended. */
    final BlockingQueue<String> revoked = new LinkedBlockingQueue<>();

    /** How long a token is valid, in seconds. */
    volatile int lifeSeconds = 300;

    SmallProvider() throws IOException {
        try {
            key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, document()));
        server.createContext(
                "/jwks",
                exchange ->
                        answer(exchange, 200, new JWKSet(key).toPublicJWKSet().toString()));
        server.createContext(
                "/authorize",
                exchange -> answer(
                        exchange, 200, PAGE.formatted(exchange.getRequestURI().getRawQuery())));
        server.createContext("/login", this::login);
        server.createContext("/token", this::token);
        server.createContext("/revoke", exchange -> {
            String token = fields(body(exchange)).getOrDefault("token", "");
            answer(exchange, 200, "");
            if (refreshTokens.remove(token) != null) {
                revoked.add(token);
            }
        });
        server.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String document() {
        return Json.text(Json.object()
                .put("issuer", issuer())
                .put("jwks_uri", issuer() + "/jwks")
                .put("authorization_endpoint", issuer() + "/authorize")
                .put("token_endpoint", issuer() + "/token")
                .put("revocation_endpoint", issuer() + "/revoke")
                .put("end_session_endpoint", issuer() + "/session/end"));
    }

    private void login(HttpExchange exchange) throws IOException {
        Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        asked.put("login", fields(body(exchange)).get("login"));
        codes.put(code, asked);
        String back = asked.get("redirect_uri") + "?code=" + code + "&state="
                + URLEncoder.encode(asked.get("state"), StandardCharsets.UTF_8) + "&iss="
                + URLEncoder.encode(issuer(), StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Location", back);
        exchange.sendResponseHeaders(303, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = fields(body(exchange));
        String login = form.get("grant_type").equals("refresh_token")
                ? refreshTokens.remove(form.getOrDefault("refresh_token", ""))
                : ofCode(form);
        if (login == null || !CLIENT.equals(form.get("client_id"))) {
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
            return;
        }
        String refresh = UUID.randomUUID().toString();
        refreshTokens.put(refresh, login);
        ObjectNode tokens = Json.object().put("access_token", token(login)).put("refresh_token", refresh);
        answer(exchange, 200, Json.text(tokens));
    }

    /** The login of the code, which works once and with its verifier only (RFC 7636 §4.6); null for another one. */
    private String ofCode(Map<String, String> form) {
        Map<String, String> asked = codes.remove(form.getOrDefault("code", ""));
        boolean proved = asked != null
                && asked.get("redirect_uri").equals(form.get("redirect_uri"))
                && "S256".equals(asked.get("code_challenge_method"))
                && asked.get("code_challenge").equals(challenge(form.get("code_verifier")));
        return proved ? asked.get("login") : null;
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String token(String login) {
        Instant now = Instant.now();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer())
                        .audience(CLIENT)
                        .subject(login)
                        .claim("preferred_username", login)
                        .claim("groups", List.of(login.equals("ada") ? "platform" : "guests"))
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(lifeSeconds)))
                        .build());
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Map<String, String> fields(String text) {
        return Stream.of(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0],
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (first, last) -> last,
                        ConcurrentHashMap::new));
    }

    private static void answer(HttpExchange exchange, int status, String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .add("Content-Type", text.startsWith("<") ? "text/html; charset=utf-8" : "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
