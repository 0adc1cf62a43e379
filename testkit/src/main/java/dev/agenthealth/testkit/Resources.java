package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Files of the test resources. */
public final class Resources {

    private Resources() {}

    /** Returns the text of a file, such as {@code rfc-0016/registration-request.json}. */
    public static String text(String path) {
        try (InputStream in = Resources.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no test resource " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the JSON of a file. Its timestamps have three digits of milliseconds, like the system's timestamps. */
    public static JsonNode json(String path) {
        return TestJson.read(text(path).replaceAll("(T\\d\\d:\\d\\d:\\d\\d)Z\"", "$1.000Z\""));
    }
}
