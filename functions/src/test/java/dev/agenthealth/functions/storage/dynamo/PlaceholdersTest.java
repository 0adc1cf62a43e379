package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.dynamodbv2.parser.ReservedKeywords;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Attribute names in expressions. */
class PlaceholdersTest {

    @Test
    void a_short_name_that_is_not_reserved_stands_for_itself() {
        Placeholders placeholders = new Placeholders();
        assertThat(Stream.of("h", "pk", "tn").map(placeholders::name)).containsExactly("h", "pk", "tn");
        assertThat(placeholders.names()).isNull();
    }

    @Test
    void a_long_name_has_a_placeholder() {
        Placeholders placeholders = new Placeholders();
        assertThat(placeholders.name("number")).isEqualTo("#number");
        assertThat(placeholders.names()).isEqualTo(Map.of("#number", "number"));
    }

    @Test
    void no_reserved_word_of_dynamodb_stands_for_itself() {
        Stream<String> names = IntStream.rangeClosed('a', 'z')
                .mapToObj(Character::toString)
                .flatMap(first -> Stream.concat(
                        Stream.of(first), IntStream.rangeClosed('a', 'z').mapToObj(second -> first + (char) second)));
        assertThat(names.filter(ReservedKeywords::isKeyword))
                .isNotEmpty()
                .allSatisfy(word -> assertThat(new Placeholders().name(word)).isEqualTo("#" + word));
    }
}
