package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The template that the build packages has the content of {@code template.yaml}. */
class PackagedTemplateTest {

    @Test
    void the_packaged_template_has_the_content_of_the_yaml_files() {
        Map<String, Object> packaged = PackagedTemplate.read().document();
        Map<String, Object> written = Template.find().document();
        assertThat(packaged).isEqualTo(written);
        assertThat(names(packaged)).as("the order of the names").isEqualTo(names(written));
    }

    private static List<String> names(Object value) {
        List<String> names = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, child) -> {
                names.add((String) name);
                names.addAll(names(child));
            });
        } else if (value instanceof List<?> list) {
            list.forEach(element -> names.addAll(names(element)));
        }
        return names;
    }
}
