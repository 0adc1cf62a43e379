package dev.agenthealth.local;

import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/**
 * The settings of a local run, read from environment variables.
 *
 * @param options how to run
 * @param generatedKey the administrator's key that was generated for this run; empty when one was given
 */
record RunSettings(LocalOptions options, String generatedKey) {

    private static final int KEY_BYTES = 32;
    private static final int MIN_KEY = 16;
    private static final int MAX_KEY = 256;

    /**
     * Reads {@code AGENT_HEALTH_HOST}, {@code AGENT_HEALTH_PORT}, {@code AGENT_HEALTH_ADMIN_KEY}, {@code
     * AGENT_HEALTH_SWEEP_SECONDS}, {@code AGENT_HEALTH_HEARTBEAT_URL_PORT}, {@code AGENT_HEALTH_DATA_DIR} and {@code AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS}. Without a key, one is
     * generated for a data folder that keeps none.
     *
     * @throws IllegalArgumentException when one of them is invalid; the message names it
     */
    static RunSettings of(Map<String, String> environment, SecureRandom random) {
        String given = environment.getOrDefault("AGENT_HEALTH_ADMIN_KEY", "");
        if (!given.isEmpty() && given.length() < MIN_KEY
                || given.length() > MAX_KEY
                || !given.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "AGENT_HEALTH_ADMIN_KEY must be 16 to 256 visible ASCII characters without a space");
        }
        String generated = given.isEmpty() ? generate(random) : "";
        LocalOptions options = LocalOptions.of(packagedTemplate(), given + generated)
                .host(textOr(environment, "AGENT_HEALTH_HOST", "127.0.0.1"))
                .port(number(environment, "AGENT_HEALTH_PORT", 8080, 0, 65_535))
                .heartbeatUrlPort(number(
                        environment,
                        "AGENT_HEALTH_HEARTBEAT_URL_PORT",
                        LocalOptions.NO_PORT,
                        LocalOptions.NO_PORT,
                        65_535))
                .sweepPeriod(Duration.ofSeconds(number(environment, "AGENT_HEALTH_SWEEP_SECONDS", 5, 1, 60)))
                .dataFolder(Path.of(textOr(environment, "AGENT_HEALTH_DATA_DIR", "")));
        boolean loopback = flag(environment, "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS");
        options = loopback ? options.allowLoopbackEndpoints() : options;
        return new RunSettings(generated.isEmpty() ? options : options.preferKeptKey(), generated);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "RunSettings";
    }

    private static String generate(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Template packagedTemplate() {
        String name = "/template.yaml";
        try (InputStream in = RunSettings.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar");
            }
            return Template.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), name);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read from the jar", e);
        }
    }

    private static int number(Map<String, String> environment, String name, int defaultValue, int min, int max) {
        String text = textOr(environment, name, String.valueOf(defaultValue));
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(range(name, min, max), e);
        }
        throw new IllegalArgumentException(range(name, min, max));
    }

    private static boolean flag(Map<String, String> environment, String name) {
        return switch (textOr(environment, name, "false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " must be true or false");
        };
    }

    private static String range(String name, int min, int max) {
        return name + " must be a whole number from " + min + " to " + max;
    }

    private static String textOr(Map<String, String> environment, String name, String defaultText) {
        String text = environment.getOrDefault(name, "").strip();
        return text.isEmpty() ? defaultText : text;
    }
}
