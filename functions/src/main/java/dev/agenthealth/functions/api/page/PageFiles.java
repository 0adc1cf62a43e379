package dev.agenthealth.functions.api.page;

import dev.agenthealth.functions.runtime.http.EntityTag;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of the page, read from the class path on the first use. Immutable. */
final class PageFiles {

    private static final String FOLDER = "/page/";
    private static final String INDEX = "index.html";
    private static final String VERSION = "@version@";

    private static final List<String> NAMES = List.of(
            "app.js",
            "api.js",
            "events.js",
            "feed.js",
            "filters.js",
            "format.js",
            "parts.js",
            "overview.js",
            "agents.js",
            "agent.js",
            "actions.js",
            "administration.js",
            "availability.js",
            "calls.js",
            "chart.js",
            "configuration.js",
            "form.js",
            "keys.js",
            "notifications.js",
            "history.js",
            "pools.js",
            "problems.js",
            "providers.js",
            "registry.js",
            "search.js",
            "signin.js",
            "silences.js",
            "stops.js",
            "containment.js",
            "waiting.js",
            "audit.js",
            "sources.js",
            "statuspage.js",
            "snippets.js",
            "trends.js",
            "trust.js",
            "usage.js",
            "versions.js",
            "welcome.js",
            "workflows.js",
            "style.css",
            "icon.svg",
            "icon-alert.svg",
            "lit-html.js",
            "uPlot.iife.min.js",
            "uPlot.min.css");

    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private static final PageFiles OF_CLASS_PATH = new PageFiles();

    private final Map<String, File> files = new LinkedHashMap<>();
    private final String version;
    private final File index;

    /** A file with its media type. */
    record File(String type, String content, EntityTag tag) {}

    private PageFiles() {
        StringBuilder all = new StringBuilder();
        for (String name : NAMES) {
            String content = read(name);
            all.append(content);
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            files.put(name, new File(type, content, EntityTag.of(content)));
        }
        version = EntityTag.of(all.toString()).fingerprint();
        String html = read(INDEX).replace(VERSION, version);
        index = new File("text/html; charset=utf-8", html, EntityTag.of(html));
    }

    /** Returns the files of this version of the program. */
    static PageFiles ofClassPath() {
        return OF_CLASS_PATH;
    }

    /** Returns the document that names all other files with their version. */
    File index() {
        return index;
    }

    /** Returns the version of these files, which changes with every change of a file. */
    String version() {
        return version;
    }

    /** Returns the file with this name, if it exists. */
    Optional<File> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    private static String read(String name) {
        try (InputStream file = PageFiles.class.getResourceAsStream(FOLDER + name)) {
            if (file == null) {
                throw new IllegalStateException("the page's file " + name + " is missing: build the module page");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
