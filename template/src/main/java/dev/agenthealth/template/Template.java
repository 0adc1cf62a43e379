package dev.agenthealth.template;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A SAM template as written. {@link #stack} resolves it for a deployment. Immutable. */
public final class Template {

    private static final String FILE_NAME = "template.yaml";

    private final Map<String, Object> document;

    private Template(Map<String, Object> document) {
        this.document = document;
    }

    /**
     * Reads the template in a file.
     *
     * @throws TemplateException if the file cannot be read or is not a template within the reader's bounds
     */
    public static Template read(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return parse(text(file), file.toString(), name -> text(folder.resolve(name)));
    }

    /**
     * Reads {@code template.yaml} in the working directory or in the nearest folder above it, since tests run in the folders of their
     * modules.
     *
     * @throws TemplateException if the file does not exist or cannot be read
     */
    public static Template find() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(FILE_NAME);
            if (Files.isRegularFile(file)) {
                return read(file);
            }
        }
        throw new TemplateException("no " + FILE_NAME + " in " + start + " or above");
    }

    /**
     * Reads a template that includes no file from text.
     *
     * @param origin the source of the text, for error messages
     * @throws TemplateException if the text is not a template within the reader's bounds, or includes a file
     */
    public static Template parse(String text, String origin) {
        return parse(text, origin, name -> {
            throw new TemplateException(origin + ": includes " + name);
        });
    }

    /**
     * Reads a template from text, with the files that it includes by {@code AWS::Include} in their places, as CloudFormation does.
     *
     * @param origin the source of the text, for error messages
     * @param files returns the text of a file by its path relative to the template
     * @throws TemplateException if the text is not a template within the reader's bounds
     */
    public static Template parse(String text, String origin, UnaryOperator<String> files) {
        return of(new Includes(files).in(YamlDocument.read(text, origin)), origin);
    }

    /**
     * Returns the template of a document with all its files, such as {@link #document} returned it.
     *
     * @param origin the source of the document, for error messages
     * @throws TemplateException if the document has no resources
     */
    public static Template of(Map<String, Object> document, String origin) {
        if (!(document.get("Resources") instanceof Map<?, ?>)) {
            throw new TemplateException(origin + ": has no Resources");
        }
        return new Template(document);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TemplateException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the whole template as written, for tests of parts that {@link Stack} does not cover. It consists of maps, lists and scalars,
     * with CloudFormation's short tags in their long form ({@code {"Fn::GetAtt": ["A", "B"]}}). Unmodifiable.
     */
    public Map<String, Object> document() {
        return Collections.unmodifiableMap(document);
    }

    /**
     * Returns the template resolved for one deployment. Values are resolved on use: a missing parameter is an error only on its use.
     *
     * @throws TemplateException if the resolution gives a value for a parameter that the template does not declare
     */
    public Stack stack(Resolution resolution) {
        return new Stack(document, resolution);
    }

    /** Returns the logical ids of the resources of a type, in the template's order. */
    public List<String> resourcesOfType(String type) {
        Section resources = new Section("template", document).child("Resources");
        return resources.values().keySet().stream()
                .filter(id -> resources.child(id).text("Type").equals(type))
                .toList();
    }

    /** Returns true if the template has a parameter of this name. */
    public boolean declaresParameter(String name) {
        return new Section("template", document).child("Parameters").values().containsKey(name);
    }
}
