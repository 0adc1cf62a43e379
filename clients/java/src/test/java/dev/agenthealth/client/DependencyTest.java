package dev.agenthealth.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DependencyTest {

    @Test
    void the_client_needs_the_jdk_and_jackson_and_nothing_else() {
        JavaClasses client = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("/target/jt/test/"))
                .importPackages("dev.agenthealth.client..");
        classes()
                .that()
                .resideInAnyPackage(
                        "dev.agenthealth.client", "dev.agenthealth.client.testing", "dev.agenthealth.client.gate")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "com.fasterxml.jackson..", "dev.agenthealth.client..")
                .check(client);
    }
}
