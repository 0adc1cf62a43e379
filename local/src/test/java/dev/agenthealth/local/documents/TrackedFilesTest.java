package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The repository can be cloned on every platform. Skipped outside of a checkout. */
class TrackedFilesTest {

    /** Characters and endings of a name that Windows refuses, and the names of its devices. */
    private static final Pattern REFUSED = Pattern.compile(
            ".*[\\x00-\\x1f\\x7f<>:\"|?*\\\\].*|.*[. ]|(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?",
            Pattern.DOTALL);

    private static final Pattern DATA_OF_TESTS = Pattern.compile(".*(?:\\.jqwik-database|\\.db|\\.checkpoint|/lock)");

    @Test
    void every_path_is_one_that_windows_accepts() throws IOException, InterruptedException {
        List<String> paths = tracked();
        assertThat(paths).filteredOn(TrackedFilesTest::isRefused).isEmpty();
        assertThat(paths.stream().map(path -> path.toLowerCase(Locale.ROOT))).doesNotHaveDuplicates();
    }

    @Test
    void no_database_of_a_test_is_tracked() throws IOException, InterruptedException {
        assertThat(tracked())
                .filteredOn(path -> DATA_OF_TESTS.matcher(path).matches())
                .isEmpty();
    }

    private static boolean isRefused(String path) {
        return Stream.of(path.split("/")).anyMatch(name -> REFUSED.matcher(name).matches());
    }

    private static List<String> tracked() throws IOException, InterruptedException {
        Path root = ProjectFiles.path("template.yaml").getParent();
        assumeThat(Files.exists(root.resolve(".git"))).isTrue();
        Process git = new ProcessBuilder("git", "ls-files", "-z")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String paths = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).isZero();
        return List.of(paths.split("\0"));
    }
}
