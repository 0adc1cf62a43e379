package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A sign-in through the browser, which brings the code to an address of this machine (RFC 8252 §7.3), with PKCE (RFC 7636). */
final class BrowserSignIn implements AutoCloseable {

    private static final int LIMIT_MINUTES = 5;
    private static final String PATH = "/callback";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final JsonNode provider;
    private final String state = random();
    private final String verifier = random();
    private final CompletableFuture<String> code = new CompletableFuture<>();
    private final HttpServer server;

    /** @param provider the provider in the registry's list */
    BrowserSignIn(JsonNode provider) {
        this.provider = provider;
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        } catch (IOException e) {
            throw new CommandFailedException("No port of this machine is free for the answer of the browser.", e);
        }
        server.createContext(PATH, this::answer);
        server.start();
    }

    private static String random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return BASE64.encodeToString(bytes);
    }

    /** Returns the URL at which the person signs in. */
    String address() {
        String endpoint = provider.path("authorization_endpoint").asText();
        return endpoint + (endpoint.contains("?") ? "&" : "?") + "response_type=code"
                + parameter("client_id", provider.path("client_id").asText())
                + parameter("redirect_uri", redirect())
                + parameter("scope", provider.path("scopes").asText())
                + parameter("state", state)
                + parameter("code_challenge", challenge())
                + "&code_challenge_method=S256";
    }

    /**
     * Waits for the browser and returns the parameters for a token.
     *
     * @throws CommandFailedException if the provider refuses, or nobody signs in within 5 minutes
     */
    Map<String, String> grant() {
        try {
            String received = code.get(LIMIT_MINUTES, TimeUnit.MINUTES);
            return Map.of(
                    "grant_type",
                    "authorization_code",
                    "code",
                    received,
                    "code_verifier",
                    verifier,
                    "redirect_uri",
                    redirect());
        } catch (TimeoutException e) {
            throw new CommandFailedException("No one signed in within " + LIMIT_MINUTES + " minutes.", e);
        } catch (ExecutionException e) {
            throw new CommandFailedException(
                    "The identity provider refuses: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    private String redirect() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
    }

    private String challenge() {
        try {
            byte[] ascii = verifier.getBytes(StandardCharsets.US_ASCII);
            return BASE64.encodeToString(MessageDigest.getInstance("SHA-256").digest(ascii));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String parameter(String name, String value) {
        return "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String issuer = provider.path("issuer").asText();
        // Any page of the browser can send a request here, but only the provider knows the state. Its answer also names
        // the provider (RFC 9207).
        boolean mine = state.equals(query.get("state"))
                && query.getOrDefault("iss", issuer).equals(issuer)
                && (query.containsKey("code") || query.containsKey("error"));
        byte[] page = (mine
                        ? "Go back to the terminal: this page can be closed."
                        : "The terminal waits for another sign-in.")
                .getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(mine ? 200 : 400, page.length);
        exchange.getResponseBody().write(page);
        exchange.close();
        if (mine && query.containsKey("code")) {
            code.complete(query.get("code"));
        } else if (mine) {
            String error = query.get("error");
            code.completeExceptionally(new IOException(query.getOrDefault("error_description", error)));
        }
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
