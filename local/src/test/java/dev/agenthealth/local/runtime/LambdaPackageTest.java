package dev.agenthealth.local.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.runtime.LambdaPackage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package says something only about the classes that it was made of. */
class LambdaPackageTest {

    @TempDir
    Path root;

    private Path compiled;

    @BeforeEach
    void compile() throws IOException {
        compiled = Files.createDirectories(root.resolve("functions/target/classes/a"));
        Files.createDirectories(root.resolve("shared-model/target/classes"));
        Files.writeString(compiled.resolve("One.class"), "one");
    }

    private void make(String name, String content) throws IOException {
        make(LambdaPackage.WHOLE, name, content);
        make(LambdaPackage.HEARTBEAT, name, content);
    }

    private void make(String jar, String name, String content) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(root.resolve(jar)))) {
            out.putNextEntry(new ZipEntry(name));
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void a_package_of_these_very_classes_is_usable_and_unpacked() throws IOException {
        make("a/One.class", "one");
        LambdaPackage made = new LambdaPackage(root);
        assertThat(made.unusable()).isEmpty();
        Path task = Files.createDirectory(root.resolve("task"));
        made.unpack(LambdaPackage.WHOLE, task);
        assertThat(task.resolve("a/One.class")).hasContent("one");
    }

    @Test
    void a_package_that_is_missing_or_of_other_classes_is_not() throws IOException {
        assertThat(new LambdaPackage(root).unusable())
                .hasValueSatisfying(reason -> assertThat(reason).contains("is missing"));
        make("a/One.class", "another");
        assertThat(new LambdaPackage(root).unusable()).hasValueSatisfying(reason -> assertThat(reason)
                .contains("older than functions/target/classes/a/One.class"));
        make("a/One.class", "one");
        Files.writeString(compiled.resolve("Two.class"), "two");
        assertThat(new LambdaPackage(root).unusable())
                .hasValueSatisfying(reason -> assertThat(reason).contains("a/Two.class"));
    }

    @Test
    void the_package_for_heartbeats_may_hold_a_part_of_the_classes_but_no_other_ones() throws IOException {
        make("a/One.class", "one");
        make(LambdaPackage.HEARTBEAT, "b/Library.class", "library");
        assertThat(new LambdaPackage(root).unusable()).isEmpty();
        make(LambdaPackage.HEARTBEAT, "a/One.class", "another");
        assertThat(new LambdaPackage(root).unusable()).hasValueSatisfying(reason -> assertThat(reason)
                .contains("heartbeat.jar is older than functions/target/classes/a/One.class"));
    }
}
