package dev.agenthealth.functions.contract;

import dev.agenthealth.testkit.ProjectFiles;
import java.nio.file.Path;

/** A part of a file that is made of something else, between two lines that mark it. */
record MarkedText(Path file, String begin, String end) {

    /** What stands there now. */
    String text() {
        String all = ProjectFiles.text(file);
        return all.substring(from(all), to(all));
    }

    /** Puts another text there. */
    void write(String text) {
        String all = ProjectFiles.text(file);
        ProjectFiles.write(file, all.substring(0, from(all)) + text + all.substring(to(all)));
    }

    private int from(String all) {
        int at = all.indexOf(begin + "\n");
        if (at < 0) {
            throw new AssertionError(file + " has no line " + begin);
        }
        return at + begin.length() + 1;
    }

    private int to(String all) {
        int at = all.indexOf(end + "\n", from(all));
        if (at < 0) {
            throw new AssertionError(file + " has no line " + end);
        }
        return at;
    }
}
