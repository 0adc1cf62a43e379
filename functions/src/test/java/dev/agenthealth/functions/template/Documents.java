package dev.agenthealth.functions.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The documents beside the template. */
final class Documents {

    private Documents() {}

    /** A section of a document, from its heading to the next one of the same level. */
    static String section(String document, String heading) {
        String all = read(document);
        int start = all.indexOf("\n" + heading + "\n");
        if (start < 0) {
            throw new AssertionError(document + " has no section " + heading);
        }
        String level = heading.substring(0, heading.indexOf(' ') + 1);
        int end = all.indexOf("\n" + level, start + 1);
        return all.substring(start, end < 0 ? all.length() : end);
    }

    private static String read(String document) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("template.yaml"))) {
                try {
                    return Files.readString(folder.resolve(document));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        throw new AssertionError("no template.yaml here or above");
    }
}
