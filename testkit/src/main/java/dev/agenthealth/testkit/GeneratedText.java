package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/**
 * A generated file of the project, or a generated part between two lines of a file. {@link #COMMAND} runs the tests with the tag {@link
 * #TAG}, which write it. Without {@code -Dwrite}, these tests compare it.
 */
public final class GeneratedText {

    /** The command that writes every generated text. */
    public static final String COMMAND = "mvn verify -Dwrite";

    /** The tag of the tests that write generated texts. */
    public static final String TAG = "generated";

    private static final String SWITCH = "write";
    private static final String RELEASE = "release";

    private final Path file;
    private final String begin;
    private final String end;

    private GeneratedText(String file, String begin, String end) {
        this.file = ProjectFiles.path(file);
        this.begin = begin;
        this.end = end;
    }

    /** Returns a file that is generated as a whole, such as {@code docs/decisions.md}. */
    public static GeneratedText of(String file) {
        return new GeneratedText(file, "", "");
    }

    /** Returns the part of a file between the first line equal to {@code begin} and the next line equal to {@code end}. */
    public static GeneratedText between(String file, String begin, String end) {
        return new GeneratedText(file, begin, end);
    }

    /** Returns true if this run writes generated texts. */
    public static boolean isWritten() {
        return System.getProperty(SWITCH) != null;
    }

    /** Returns true if this run also writes texts that are frozen with a release, with {@code -Dwrite=release}. */
    public static boolean isReleased() {
        return RELEASE.equals(System.getProperty(SWITCH));
    }

    /** Returns the current text of the file. */
    public String text() {
        String all = ProjectFiles.text(file);
        return all.substring(from(all), to(all));
    }

    /**
     * Writes the text if this run writes, and compares it with the file.
     *
     * @throws AssertionError if they differ; the message names the command
     */
    public void check(String text) {
        if (isWritten()) {
            String all = ProjectFiles.text(file);
            ProjectFiles.write(file, all.substring(0, from(all)) + text + all.substring(to(all)));
        }
        assertThat(text()).as(hint()).isEqualTo(text);
    }

    /** Returns the description of a failure: the file is out of date, and the command that writes it. */
    public String hint() {
        return file.getFileName() + " is out of date: run " + COMMAND;
    }

    private int from(String all) {
        return begin.isEmpty() ? 0 : after(all, begin, 0) + begin.length() + 1;
    }

    private int to(String all) {
        return end.isEmpty() ? all.length() : after(all, end, from(all));
    }

    private int after(String all, String line, int from) {
        int at = all.indexOf(line + "\n", from);
        if (at < 0) {
            throw new AssertionError(file + " has no line " + line);
        }
        return at;
    }
}
