package dev.agenthealth.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test names follow one rule in all modules: words with underscores. */
class TestNamesTest {

    private static final Pattern TEST =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Example)\\b");

    /** The next declaration of a method of the class or of a nested one. */
    private static final Pattern METHOD = Pattern.compile(
            "\\n {4,}(?:(?:public|protected|private|static|final) )*(?:<[^>\\n]+> )?[\\w.]+(?:<[^;={}\\n]*?>)?(?:\\[])? (\\w+)\\(");

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:_[a-z0-9]+)*");

    @Test
    void names_of_tests_are_words_with_underscores() throws IOException {
        List<String> names = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (Path source : TestSources.below(ProjectFiles.path("template.yaml").getParent())) {
            String text = Files.readString(source);
            Matcher test = TEST.matcher(text);
            Matcher method = METHOD.matcher(text);
            while (test.find() && method.find(test.end())) {
                names.add(method.group(1));
                if (!NAME.matcher(method.group(1)).matches()) {
                    wrong.add(source.getFileName() + " " + method.group(1));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(names).hasSizeGreaterThan(2_000);
    }
}
