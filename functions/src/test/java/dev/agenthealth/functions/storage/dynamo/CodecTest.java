package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CodecTest {

    /** With one name, the attribute that is declared later would replace the other one. */
    @Test
    @Tag("slow")
    void the_attributes_of_an_item_have_different_names() throws IllegalAccessException {
        List<JavaField> codecs = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.agenthealth.functions.storage")
                        .stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getRawType().isEquivalentTo(Codec.class))
                        .toList();
        assertThat(codecs).hasSizeGreaterThan(20);
        for (JavaField field : codecs) {
            Field codec = field.reflect();
            codec.setAccessible(true);
            assertThat(((Codec<?>) codec.get(null)).names())
                    .as(field.getFullName())
                    .doesNotHaveDuplicates()
                    .doesNotContain(Attributes.PK, Attributes.SK, Attributes.SCHEMA_NUMBER);
        }
    }
}
