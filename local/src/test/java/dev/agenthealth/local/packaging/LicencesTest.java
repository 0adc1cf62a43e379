package dev.agenthealth.local.packaging;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The licences of the libraries in the archive permit redistribution, and their texts are in the archive. */
class LicencesTest {

    /** Written by the build from the poms of all libraries at run time. */
    private static final Path NOTICES = Path.of("target/THIRD-PARTY-NOTICES.txt");

    private static final Path TEXTS = Path.of("src/dist/licenses");

    /** The SPDX identifiers of the names that poms have. Only licences that permit redistribution belong here. */
    private static final Map<String, String> PERMITTED = Map.ofEntries(
            entry("Apache-2.0", "Apache-2.0"),
            entry("Apache 2.0", "Apache-2.0"),
            entry("Apache License, Version 2.0", "Apache-2.0"),
            entry("The Apache License, Version 2.0", "Apache-2.0"),
            entry("The Apache Software License, Version 2.0", "Apache-2.0"),
            entry("The Apache Software License, version 2.0", "Apache-2.0"),
            entry("BSD-2-Clause", "BSD-2-Clause"),
            entry("BSD-3-Clause", "BSD-3-Clause"),
            entry("CDDL-1.1", "CDDL-1.1"),
            entry("EDL 1.0", "EDL-1.0"),
            entry("EPL 2.0", "EPL-2.0"),
            entry("EPL-2.0", "EPL-2.0"),
            entry("MIT", "MIT"),
            entry("MIT License", "MIT"),
            entry("MIT-0", "MIT-0"),
            entry("MPL-2.0", "MPL-2.0"));

    /** A licence that some libraries offer to choose instead of others; it is not chosen. */
    private static final String NOT_CHOSEN = "GPL2 w/ CPE";

    /** Licences whose text names the authors: each group of libraries has one of its own. */
    private static final Set<String> NAMES_AUTHORS = Set.of("BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0");

    /** DynamoDB Local, whose licence forbids redistribution, and what only it needs. */
    private static final Set<String> NEVER =
            Set.of("software.amazon.dynamodb", "com.almworks.sqlite4java", "com.amazon.ion", "org.partiql");

    private record Library(String group, String name, List<String> licences) {

        static Library of(String line) {
            String[] columns = line.split("\t");
            String[] name = columns[0].split(":");
            List<String> licences = Stream.of(columns[2].split(" \\| "))
                    .filter(licence -> !licence.equals(NOT_CHOSEN))
                    .toList();
            assertThat(licences).as(columns[0]).isNotEmpty();
            return new Library(name[0], name[1], licences);
        }

        /** The text of a licence, given as an SPDX identifier. */
        Path text(String licence) {
            return TEXTS.resolve((NAMES_AUTHORS.contains(licence) ? group : licence) + ".txt");
        }
    }

    private static List<Library> libraries() throws IOException {
        try (Stream<String> lines = Files.lines(NOTICES)) {
            return lines.filter(line -> line.contains("\t")).map(Library::of).toList();
        }
    }

    @Test
    void every_library_may_be_redistributed() throws IOException {
        assertThat(libraries()).hasSizeGreaterThan(20);
        assertThat(libraries())
                .filteredOn(library -> !PERMITTED.keySet().containsAll(library.licences()))
                .isEmpty();
    }

    /** What the page's jar contains beside files of this project. */
    @Test
    void libraries_of_the_page_are_among_them() throws IOException {
        assertThat(libraries()).extracting(Library::name).contains("lit-html", "uplot");
    }

    @Test
    void nothing_of_dynamodb_local_is_packaged() throws IOException {
        assertThat(libraries())
                .filteredOn(library -> NEVER.contains(library.group()))
                .isEmpty();
    }

    @Test
    @Tag("slow")
    void the_text_of_every_licence_is_in_the_archive() throws IOException {
        SoftAssertions texts = new SoftAssertions();
        for (Library library : libraries()) {
            library.licences().stream()
                    .filter(PERMITTED::containsKey)
                    .map(PERMITTED::get)
                    .forEach(licence -> texts.assertThat(library.text(licence))
                            .as(library.name())
                            .isNotEmptyFile());
        }
        texts.assertAll();
    }
}
